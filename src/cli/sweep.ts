/** `ghostlight sweep`: plays the design of a study, and says what came of it. */
import { basename, join } from "node:path";
import { checkedLists } from "../edges/checkWorlds.ts";
import { EXIT } from "../edges/exit.ts";
import { cacheFolder } from "../edges/keptAnswers.ts";
import { type FrontierFound, playFrontier } from "../edges/studies/playFrontier.ts";
import { playSweep, type SweepPlan, type Swept, sweepPlan } from "../edges/studies/playSweep.ts";
import { sha256, worldOf } from "../edges/studies/runKey.ts";
import { loadStudy } from "../edges/studies/studyFile.ts";
import { STUDY_FILES, writeStudyFiles } from "../edges/studies/studyFiles.ts";
import { claimStudyFolder } from "../edges/studies/studyFolder.ts";
import { WORKERS_MAX, workersHere } from "../edges/studies/studyPool.ts";
import { type RunCounts, StudyRuns } from "../edges/studies/studyRuns.ts";
import { policyLeaves } from "../policy.ts";
import type { Analysis } from "../studies/sweepSummary.ts";
import { type PartFlag, partLists } from "./chosenParts.ts";
import { refused } from "./flags.ts";
import { FRONTIER_FILES, frontierText } from "./frontierText.ts";
import { sandboxOption } from "./options.ts";
import { clearProgress, note, print, printJson } from "./output.ts";
import { interruptible } from "./signals.ts";
import { studyProgress } from "./studyProgress.ts";
import { sweepDryRun } from "./sweepDryRun.ts";
import { openingOf, sweepText } from "./sweepText.ts";

export interface SweepFlags extends PartFlag {
  readonly out?: string;
  readonly workers?: number;
  readonly plain?: true;
  readonly sandbox?: string;
  readonly cache?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

export async function sweepCommand(nameOrPath: string, flags: SweepFlags): Promise<number> {
  const lists = await checkedLists(await partLists(flags));
  const { study, file, text } = loadStudy(lists, nameOrPath);
  const plan = sweepPlan(study, file);
  const analysis: Analysis =
    flags.plain || study.replicates.seeds === "independent" ? "plain" : "paired";
  const host = {
    sandbox: sandboxOption(flags.sandbox),
    cache: cacheFolder(flags.cache),
    partFiles: flags.part,
  };
  const workers = flags.workers ?? workersHere();
  if (workers > WORKERS_MAX) {
    throw refused("--workers", String(workers), `1 … ${WORKERS_MAX}`, "Give another number.");
  }
  for (const one of plan.notes) note(one);
  if (flags.dryRun) return sweepDryRun(plan, { ...host, workers, json: flags.json === true });
  const folder = flags.out ?? join("runs", `study-${basename(study.name)}`);
  claimStudyFolder(folder);
  const stop = interruptible("stopping; what was played is kept, and the same command goes on");
  const runs = new StudyRuns({
    ...host,
    folder,
    workers,
    study: sha256(JSON.stringify(study)),
    world: worldOf(study),
    signal: stop.signal,
    onDone: studyProgress(study.name),
    onTrouble: note,
  });
  try {
    if (study.design?.kind === "frontier") {
      const frontier = await playFrontier(plan, study.design, runs);
      clearProgress();
      if (frontier === undefined) return interrupted(plan, runs.counts, folder, flags);
      const { swept, found } = frontier;
      writeStudyFiles(folder, swept, found);
      const opening = openingOf({ text, file }, swept);
      if (flags.json) tell(swept, runs.counts, folder, opening, flags, found);
      else {
        const leaves = new Map(policyLeaves(lists.parts));
        print(frontierText(frontier, leaves, runs.counts, folder, opening));
      }
      return exitCodeOf(swept);
    }
    const swept = await playSweep(plan, runs, analysis);
    clearProgress();
    if (swept === undefined) return interrupted(plan, runs.counts, folder, flags);
    writeStudyFiles(folder, swept);
    tell(swept, runs.counts, folder, openingOf({ text, file }, swept), flags);
    return exitCodeOf(swept);
  } finally {
    stop.dispose();
    await runs.close();
  }
}

function interrupted(
  { study }: SweepPlan,
  counts: RunCounts,
  folder: string,
  flags: SweepFlags,
): number {
  if (flags.json) printJson({ study: study.name, interrupted: true, folder, runs: counts });
  note(`interrupted: ${counts.played} runs were played and kept. The same command goes on.`);
  return EXIT.interrupted;
}

function tell(
  swept: Swept,
  counts: RunCounts,
  folder: string,
  opening: readonly string[],
  flags: SweepFlags,
  frontier?: FrontierFound,
): void {
  const { plan, points } = swept;
  if (!flags.json) {
    print(sweepText(swept, counts, folder, opening));
    return;
  }
  printJson({
    study: plan.study.name,
    baseline: plan.baseline,
    notes: plan.notes,
    points: points.map((one, place) => ({ ...one, run: opening[place] })),
    ...(frontier === undefined ? {} : { frontier: frontier.combinations }),
    runs: counts,
    folder,
    files: frontier === undefined ? Object.values(STUDY_FILES) : FRONTIER_FILES,
  });
}

/** A run that ended by a bug, or ended its worker, is no result; what else did not end is told. */
const exitCodeOf = ({ runs }: Swept): number =>
  runs.some(({ outcome }) => outcome === "bug" || outcome === "died") ? EXIT.bug : EXIT.ok;
