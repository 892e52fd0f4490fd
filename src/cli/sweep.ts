/** `ghostlight sweep`: plays the design of a study, and says what came of it. */
import { basename, join } from "node:path";
import { checkedLists } from "../edges/checkWorlds.ts";
import { playFrontier } from "../edges/studies/playFrontier.ts";
import { playSweep, type Swept, sweepPlan } from "../edges/studies/playSweep.ts";
import { sha256 } from "../edges/studies/runKey.ts";
import { loadStudy } from "../edges/studies/studyFile.ts";
import { STUDY_FILES, writeFrontier, writeStudyFiles } from "../edges/studies/studyFiles.ts";
import { plottedFrontier, plottedSetting } from "../edges/studies/studyNumbers.ts";
import type { RunCounts } from "../edges/studies/studyRuns.ts";
import type { FrontierFound } from "../studies/frontier.ts";
import type { StudyResult } from "../studies/result.ts";
import type { Analysis } from "../studies/sweepSummary.ts";
import { partLists } from "./chosenParts.ts";
import { FRONTIER_FILES, frontierText } from "./frontierText.ts";
import { note, print, printJson, terminalWidth } from "./output.ts";
import { exitCodeOf, inStudyFolder, type StudyFlags, studyHost } from "./studyRun.ts";
import { sweepDryRun } from "./sweepDryRun.ts";
import { openingOf, sweepText } from "./sweepText.ts";

export interface SweepFlags extends StudyFlags {
  readonly plain?: true;
}

export async function sweepCommand(nameOrPath: string, flags: SweepFlags): Promise<number> {
  const lists = await checkedLists(await partLists(flags));
  const { study, file, text } = loadStudy(lists, nameOrPath);
  const plan = sweepPlan(study, file);
  const analysis: Analysis =
    flags.plain || study.replicates.seeds === "independent" ? "plain" : "paired";
  const host = studyHost(flags);
  for (const one of plan.notes) note(one);
  if (flags.dryRun) return sweepDryRun(plan, { ...host, json: flags.json === true });
  const folder = flags.out ?? join("runs", `study-${basename(study.name)}`);
  const id = sha256(JSON.stringify(study));
  return inStudyFolder({ study, id, folder, host, json: flags.json === true }, async (runs) => {
    if (study.design?.kind === "frontier") {
      const frontier = await playFrontier(plan, study.design, runs);
      if (frontier === undefined) return undefined;
      const { swept, found } = frontier;
      writeStudyFiles(folder, swept, { frontier: plottedFrontier(study, found) });
      writeFrontier(folder, swept, found);
      const opening = openingOf({ text, file }, swept.plan);
      return () => {
        if (flags.json) tell(swept, runs.counts, folder, opening, flags, found);
        else {
          print(frontierText(frontier, runs.counts, folder, opening, terminalWidth()));
        }
        return exitCodeOf(swept.runs);
      };
    }
    const swept = await playSweep(plan, runs, analysis);
    if (swept === undefined) return undefined;
    writeStudyFiles(folder, swept);
    const opening = openingOf({ text, file }, plan);
    // Its charts are loaded when there is something to draw.
    const { writeStudyReport } = await import("../edges/studies/studyReport.ts");
    writeStudyReport(folder, resultOf(swept, opening));
    return () => {
      tell(swept, runs.counts, folder, opening, flags);
      return exitCodeOf(swept.runs);
    };
  });
}

const resultOf = ({ plan, points, runs }: Swept, opening: readonly string[]): StudyResult => ({
  ...{ study: plan.study, notes: plan.notes, baseline: plan.baseline, points, runs, opening },
  ...{ indices: null, trials: [], heldOut: [], frontier: null },
});

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
    print(sweepText(swept, counts, folder, opening, terminalWidth()));
    return;
  }
  printJson({
    study: plan.study.name,
    baseline: plan.baseline,
    notes: plan.notes,
    points: points.map((one, place) => ({
      ...{ ...one, values: plottedSetting(plan.study, one.values) },
      run: opening[place],
    })),
    ...(frontier === undefined ? {} : { frontier: plottedFrontier(plan.study, frontier) }),
    runs: counts,
    folder,
    files: frontier === undefined ? Object.values(STUDY_FILES) : FRONTIER_FILES,
  });
}
