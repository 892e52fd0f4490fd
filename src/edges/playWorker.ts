/** A worker thread that plays one scenario in many variants and seeds: `run --compare`, `--seeds`. */
import { parentPort, workerData } from "node:worker_threads";
import { type Figures, figuresOf, observe } from "../compare.ts";
import { judge, type Verdict } from "../expect.ts";
import type { PolicyValue } from "../machines/policy.ts";
import type { Scenario } from "../scenario.ts";

export interface PlayJob {
  readonly variant: string | null;
  readonly seed: number;
}

export interface PlayWork {
  readonly scenario: Scenario;
  readonly set: { readonly [path: string]: PolicyValue };
  readonly untilMs: number | null;
}

/** How one run went, as plain data. */
export interface Played extends PlayJob {
  readonly outcome: string;
  readonly digest: string;
  readonly figures: Figures;
  /** The expectations of what was played. */
  readonly verdicts: readonly Verdict[];
  /** The scenario's own expectations, judged in whatever variant was played. */
  readonly holds: readonly boolean[];
}

const { scenario, set, untilMs } = workerData as PlayWork;

parentPort?.on("message", ({ variant, seed }: PlayJob) => {
  const until = untilMs === null ? {} : { untilMs };
  const observed = observe(scenario, { variant, seed, set, ...until });
  const { result, meter, verdicts } = observed;
  const holds = scenario.expect.map((one) => judge(one, meter, result.virtualMs).ok);
  const { outcome, digest } = result;
  const figures = figuresOf(observed);
  const played: Played = { variant, seed, outcome, digest, figures, verdicts, holds };
  parentPort?.postMessage(played);
});
