/** `ghostlight sense`: which factors of a study matter, by themselves and with the others. */
import { basename, join } from "node:path";
import { checkedLists } from "../edges/checkWorlds.ts";
import { playSense, type Sensed, sensePlan } from "../edges/studies/playSense.ts";
import { sha256 } from "../edges/studies/runKey.ts";
import { loadStudy } from "../edges/studies/studyFile.ts";
import { STUDY_FILES, writeStudyFiles } from "../edges/studies/studyFiles.ts";
import type { RunCounts } from "../edges/studies/studyRuns.ts";
import { partLists } from "./chosenParts.ts";
import { note, print, printJson } from "./output.ts";
import { senseText } from "./senseText.ts";
import { exitCodeOf, inStudyFolder, type StudyFlags, studyHost } from "./studyRun.ts";
import { sweepDryRun } from "./sweepDryRun.ts";

export async function senseCommand(nameOrPath: string, flags: StudyFlags): Promise<number> {
  const lists = await checkedLists(await partLists(flags));
  const { study, file } = loadStudy(lists, nameOrPath);
  const plan = sensePlan(study, file);
  const host = studyHost(flags);
  for (const one of plan.notes) note(one);
  if (flags.dryRun) return sweepDryRun(plan, { ...host, json: flags.json === true });
  const folder = flags.out ?? join("runs", `sense-${basename(study.name)}`);
  const id = sha256(JSON.stringify(["sense", study]));
  return inStudyFolder({ study, id, folder, host, json: flags.json === true }, async (runs) => {
    const sensed = await playSense(plan, runs);
    if (sensed === undefined) return undefined;
    const { swept, sensitivity } = sensed;
    writeStudyFiles(folder, swept, { sensitivity: { factors: factorsOf(sensed), ...sensitivity } });
    return () => {
      tell(sensed, runs.counts, folder, flags);
      return exitCodeOf(swept.runs);
    };
  });
}

const factorsOf = ({ plan: { study } }: Sensed) => study.factors.map(({ name }) => name);

function tell(sensed: Sensed, counts: RunCounts, folder: string, flags: StudyFlags): void {
  const { plan, sensitivity } = sensed;
  if (!flags.json) {
    print(senseText(sensed, counts, folder));
    return;
  }
  printJson({
    study: plan.study.name,
    factors: factorsOf(sensed),
    sensitivity,
    notes: plan.notes,
    runs: counts,
    folder,
    files: Object.values(STUDY_FILES),
  });
}
