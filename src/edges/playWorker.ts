/** A worker thread that plays one scenario in many variants and seeds: `run --compare`, `--seeds`. */
import { parentPort, workerData } from "node:worker_threads";
import { type Figures, figuresOf, startObserved } from "../compare.ts";
import { judge, type Verdict } from "../expect.ts";
import type { PolicyValue } from "../machines/policy.ts";
import type { Scenario } from "../scenario.ts";
import { prepare } from "../simulate.ts";
import { playRun } from "./playRun.ts";
import type { SandboxKind } from "./python/sandbox.ts";
import { lazySandbox } from "./python/sandboxPort.ts";
import { worldPorts } from "./worldPorts.ts";

export interface PlayJob {
  readonly variant: string | null;
  readonly seed: number;
}

export interface PlayWork {
  readonly scenario: Scenario;
  readonly set: { readonly [path: string]: PolicyValue };
  readonly untilMs: number | null;
  readonly sandbox: SandboxKind;
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

const { scenario, set, untilMs, sandbox: kind } = workerData as PlayWork;
const sandbox = lazySandbox(kind);

async function play({ variant, seed }: PlayJob): Promise<Played> {
  const options = { variant, seed, set, ...(untilMs !== null && { untilMs }) };
  const { policy } = prepare(scenario, options);
  const world = worldPorts({ sandbox, policy, seed, startsAt: scenario.startsAt });
  const { run, finish } = startObserved(scenario, { ...options, ports: world.ports });
  const observed = finish(await playRun(run, { slice: SLICE, inbox: world.inbox }));
  const { result, meter, verdicts } = observed;
  const holds = scenario.expect.map((one) => judge(one, meter, result.virtualMs).ok);
  const { outcome, digest } = result;
  return { variant, seed, outcome, digest, figures: figuresOf(observed), verdicts, holds };
}

/** Deliveries between two looks at the mail of this thread: nobody sends any while it plays. */
const SLICE = 100_000;

parentPort?.on("message", async (job: PlayJob | null) => {
  if (job !== null) return parentPort?.postMessage(await play(job));
  await sandbox.close();
  parentPort?.close();
});
