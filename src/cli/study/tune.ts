/** `ghostlight tune STUDY`: the setting that reaches the goal best, and how much better it is on seeds of its own. */

import { markdownTable } from "markdown-table";
import { EXIT } from "../../edges/exit.ts";
import { playTune, tuneRunsMost, tuningOf } from "../../edges/studies/playStudy.ts";
import { type StudyLeft, TRIALS_FILE } from "../../edges/studies/studyFiles.ts";
import {
  factorText,
  intervalText,
  number,
  outcomeText,
  plottedSetting,
} from "../../edges/studies/studyNumbers.ts";
import type { RunCounts } from "../../edges/studies/studyRuns.ts";
import { tunedFound, unknownNotes } from "../../studies/found.ts";
import type { StudyFound, StudyTrial } from "../../studies/result.ts";
import type { Estimate } from "../../studies/statistics/intervals.ts";
import { type Finalist, type Tuned, triesOf } from "../../studies/tune.ts";
import { print, printJson } from "../output.ts";
import { countsText, exitCodeOf, type StudyFlags, studyCommand } from "./studyRun.ts";
import { boundMark } from "./sweepText.ts";

export const tuneStudyCommand = (nameOrPath: string, flags: StudyFlags): Promise<number> =>
  studyCommand(nameOrPath, flags, {
    kind: "tune",
    planned: tuningOf,
    timed: (plan) => {
      const { study, notes } = plan;
      const points = [{ index: 0, values: study.baseline }];
      const searched = { points: triesOf(plan), runs: tuneRunsMost(plan) };
      return [{ study, points, baseline: null, rows: [], notes }, searched];
    },
    play: async (plan, runs, write) => {
      const tuned = await playTune(plan, runs);
      if (tuned === undefined) return undefined;
      const { study, method } = plan;
      const found = tunedFound(tuned);
      const told = (opening: readonly string[]) => ({
        method,
        finalists: tuned.finalists.map((one) => ({
          ...{ ...one, values: plottedSetting(study, one.values) },
          run: opening[found.points.findIndex(({ index }) => index === one.point)],
        })),
        ...(tuned.front === null ? {} : { front: tuned.front }),
        heldOutBaseline: tuned.baseline,
        trials: tuned.trials.map((one) => ({ ...one, point: plottedSetting(study, one.point) })),
      });
      const left = await write(found, told);
      return () => {
        const { folder, files, opening } = left;
        const { counts } = runs;
        if (flags.json) {
          const all = { ...told(opening), runs: counts, folder, files };
          printJson({ study: study.name, notes: found.notes, ...all });
        } else print(tuneText(tuned, found, counts, left));
        const code = exitCodeOf(tuned.runs);
        return tuned.finalists.length === 0 ? Math.max(EXIT.failed, code) : code;
      };
    },
  });

/* What a search found, as people read it. */

/** Ours: trials that a table shows; trials.csv has all. */
const TRIALS_SHOWN = 20;

export function tuneText(
  tuned: Tuned,
  { study, points, runs, trials }: StudyFound,
  counts: RunCounts,
  { folder, files, opening }: StudyLeft,
): string {
  const factors = study.factors.map(({ name }) => name);
  const goals = tuned.plan.study.goal.objectives.map(({ outcome }) => outcome);
  const head = ["trial", "state", ...factors, ...goals, ""];
  const rows = trials
    .slice(0, TRIALS_SHOWN)
    .map((one) => [
      ...[
        String(one.number),
        one.state,
        ...factors.map((name) => factorText(study, name, one.params[name])),
      ],
      ...goals.map((name, at) =>
        one.values === null
          ? ""
          : `${one.censored > 0 ? "~ " : ""}${outcomeText(study, name, one.values[at] ?? 0)}`,
      ),
      remarkOn(one),
    ]);
  const more = trials.length - rows.length;
  const commands = new Map(points.map(({ index }, at) => [index, opening[at] ?? ""]));
  return [
    ...unknownNotes(study, runs),
    markdownTable([head, ...rows]),
    ...(more > 0 ? [`${more} more trials are in ${TRIALS_FILE}.`] : []),
    "",
    ...(tuned.finalists.length === 0 ? [noBest(trials)] : []),
    ...tiedLines(tuned),
    ...tuned.finalists.flatMap((one) => [
      ...finalistLines(one, tuned),
      `  ${commands.get(one.point) ?? ""}`,
    ]),
    ...frontLines(tuned),
    ...baselineLines(tuned),
    countsText(runs.length, counts),
    `In ${folder}: ${files.join(", ")}.`,
  ].join("\n");
}

function remarkOn({ reason, broken, violationBound: bound, censored, values }: StudyTrial): string {
  if (broken.length > 0) return `${reason}; probability at most ${number(bound ?? 1)}`;
  if (values === null || censored === 0) return reason ?? "";
  return `${censored} runs give only a bound`;
}

/** Nothing is claimed then: not even how far the baseline is. */
function noBest(trials: readonly StudyTrial[]): string {
  const infeasible = trials.filter(({ broken }) => broken.length > 0).length;
  const count = (wanted: string): number => trials.filter(({ state }) => state === wanted).length;
  return `No trial is feasible and has a value, so there is no best: of ${trials.length}, ${infeasible} broke a constraint, ${count("FAIL")} gave no value, ${count("PRUNED")} were pruned.`;
}

/** One of equal ones is no winner. */
function tiedLines({ trials, finalists, plan: { study } }: Tuned): readonly string[] {
  const [only] = finalists;
  if (only === undefined || study.goal.objectives.length > 1) return [];
  const { value } = trials[only.trial] ?? {};
  const tied = trials.filter((one) => one.value !== null && one.value === value);
  const others = tied.map(({ number: trial }) => trial).filter((trial) => trial !== only.trial);
  if (others.length === 0) return [];
  const named = others.slice(0, TIED_SHOWN).join(", ");
  const more = others.length > TIED_SHOWN ? ` and ${others.length - TIED_SHOWN} more` : "";
  return [
    `${tied.length} trials tie for the best value: ${only.trial} was tried first and is told below; ${named}${more} did as well.`,
  ];
}

/** Ours. */
const TIED_SHOWN = 10;

function finalistLines(one: Finalist, { plan: { study } }: Tuned): readonly string[] {
  const { trial, objectives, violated, violationBound: bound } = one;
  const { heldOut } = study.goal;
  return [
    `Trial ${trial} on ${heldOut} held-out seeds:`,
    ...Object.entries(objectives).map(([outcome, at]) => {
      const marked = (of: Estimate | null, bounds: number, which?: "difference") =>
        `${bounds > 0 ? boundMark(study, outcome, which) : ""}${intervalText(study, outcome, of)}`;
      const headline =
        at.difference === null
          ? "no difference from the baseline is claimed"
          : `${marked(at.difference, at.censored + at.baselineCensored, "difference")} from the baseline`;
      return [
        `- ${outcome}: ${headline}; ${marked(at.mean, at.censored)} against ${marked(at.baseline, at.baselineCensored)}`,
        ...runsText(at.missing, at.baselineMissing, "gave no value"),
        ...runsText(at.censored, at.baselineCensored, "give only a bound"),
      ].join("; ");
    }),
    ...(bound === null
      ? []
      : [
          `- constraints: broken in ${violated} of ${heldOut}; probability of that at most ${number(bound)}`,
        ]),
  ];
}

const runsText = (own: number, baseline: number, what: string): readonly string[] =>
  own + baseline === 0 ? [] : [`${own} of its runs and ${baseline} of the baseline's ${what}`];

function frontLines({ front }: Tuned): readonly string[] {
  if (front === null) return [];
  const { searched, heldOut } = front;
  return [
    `The front dominates ${number(searched)} of the box from the worst to the best trial (hypervolume); on held-out seeds ${number(heldOut)}.`,
  ];
}

function baselineLines({ plan: { study }, baseline }: Tuned): readonly string[] {
  if (baseline === null || baseline.violated === 0) return [];
  const { violated } = baseline;
  return [
    `The baseline broke a constraint in ${violated} of ${study.goal.heldOut} held-out runs: the goal would not allow it.`,
  ];
}
