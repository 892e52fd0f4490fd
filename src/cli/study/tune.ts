/** `ghostlight tune STUDY`: the setting that reaches the goal best, and how much better it is on seeds of its own. */

import { join } from "node:path";
import { EXIT } from "../../edges/exit.ts";
import { plainName } from "../../edges/plainName.ts";
import { checkedLists } from "../../edges/pool/checkWorlds.ts";
import { playTune, tuneRunsMost, tuningOf } from "../../edges/studies/playStudy.ts";
import { sha256 } from "../../edges/studies/runKey.ts";
import { loadStudy } from "../../edges/studies/studyFile.ts";
import { writeStudyFiles } from "../../edges/studies/studyFiles.ts";
import { plottedSetting } from "../../edges/studies/studyNumbers.ts";
import { tunedFound } from "../../studies/found.ts";
import { triesOf } from "../../studies/tune.ts";
import { partLists } from "../chosenParts.ts";
import { note, print, printJson } from "../output.ts";
import { exitCodeOf, inStudyFolder, type StudyFlags, studyHost } from "./studyRun.ts";
import { sweepDryRun } from "./sweepDryRun.ts";
import { openingOf } from "./sweepText.ts";
import { tuneText } from "./tuneText.ts";

export async function tuneStudyCommand(nameOrPath: string, flags: StudyFlags): Promise<number> {
  const lists = await checkedLists(await partLists(flags));
  const { study, file, text } = loadStudy(lists, nameOrPath);
  const plan = tuningOf(study, file);
  const host = studyHost(flags);
  for (const one of plan.notes) note(one);
  if (flags.dryRun) {
    const points = [{ index: 0, values: study.baseline }];
    const first = { study, points, baseline: null, rows: [], notes: plan.notes };
    const searched = { points: triesOf(plan), runs: tuneRunsMost(plan) };
    return sweepDryRun(first, { ...host, json: flags.json === true, searched });
  }
  const folder = flags.out ?? join("runs", `tune-${plainName(study.name)}`);
  const id = sha256(JSON.stringify(["tune", study]));
  return inStudyFolder({ study, id, folder, host, json: flags.json === true }, async (runs) => {
    const tuned = await playTune(plan, runs);
    if (tuned === undefined) return undefined;
    const found = tunedFound(tuned);
    const opening = openingOf({ ...flags, text, file }, found);
    const { method } = plan;
    const told = {
      method,
      finalists: tuned.finalists.map((one) => ({
        ...{ ...one, values: plottedSetting(study, one.values) },
        run: opening[found.points.findIndex(({ index }) => index === one.point)],
      })),
      heldOutBaseline: tuned.baseline,
      trials: tuned.trials.map((one) => ({ ...one, point: plottedSetting(study, one.point) })),
    };
    const left = await writeStudyFiles(folder, { ...found, opening }, told);
    return () => {
      if (flags.json) {
        const { files } = left;
        const { notes } = plan;
        printJson({ study: study.name, notes, ...told, runs: runs.counts, folder, files });
      } else print(tuneText(tuned, found, runs.counts, left));
      return tuned.finalists.length === 0
        ? Math.max(EXIT.failed, exitCodeOf(tuned.runs))
        : exitCodeOf(tuned.runs);
    };
  });
}
