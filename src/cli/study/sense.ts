/** `ghostlight sense`: which factors of a study matter, by themselves and with the others. */

import { markdownTable } from "markdown-table";
import { playSense, type Sensed, sensePlan } from "../../edges/studies/playStudy.ts";
import type { StudyLeft } from "../../edges/studies/studyFiles.ts";
import { number, outcomeLabel, outcomeText } from "../../edges/studies/studyNumbers.ts";
import type { RunCounts } from "../../edges/studies/studyRuns.ts";
import { sweptFound, unknownNotes } from "../../studies/found.ts";
import { factorGroups } from "../../studies/sample/factorGroups.ts";
import type { Sensitivity } from "../../studies/sense.ts";
import type { Study } from "../../studies/study.ts";
import { print, printJson } from "../output.ts";
import { countsText, exitCodeOf, type StudyFlags, studyCommand } from "./studyRun.ts";

export const senseCommand = (nameOrPath: string, flags: StudyFlags): Promise<number> =>
  studyCommand(nameOrPath, flags, {
    kind: "sense",
    planned: sensePlan,
    timed: (plan) => [plan],
    play: async (plan, runs, write) => {
      const sensed = await playSense(plan, runs);
      if (sensed === undefined) return undefined;
      const { swept, sensitivity } = sensed;
      const found = sweptFound(swept, { indices: sensitivity });
      const told = { sensitivity: { factors: factorsOf(sensed), ...sensitivity } };
      const left = await write(found, () => told);
      return () => {
        if (flags.json) tell(sensed, found.notes, runs.counts, left);
        else print(senseText(sensed, runs.counts, left));
        return exitCodeOf(swept.runs);
      };
    },
  });

const factorsOf = ({ plan: { study } }: Sensed) => factorGroups(study).names;

function tell(
  sensed: Sensed,
  notes: readonly string[],
  runs: RunCounts,
  { folder, files }: StudyLeft,
): void {
  const { plan, sensitivity } = sensed;
  const censored = boundsIn(sensed.swept.runs);
  const factors = factorsOf(sensed);
  printJson({
    ...{ study: plan.study.name, factors, sensitivity, censored, notes, runs, folder, files },
  });
}

/* What a study's factors explain, as people read it. */

function senseText(
  { plan: { study }, swept, sensitivity }: Sensed,
  counts: RunCounts,
  { folder, files }: StudyLeft,
): string {
  const faulty = swept.runs.filter(({ faults }) => faults.length > 0).length;
  const bounds = Object.entries(boundsIn(swept.runs));
  return [
    ...unknownNotes(study, swept.runs),
    ...Object.entries(sensitivity).flatMap(([outcome, one]) => [
      ...outcomeLines(study, outcome, one),
      "",
    ]),
    `Of the mean over ${study.replicates.count} replicates. ± is half of a 95 % interval, from rows and seeds drawn again.`,
    ...bounds.map(
      ([outcome, runs]) =>
        `${outcome}: in ${runs} runs only a bound of the value is known, as the run ended before it; the indices take the bound for the value.`,
    ),
    ...(faulty === 0 ? [] : [`${faulty} runs gave no value of some outcome; ${folder} says why.`]),
    countsText(swept.runs.length, counts),
    `In ${folder}: ${files.join(", ")}.`,
  ].join("\n");
}

/** In how many runs only a bound of an outcome is known; outcomes without such runs are absent. */
function boundsIn(runs: Sensed["swept"]["runs"]): { readonly [outcome: string]: number } {
  const counts: { [outcome: string]: number } = {};
  for (const name of runs.flatMap(({ censored }) => censored)) {
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** What is told of one outcome: a table of its indices, or why it has none. */
export function outcomeLines(study: Study, outcome: string, one: Sensitivity): string[] {
  const factors = factorGroups(study).names;
  const told = (value: number): string => outcomeText(study, outcome, value);
  if (one.kind === "none") return [`${outcome}: no indices. ${one.why}`];
  const noise =
    one.noise === null
      ? "one replicate, which cannot say what chance adds"
      : `${number(100 * one.noise)} % of the variance between rows is chance`;
  const what = one.kind === "sobol" ? "base rows" : "trajectories";
  const used = one.kind === "sobol" ? one.rows : one.trajectories;
  const left = one.left === 0 ? "" : `, ${one.left} left out, as a run of theirs gave no value`;
  const bounds =
    one.censored === 0
      ? ""
      : ` In ${one.censored} runs only a bound of the value is known, as the run ended before it: the indices are of the bound.`;
  const head = `${outcomeLabel(study, outcome)}: ${used} ${what}${left}; ${noise}.${bounds}`;
  return one.kind === "sobol"
    ? [
        head,
        table(["", "S1", "ST", ...(one.pawn === null ? [] : ["PAWN"])], sobolRows(one, factors)),
        ...(one.pawn === null
          ? []
          : [
              `PAWN is how far the whole distribution moves in a slice of the factor, the median of ten: by chance alone ${number(one.pawn.dummy.median)}.`,
            ]),
        ...reversedLines(one, factors),
        ...pairLines(one, factors),
      ]
    : [head, table(["", "mu", "mu_star", "sigma"], morrisRows(one, factors, told))];
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownTable([head, ...rows], { align: ["l", ...head.slice(1).map(() => "r")] });

const withConf = (value = 0, conf = 0, told = number): string => `${told(value)} ± ${told(conf)}`;

const sobolRows = (one: Extract<Sensitivity, { kind: "sobol" }>, factors: readonly string[]) =>
  factors.map((name, at) => [
    name,
    withConf(one.S1[at], one.S1_conf[at]),
    withConf(one.ST[at], one.ST_conf[at]),
    ...(one.pawn === null ? [] : [number(one.pawn.median[at] ?? 0)]),
  ]);

/** A factor alone cannot explain more than it does with all others: where it seems to, that is chance. */
function reversedLines(
  { S1, ST }: Pick<Extract<Sensitivity, { kind: "sobol" }>, "S1" | "ST">,
  factors: readonly string[],
): string[] {
  const reversed = factors.filter((_, at) => (S1[at] ?? 0) > (ST[at] ?? 0));
  if (reversed.length === 0) return [];
  return [
    `S1 above ST (${reversed.join(", ")}) cannot be: it is the chance of an estimate, within the intervals or for want of base rows.`,
  ];
}

function pairLines(
  { S2, S2_conf: conf }: Extract<Sensitivity, { kind: "sobol" }>,
  factors: readonly string[],
): string[] {
  const rows = factors.flatMap((earlier, j) =>
    factors.slice(j + 1).map((later, offset) => {
      const k = j + 1 + offset;
      return [`${earlier} × ${later}`, withConf(S2[j]?.[k] ?? 0, conf[j]?.[k] ?? 0)];
    }),
  );
  return rows.length === 0 ? [] : [table(["", "S2"], rows)];
}

const morrisRows = (
  one: Extract<Sensitivity, { kind: "morris" }>,
  factors: readonly string[],
  told: (value: number) => string,
) =>
  factors.map((name, at) => [
    name,
    toldOr(one.mu[at], told),
    withConf(one.mu_star[at], one.mu_star_conf[at], told),
    toldOr(one.sigma[at], told),
  ]);

/** Of a group neither has a sign to go by. */
const toldOr = (value: number | null | undefined, told: (value: number) => string): string =>
  value == null ? "–" : told(value);
