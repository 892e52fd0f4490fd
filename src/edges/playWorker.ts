/** A worker thread that plays one scenario in many variants and seeds: `run --compare`, `--seeds`. */
import "./nodeSha256.ts";
import { parentPort, workerData } from "node:worker_threads";
import type { Figures } from "../actors/figures.ts";
import { figuresOf } from "../compare.ts";
import { edgeParts } from "../edgeParts.ts";
import { judge, type Verdict } from "../expect.ts";
import { parts } from "../parts.ts";
import { KeptAnswers } from "./keptAnswers.ts";
import { withOwn } from "./ownPart.ts";
import { ownParts } from "./ownParts.ts";
import { type PlayJob, type PlaySettings, playJob } from "./playJob.ts";
import type { SandboxKind } from "./processes/sandboxKind.ts";
import { lazySandbox } from "./python/sandboxPort.ts";
import { lazyShell } from "./shell/shellProcess.ts";

export type { PlayJob } from "./playJob.ts";

export interface PlayWork extends PlaySettings {
  readonly sandbox: SandboxKind;
  /** The folder of kept answers; none when null. */
  readonly cache: string | null;
  /** Files of parts besides the built-in ones; their names were found to be theirs alone. */
  readonly partFiles?: readonly string[] | undefined;
}

/** How one run went, as plain data. */
export interface Played extends PlayJob {
  readonly outcome: string;
  /** Null for a bare run. */
  readonly digest: string | null;
  readonly figures: Figures;
  /** The expectations of what was played. */
  readonly verdicts: readonly Verdict[];
  /** The scenario's own expectations, judged in whichever variant was played. */
  readonly holds: readonly boolean[];
}

const work = workerData as PlayWork;
const answers = new KeptAnswers(work.cache);
// The other workers keep the processors busy: a spare process would only take their time.
const sandbox = lazySandbox({ kind: work.sandbox, answers, spare: false });
const shell = lazyShell({ kind: work.sandbox, answers });
// Its scenario was read where this worker was started.
const lists = withOwn({ parts, edgeParts, scenarioParts: [] }, await ownParts(work.partFiles));

async function play(job: PlayJob): Promise<Played> {
  const observed = await playJob(lists, work, job, sandbox, shell);
  const { result, meter, verdicts } = observed;
  const holds = work.scenario.expect.map((one) => judge(one, meter, result.virtualMs).ok);
  const { outcome, digest } = result;
  return { ...job, outcome, digest, figures: figuresOf(observed), verdicts, holds };
}

parentPort?.on("message", async (job: PlayJob | null) => {
  if (job !== null) return parentPort?.postMessage(await play(job));
  await Promise.all([sandbox.close(), shell.close()]);
  parentPort?.close();
});
