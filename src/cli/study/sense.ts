/** `ghostlight sense`: which factors of a study matter, by themselves and with the others. */

import { join } from "node:path";
import { plainName } from "../../edges/plainName.ts";
import { checkedLists } from "../../edges/pool/checkWorlds.ts";
import { playSense, type Sensed, sensePlan } from "../../edges/studies/playStudy.ts";
import { sha256 } from "../../edges/studies/runKey.ts";
import { loadStudy } from "../../edges/studies/studyFile.ts";
import { type StudyLeft, writeStudyFiles } from "../../edges/studies/studyFiles.ts";
import type { RunCounts } from "../../edges/studies/studyRuns.ts";
import { sweptFound } from "../../studies/found.ts";
import { partLists } from "../chosenParts.ts";
import { note, print, printJson } from "../output.ts";
import { boundsIn, senseText } from "./senseText.ts";
import { exitCodeOf, inStudyFolder, type StudyFlags, studyHost } from "./studyRun.ts";
import { sweepDryRun } from "./sweepDryRun.ts";
import { openingOf } from "./sweepText.ts";

export async function senseCommand(nameOrPath: string, flags: StudyFlags): Promise<number> {
  const lists = await checkedLists(await partLists(flags));
  const { study, file, text } = loadStudy(lists, nameOrPath);
  const plan = sensePlan(study, file);
  const host = studyHost(flags);
  for (const one of plan.notes) note(one);
  if (flags.dryRun) return sweepDryRun(plan, { ...host, json: flags.json === true });
  const folder = flags.out ?? join("runs", `sense-${plainName(study.name)}`);
  const id = sha256(JSON.stringify(["sense", study]));
  return inStudyFolder({ study, id, folder, host, json: flags.json === true }, async (runs) => {
    const sensed = await playSense(plan, runs);
    if (sensed === undefined) return undefined;
    const { swept, sensitivity } = sensed;
    const found = sweptFound(swept, { indices: sensitivity });
    const opening = openingOf({ ...flags, text, file }, found);
    const told = { sensitivity: { factors: factorsOf(sensed), ...sensitivity } };
    const left = await writeStudyFiles(folder, { ...found, opening }, told);
    return () => {
      if (flags.json) tell(sensed, runs.counts, left);
      else print(senseText(sensed, runs.counts, left));
      return exitCodeOf(swept.runs);
    };
  });
}

const factorsOf = ({ plan: { study } }: Sensed) => study.factors.map(({ name }) => name);

function tell(sensed: Sensed, runs: RunCounts, { folder, files }: StudyLeft): void {
  const { plan, sensitivity } = sensed;
  const { name: study } = plan.study;
  const { notes } = plan;
  const censored = boundsIn(sensed.swept.runs);
  printJson({
    study,
    factors: factorsOf(sensed),
    sensitivity,
    censored,
    notes,
    runs,
    folder,
    files,
  });
}
