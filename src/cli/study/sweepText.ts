/** What a sweep found, as people read it. */

import type { PolicyValue } from "../../contract/policyTree.ts";
import type { Swept, SweptFrontier } from "../../edges/studies/playStudy.ts";
import type { StudyLeft } from "../../edges/studies/studyFiles.ts";
import {
  acrossText,
  factorText,
  headText,
  intervalText,
  outcomeLabel,
} from "../../edges/studies/studyNumbers.ts";
import type { RunCounts } from "../../edges/studies/studyRuns.ts";
import { type FrontierAt, type Threshold, toldThreshold } from "../../studies/frontier.ts";
import { acrossIn } from "../../studies/outcomes/outcome.ts";
import type { Estimate } from "../../studies/statistics/intervals.ts";
import { missedBelow, runsFor } from "../../studies/statistics/proportions.ts";
import type { Setting, Study } from "../../studies/study.ts";
import type { OutcomeAt } from "../../studies/sweepSummary.ts";
import { countsText } from "./studyRun.ts";
import { fittedTables } from "./studyTables.ts";

/** Ours: faults that are spelt out. */
const FAULTS_SHOWN = 5;

export function sweepText(
  swept: Swept,
  counts: RunCounts,
  { folder, files, opening }: StudyLeft,
  width: number,
): string {
  const { study } = swept.plan;
  const { points } = swept;
  const isCompared = points.some(({ isBaseline }) => isBaseline);
  const base = points.find(({ isBaseline }) => isBaseline);
  const estimates = (name: string, which: "mean" | "difference"): readonly string[] =>
    points.map(({ outcomes }) => {
      const own = outcomes[name];
      const bounds = own?.censored ?? 0;
      const isMarked =
        bounds > 0 || (which === "difference" && (base?.outcomes[name]?.censored ?? 0) > 0);
      const mark = boundMark(study, name, which);
      const text = intervalText(study, name, own?.[which] ?? null);
      return isMarked && text !== "" ? mark + text : text;
    });
  const all = points.flatMap(({ outcomes: at }) => Object.values(at));
  const doubts = doubtsIn(all);
  return [
    ...fittedTables({
      width,
      number: {
        ...{ head: "", align: "l" },
        cells: points.map(({ index, isBaseline }) => `${index}${isBaseline ? " (baseline)" : ""}`),
      },
      settings: study.factors.map(({ name }) => ({
        head: name,
        cells: points.map(({ values }) => factorText(study, name, values[name])),
      })),
      more: [{ head: "n", cells: points.map(({ replicates }) => String(replicates)) }],
      blocks: study.outcomes.map(({ name }) => ({
        columns: [
          { head: headOf(study, name), cells: estimates(name, "mean") },
          ...(isCompared ? [{ head: `Δ ${name}`, cells: estimates(name, "difference") }] : []),
        ],
      })),
    }),
    "",
    `${whatIs(study, points)}${doubts}`,
    ...boundsLines(study, points),
    ...neededLines(study, points),
    ...(study.stop === null
      ? []
      : ["Replicates ended by a rule: coverage is claimed for a fixed number of them alone."]),
    ...sweepTail(swept, counts, { folder, files, opening }),
  ].join("\n");
}

/** What is said below the table: faults, how runs came about, what was written, how a point is opened. */
export function sweepTail(
  { runs }: Pick<Swept, "runs">,
  counts: RunCounts,
  { folder, files, opening }: StudyLeft,
): readonly string[] {
  const faults = runs.filter(({ faults: said }) => said.length > 0);
  return [
    ...(faults.length === 0
      ? []
      : [`${faults.length} of ${runs.length} runs gave no value of some outcome:`]),
    ...faults
      .slice(0, FAULTS_SHOWN)
      .map(({ point, seed, faults: said }) => `- point ${point}, seed ${seed}: ${said.join(" ")}`),
    countsText(runs.length, counts),
    `In ${folder}: ${files.join(", ")}.`,
    "To open a point as a run:",
    ...opening.slice(0, 1).map((one) => `  ${one}`),
    ...(opening.length > 1 ? ["With --json, the command of every point is told."] : []),
  ];
}

/**
 * Before a mean over values of which some are known only to be at least what they are, or by an expression over such; before a
 * difference of such. A mean up to a limit takes them in, and has none.
 */
export function boundMark(
  { outcomes }: Study,
  outcome: string,
  which: "mean" | "difference" = "mean",
): string {
  if (acrossIn(outcomes, outcome)?.kind === "restricted") return "";
  const isEither = outcomes.find(({ name }) => name === outcome)?.kind === "expression";
  return isEither || which === "difference" ? "~ " : "≥ ";
}

function boundsLines(study: Study, points: Swept["points"]): readonly string[] {
  const counts = points.flatMap(({ outcomes }) =>
    Object.entries(outcomes).map(([name, { censored }]) => [name, censored] as const),
  );
  const names = [...new Set(counts.filter(([, bounds]) => bounds > 0).map(([name]) => name))];
  return names.map((name) => {
    const all = counts.reduce((sum, [own, bounds]) => sum + (own === name ? bounds : 0), 0);
    const then =
      boundMark(study, name) === ""
        ? "its mean up to a limit takes them in"
        : "≥ and ~ (either way) mark what rests on them";
    return `${name}: in ${all} runs only a bound of the value is known, as the run ended before it; ${then}.`;
  });
}

/** `quantile 0.95 of peak (load)`. */
const headOf = (study: Study, name: string): string =>
  headText(study, name, outcomeLabel(study, name));

function whatIs(study: Study, points: Swept["points"]): string {
  const methods = new Set(
    points.flatMap(({ outcomes }) =>
      Object.values(outcomes).flatMap(({ mean }) => (mean === null ? [] : [mean.method])),
    ),
  );
  if (methods.size === 0) return "No run gave a value, so there are no means.";
  const isMean = study.outcomes.every(({ name }) => acrossText(study, name) === "");
  return `${isMean ? "Means" : "Values"} with 95 % intervals (${[...methods].join("; ")}); Δ is the difference from the baseline.`;
}

/** Ours: how near a share is to be known before nothing more is said of runs. */
const NEAR = 0.05;

/** How many runs a share takes, of the point that takes most; nothing where all are known well enough. */
function neededLines({ outcomes }: Study, points: Swept["points"]): readonly string[] {
  return outcomes.flatMap(({ name }) => {
    const shares = points.flatMap(({ outcomes: at }) => {
      const { kind, mean } = at[name] ?? {};
      return kind === "share" && mean != null ? [mean] : [];
    });
    const wide = shares.filter(
      ({ low, high }) => low !== null && high !== null && (high - low) / 2 > NEAR,
    );
    if (wide.length === 0) return [];
    const needed = Math.max(...wide.map(({ estimate }) => runsFor(estimate, NEAR)));
    const least = Math.min(...wide.map(({ n }) => n));
    return [
      `${name}: to know these shares to ± ${NEAR} takes ${needed} runs a point; with ${least} runs, what happens in fewer than ${percent(missedBelow(least))} of them may not be seen at all.`,
    ];
  });
}

const percent = (share: number): string => `${(100 * share).toPrecision(2)} %`;

function doubtsIn(all: readonly OutcomeAt[]): string {
  const estimates = all.flatMap(({ mean, difference }) => [mean, difference]);
  const alike = estimates.flatMap((one) => (one?.doubt === "noVariance" ? [one.n] : []));
  const missed = percent(missedBelow(Math.min(...alike)));
  const words = [
    alike.length > 0
      ? `all values are equal, which says nothing of chance (what happens in fewer than ${missed} of the runs may be missed)`
      : [],
    ...new Set(estimates.flatMap((one) => (one === null ? [] : doubtText(one)))),
  ].flat();
  return words.length === 0 ? "" : ` * no interval is claimed: ${words.join("; ")}.`;
}

/** Why one estimate has no interval, but for values that are alike. */
function doubtText({ doubt, n, needs, method }: Estimate): readonly string[] {
  if (doubt === "tooFew") {
    return [
      needs === undefined
        ? "too few values"
        : `${method}: not estimable with n = ${n}, needs ${needs}`,
    ];
  }
  if (doubt === "bounds") return ["it rests on values of which only a bound is known"];
  if (doubt !== "onlySeen") return [];
  return [
    `the worst of ${n} seen; a further run is worse with at most ${percent(missedBelow(n))} (95 %)`,
  ];
}

/* What a frontier found, as people read it. */

export function frontierText(
  { swept, found: { design, combinations } }: SweptFrontier,
  counts: RunCounts,
  left: StudyLeft,
  width: number,
): string {
  const { along, outcome, at } = design;
  const { study } = swept.plan;
  const others = study.factors.map(({ name }) => name).filter((name) => name !== along);
  const shown = (name: string, value: PolicyValue): string => factorText(study, name, value);
  const axis = (value: number): string => shown(along, Math.round(value));
  const column = (head: string, cell: (one: FrontierAt) => string) => ({
    ...{ head, cells: combinations.map(cell) },
  });
  const [runs, gridRuns] = [
    sum(combinations.map((one) => one.runs)),
    sum(combinations.map((one) => one.gridRuns)),
  ];
  const bent = combinations.filter(({ threshold }) => threshold.kind === "notMonotone");
  return [
    ...fittedTables({
      width,
      number: column("", (one) => String(combinations.indexOf(one) + 1)),
      settings: others.map((name) => column(name, (one) => shown(name, one.setting[name] ?? ""))),
      more: [],
      blocks: [
        {
          columns: [
            column(`${along} at P(${outcome}) = ${at}`, (one) => thresholdText(one, axis)),
            column("monotone", (one) => monotoneText(one.threshold)),
            column("runs", (one) => String(one.runs)),
            column("of a grid", (one) => String(one.gridRuns)),
          ],
        },
      ],
    }),
    "",
    `In brackets, values at which the outcome is surely rarer or commoner (95 % for each line; Wilson, ${study.replicates.count} replicates on the same seeds).`,
    `${runs} runs where a grid takes ${gridRuns}.`,
    ...bent.flatMap((one) => [
      `Not monotone at ${settingText(one.setting, shown)}, so all values were played:`,
      `  ${one.looks.map((look) => lookText(look, axis)).join(" · ")}`,
    ]),
    ...sweepTail(swept, counts, left),
  ].join("\n");
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const settingText = (
  setting: Setting,
  shown: (name: string, value: PolicyValue) => string,
): string =>
  Object.entries(setting)
    .map(([name, value]) => `${name} ${shown(name, value)}`)
    .join(", ") || "the study's own policy";

const lookText = (
  { value, hits, replicates }: FrontierAt["looks"][number],
  axis: (value: number) => string,
): string => `${axis(value)}: ${hits} of ${replicates}`;

function thresholdText({ threshold, looks }: FrontierAt, axis: (value: number) => string): string {
  switch (threshold.kind) {
    case "between":
      return `${axis(toldThreshold(threshold))} [${axis(threshold.low)}, ${axis(threshold.high)}]`;
    case "notMonotone":
      return "none: see below";
    case "noValue":
      return `none: ${threshold.runs} runs gave neither 0 nor 1`;
    case "beyond": {
      const ends = [looks[0], looks.at(-1)].flatMap((look) =>
        look === undefined ? [] : [lookText(look, axis)],
      );
      return `${BEYOND[threshold.side]} (${ends.join(" · ")})`;
    }
  }
}

const BEYOND = {
  rarer: "none: rarer at both ends",
  commoner: "none: commoner at both ends",
  undecided: "none: an end is undecided",
} as const;

/** Where bisection had no middle to look at, nothing was tested. */
const monotoneText = ({ kind }: Threshold): string =>
  kind === "between" ? "yes" : kind === "notMonotone" ? "no" : "not tested";
