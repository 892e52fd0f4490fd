/** `ghostlight tune STUDY`: the setting that reaches the goal best, and how much better it is on seeds of its own. */
import { basename, join } from "node:path";
import { markdownTable } from "markdown-table";
import { checkedLists } from "../edges/checkWorlds.ts";
import { playTune, tuneRunsMost, tuningOf } from "../edges/studies/playTune.ts";
import { sha256 } from "../edges/studies/runKey.ts";
import { loadStudy } from "../edges/studies/studyFile.ts";
import { STUDY_FILES, writeTuned } from "../edges/studies/studyFiles.ts";
import {
  factorText,
  intervalText,
  number,
  outcomeText,
  plottedSetting,
} from "../edges/studies/studyNumbers.ts";
import type { Finalist, Tuned, TunedTrial } from "../studies/tune.ts";
import type { TuneStudy } from "../studies/tuneTrials.ts";
import { partLists } from "./chosenParts.ts";
import { note, print, printJson } from "./output.ts";
import { countsText, exitCodeOf, inStudyFolder, type StudyFlags, studyHost } from "./studyRun.ts";
import { sweepDryRun } from "./sweepDryRun.ts";
import { openingOf } from "./sweepText.ts";

export async function tuneStudyCommand(nameOrPath: string, flags: StudyFlags): Promise<number> {
  const lists = await checkedLists(await partLists(flags));
  const { study, file, text } = loadStudy(lists, nameOrPath);
  const plan = tuningOf(study, file);
  const host = studyHost(flags);
  for (const one of plan.notes) note(one);
  if (flags.dryRun) {
    const points = [{ index: 0, values: study.baseline }];
    const tried = plan.cube === null ? plan.settings.length : plan.study.goal.trials;
    const first = { study, points, baseline: null, rows: [], notes: plan.notes };
    const searched = { points: tried, runs: tuneRunsMost(plan) };
    return sweepDryRun(first, { ...host, json: flags.json === true, searched });
  }
  const folder = flags.out ?? join("runs", `tune-${basename(study.name)}`);
  const id = sha256(JSON.stringify(["tune", study]));
  return inStudyFolder({ study, id, folder, host, json: flags.json === true }, async (runs) => {
    const tuned = await playTune(plan, runs);
    if (tuned === undefined) return undefined;
    writeTuned(folder, tuned);
    const points = tuned.finalists.map(({ trial: index, values }) => ({ index, values }));
    const opening = openingOf({ text, file }, { study, points });
    return () => {
      const { trials, finalists } = tuned;
      const files = [STUDY_FILES.study];
      const told = { study: study.name, method: plan.method, notes: plan.notes };
      const found = {
        finalists: finalists.map((one, at) => ({
          ...{ ...one, values: plottedSetting(study, one.values) },
          run: opening[at],
        })),
        trials: trials.map((one) => ({ ...one, point: plottedSetting(study, one.point) })),
      };
      if (flags.json) printJson({ ...told, ...found, runs: runs.counts, folder, files });
      else {
        const { kept, cached, played } = runs.counts;
        const counts = countsText(kept + cached + played, runs.counts);
        print([...tunedLines(tuned), counts, `In ${folder}: ${files.join()}.`].join("\n"));
        for (const one of opening) print(`  ${one}`);
      }
      return exitCodeOf(tuned.runs);
    };
  });
}

/** Ours: trials that a table shows; study.json has all. */
const TRIALS_SHOWN = 20;

function tunedLines({ plan: { study }, trials, finalists }: Tuned): readonly string[] {
  const factors = study.factors.map(({ name }) => name);
  const goals = study.goal.objectives.map(({ outcome }) => outcome);
  const head = ["trial", "state", ...factors, ...goals, ""];
  const rows = trials
    .slice(0, TRIALS_SHOWN)
    .map((one) => [
      ...[
        String(one.number),
        one.state,
        ...factors.map((name) => factorText(study, name, one.point[name])),
      ],
      ...goals.map((goal, at) =>
        one.means === null ? "" : outcomeText(study, goal, one.means[at] ?? 0),
      ),
      whyOf(one),
    ]);
  const more = trials.length - rows.length;
  return [
    markdownTable([head, ...rows]),
    ...(more > 0 ? [`${more} more trials are in study.json.`] : []),
    "",
    ...(finalists.length === 0 ? ["No trial is feasible and has a value: there is no best."] : []),
    ...finalists.flatMap((one) => finalistLines(study, one)),
  ];
}

function whyOf({ infeasible, violationBound: bound, reason }: TunedTrial): string {
  if (infeasible === null) return reason ?? "";
  const { broken, violated, replicates } = infeasible;
  return `infeasible: ${broken.join(", ")} broken in ${violated} of ${replicates}; probability at most ${number(bound ?? 1)}`;
}

function finalistLines(study: TuneStudy, one: Finalist): readonly string[] {
  const { heldOut } = study.goal;
  const { trial, objectives, violated, violationBound: bound } = one;
  return [
    `Trial ${trial} on ${heldOut} held-out seeds:`,
    ...Object.entries(objectives).map(
      ([outcome, { mean, baseline, difference, missing }]) =>
        `- ${outcome}: ${intervalText(study, outcome, difference)} from the baseline; ${intervalText(study, outcome, mean)} against ${intervalText(study, outcome, baseline)}` +
        (missing === 0 ? "" : `; ${missing} runs gave no value`),
    ),
    ...(bound === null
      ? []
      : [`- constraints: broken in ${violated}; probability of that at most ${number(bound)}`]),
  ];
}
