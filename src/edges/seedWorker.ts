/** A worker thread that plays one scenario under many seeds, for `run --seeds`. */
import { parentPort, workerData } from "node:worker_threads";
import { observe } from "../compare.ts";
import { judge } from "../expect.ts";
import type { PolicyValue } from "../machines/policy.ts";
import type { Scenario } from "../scenario.ts";

export interface SeedJob {
  readonly variant: string | null;
  readonly seed: number;
}

export interface SeedWork {
  readonly scenario: Scenario;
  readonly set: { readonly [path: string]: PolicyValue };
}

/** How one run went: the scenario's own expectations, judged in whatever variant was played. */
export interface SeedResult extends SeedJob {
  readonly outcome: string;
  readonly digest: string;
  readonly holds: readonly boolean[];
}

const { scenario, set } = workerData as SeedWork;

parentPort?.on("message", ({ variant, seed }: SeedJob) => {
  const { result, meter } = observe(scenario, { variant, seed, set });
  const holds = scenario.expect.map((one) => judge(one, meter, result.virtualMs).ok);
  const { outcome, digest } = result;
  parentPort?.postMessage({ variant, seed, outcome, digest, holds } satisfies SeedResult);
});
