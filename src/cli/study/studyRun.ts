/** What `sweep`, `sense` and `tune` have in common: a folder, threads that play, Ctrl-C, and what is kept. */
import { EXIT } from "../../edges/exit.ts";
import { cacheFolder } from "../../edges/play/keptAnswers.ts";
import { type StudyHost, worldOf } from "../../edges/studies/runKey.ts";
import { claimStudyFolder } from "../../edges/studies/studyFolder.ts";
import { WORKERS_MAX, workersHere } from "../../edges/studies/studyPool.ts";
import { type RunCounts, StudyRuns } from "../../edges/studies/studyRuns.ts";
import type { Study } from "../../studies/study.ts";
import type { SweepRun } from "../../studies/sweepSummary.ts";
import type { PartFlag } from "../chosenParts.ts";
import { refused } from "../flags.ts";
import { interpreterOption, sandboxOption } from "../options.ts";
import { clearProgress, note, printJson } from "../output.ts";
import { interruptible } from "../signals.ts";
import { studyProgress } from "./studyProgress.ts";

export interface StudyFlags extends PartFlag {
  readonly out?: string;
  readonly workers?: number;
  readonly queue?: string;
  readonly sandbox?: string;
  readonly cache?: string;
  readonly interpreter?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

interface Host extends StudyHost {
  readonly workers: number;
  /** The address of a database from which other machines play; this one when absent. */
  readonly queue: string | undefined;
}

export function studyHost(flags: StudyFlags): Host {
  const workers = flags.workers ?? workersHere();
  if (workers > WORKERS_MAX) {
    throw refused("--workers", String(workers), `1 … ${WORKERS_MAX}`, "Give another number.");
  }
  return {
    sandbox: sandboxOption(flags.sandbox),
    cache: cacheFolder(flags.cache),
    partFiles: flags.part,
    interpreter: interpreterOption(flags.interpreter),
    workers,
    queue: flags.queue,
  };
}

interface Playing {
  readonly study: Study;
  /** The folder is of this study, and of the command that plays it. */
  readonly id: string;
  readonly folder: string;
  readonly host: Host;
  readonly json: boolean;
}

/** `play` gives what is told at the end, with its exit code; undefined where it was interrupted. */
export async function inStudyFolder(
  { study, id, folder, host, json }: Playing,
  play: (runs: StudyRuns) => Promise<(() => number) | undefined>,
): Promise<number> {
  claimStudyFolder(folder);
  const stop = interruptible("stopping; what was played is kept, and the same command goes on");
  const runs = new StudyRuns({
    ...host,
    folder,
    study: id,
    world: worldOf(study),
    signal: stop.signal,
    onDone: studyProgress(study.name),
    onTrouble: note,
  });
  try {
    const tell = await play(runs);
    clearProgress();
    return tell === undefined ? interrupted(study, runs.counts, folder, json) : tell();
  } finally {
    stop.dispose();
    await runs.close();
  }
}

function interrupted(study: Study, counts: RunCounts, folder: string, json: boolean): number {
  if (json) printJson({ study: study.name, interrupted: true, folder, runs: counts });
  note(`interrupted: ${counts.played} runs were played and kept. The same command goes on.`);
  return EXIT.interrupted;
}

/** A run that ended by a bug, or ended its worker, is no result; what else did not end is told. */
export const exitCodeOf = (runs: readonly Pick<SweepRun, "outcome">[]): number =>
  runs.some(({ outcome }) => outcome === "bug" || outcome === "died") ? EXIT.bug : EXIT.ok;

export const countsText = (total: number, { played, cached, kept, again }: RunCounts): string => {
  const alike = again === 0 ? "" : `, ${again} the same as another`;
  return `${total} runs: ${played} played, ${cached} from the cache, ${kept} kept from before${alike}.`;
};
