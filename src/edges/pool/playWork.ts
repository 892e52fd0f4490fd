/** One scenario in many variants and seeds, as a thread of a pool plays it: `run --compare`, `--seeds`. */

import { edgeParts } from "../../builtIn/edgeParts.ts";
import { parts } from "../../builtIn/parts.ts";
import type { Figures } from "../../contract/figures.ts";
import type { Step } from "../../contract/picture.ts";
import { figuresOf } from "../../run/compare.ts";
import { judge, type Verdict } from "../../run/expect.ts";
import { leftRecording } from "../../run/leftRecording.ts";
import { withOwn } from "../parts/ownPart.ts";
import { ownParts } from "../parts/ownParts.ts";
import type { SandboxKind } from "../processes/sandboxKind.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import { toldParts } from "../report/toldParts.ts";
import type { LazyShell } from "../shell/shellProcess.ts";
import { type PlayJob, type PlaySettings, playJob } from "./playJob.ts";

export interface PlayWork extends PlaySettings {
  readonly sandbox: SandboxKind;
  /** The folder of kept answers; none when null. */
  readonly cache: string | null;
  /** Files of parts besides the built-in ones; their names were found to be theirs alone. */
  readonly partFiles?: readonly string[] | undefined;
  /** Whether each run gives what its report draws over time. */
  readonly withSeries?: true;
}

/** How one run went, as plain data. */
export interface Played extends PlayJob {
  readonly outcome: string;
  /** Null for a bare run. */
  readonly digest: string | null;
  readonly figures: Figures;
  readonly series?: readonly Step[];
  /** The expectations of what was played. */
  readonly verdicts: readonly Verdict[];
  /** The scenario's own expectations, judged in whichever variant was played. */
  readonly holds: readonly boolean[];
  /** An agent left its recording: what it comes to is neither good nor bad. */
  readonly isUnknown: boolean;
}

/** Plays the job with a number. */
export async function player(
  work: PlayWork,
  jobs: readonly PlayJob[],
  sandbox: LazySandbox,
  shell: LazyShell,
): Promise<(at: number) => Promise<Played>> {
  // Its scenario was read where the pool was started.
  const lists = withOwn({ parts, edgeParts, scenarioParts: [] }, await ownParts(work.partFiles));
  return async (at) => {
    const job = jobs[at] as PlayJob; // The pool counts as many as there are.
    const observed = await playJob(lists, work, job, sandbox, shell);
    const { result, meter, verdicts } = observed;
    const holds = work.scenario.expect.map((one) => judge(one, meter, result.virtualMs).ok);
    const { outcome, digest } = result;
    const drawn = work.withSeries && toldParts(lists, work)[0]?.report.variants.series;
    const isUnknown = leftRecording(lists.parts, meter) !== null;
    return {
      ...{ ...job, isUnknown, outcome, digest, figures: figuresOf(observed), verdicts, holds },
      ...(drawn && { series: meter.series(drawn.metric) }),
    };
  };
}
