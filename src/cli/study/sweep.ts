/** `ghostlight sweep`: plays the design of a study, and says what came of it. */

import { join } from "node:path";
import { plainName } from "../../edges/plainName.ts";
import { checkedLists } from "../../edges/pool/checkWorlds.ts";
import { playFrontier } from "../../edges/studies/playFrontier.ts";
import { playSweep, sweepPlan } from "../../edges/studies/playSweep.ts";
import { sha256 } from "../../edges/studies/runKey.ts";
import { loadStudy } from "../../edges/studies/studyFile.ts";
import { type StudyLeft, writeStudyFiles } from "../../edges/studies/studyFiles.ts";
import { plottedFrontier, plottedSetting } from "../../edges/studies/studyNumbers.ts";
import type { RunCounts } from "../../edges/studies/studyRuns.ts";
import { sweptFound } from "../../studies/found.ts";
import type { StudyFound } from "../../studies/result.ts";
import type { Analysis } from "../../studies/sweepSummary.ts";
import { partLists } from "../chosenParts.ts";
import { note, print, printJson, terminalWidth } from "../output.ts";
import { exitCodeOf, inStudyFolder, type StudyFlags, studyHost } from "./studyRun.ts";
import { sweepDryRun } from "./sweepDryRun.ts";
import { frontierText, openingOf, sweepText } from "./sweepText.ts";

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
  const folder = flags.out ?? join("runs", `study-${plainName(study.name)}`);
  const id = sha256(JSON.stringify(study));
  return inStudyFolder({ study, id, folder, host, json: flags.json === true }, async (runs) => {
    const { design } = study;
    const frontier =
      design?.kind === "frontier" ? await playFrontier(plan, design, runs) : undefined;
    const swept =
      design?.kind === "frontier" ? frontier?.swept : await playSweep(plan, runs, analysis);
    if (swept === undefined) return undefined;
    const found = sweptFound(swept, { frontier: frontier?.found ?? null });
    const opening = openingOf({ ...flags, text, file }, found);
    const left = await writeStudyFiles(folder, { ...found, opening });
    return () => {
      const { counts } = runs;
      if (flags.json) tell(found, counts, left);
      else if (frontier === undefined) print(sweepText(swept, counts, left, terminalWidth()));
      else print(frontierText(frontier, counts, left, terminalWidth()));
      return exitCodeOf(swept.runs);
    };
  });
}

const tell = (
  { study, baseline, notes, points, frontier }: StudyFound,
  runs: RunCounts,
  { folder, files, opening }: StudyLeft,
): void =>
  printJson({
    ...{ study: study.name, baseline, notes },
    points: points.map((one, place) => ({
      ...{ ...one, values: plottedSetting(study, one.values) },
      run: opening[place],
    })),
    ...(frontier === null ? {} : { frontier: plottedFrontier(study, frontier) }),
    ...{ runs, folder, files },
  });
