/** What a sweep found, as people read it. */
import path from "node:path";
import { markdownTable } from "markdown-table";
import { span } from "../edges/duration.ts";
import { shellArgument } from "../edges/shellArgument.ts";
import type { Swept } from "../edges/studies/playSweep.ts";
import { shown } from "../edges/studies/shownValue.ts";
import type { StudyLeft } from "../edges/studies/studyFiles.ts";
import type { RunCounts } from "../edges/studies/studyRuns.ts";
import { parseYaml } from "../edges/yamlText.ts";
import { isMap } from "../machines/isMap.ts";
import type { StudyFound } from "../studies/result.ts";
import type { Estimate } from "../studies/statistics/intervals.ts";
import { runAt } from "../studies/sweep.ts";
import type { OutcomeAt } from "../studies/sweepSummary.ts";
import type { PartFlag } from "./chosenParts.ts";
import { countsText } from "./studyRun.ts";

/** Ours: faults that are spelt out. */
const FAULTS_SHOWN = 5;

export function sweepText(
  swept: Swept,
  counts: RunCounts,
  { folder, files, opening }: StudyLeft,
): string {
  const { study } = swept.plan;
  const { points } = swept;
  const factors = study.factors.map(({ name }) => name);
  const outcomes = study.outcomes.map(({ name }) => name);
  const isCompared = points.some(({ isBaseline }) => isBaseline);
  const head = ["", ...factors, "n", ...outcomes.flatMap((name) => columns(name, isCompared))];
  const rows = points.map(({ index, isBaseline, values, replicates, outcomes: at }) => [
    isBaseline ? `${index} (baseline)` : String(index),
    ...factors.map((name) => String(shown(values[name]))),
    String(replicates),
    ...outcomes.flatMap((name) => cells(at[name], isCompared)),
  ]);
  const doubts = doubtsIn(points.flatMap(({ outcomes: at }) => Object.values(at)));
  return [
    markdownTable([head, ...rows], { align: ["l", ...head.slice(1).map(() => "r")] }),
    "",
    `${whatIs(points[0]?.outcomes)}${doubts}`,
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

const columns = (name: string, isCompared: boolean): readonly string[] =>
  isCompared ? [name, `Δ ${name}`] : [name];

function cells(at: OutcomeAt | undefined, isCompared: boolean): readonly string[] {
  const mean = estimateText(at?.mean ?? null);
  return isCompared ? [mean, estimateText(at?.difference ?? null)] : [mean];
}

/** Ours: digits that a table shows; the files have all. */
const DIGITS = 4;

export const number = (value: number): string => String(Number(value.toPrecision(DIGITS)));

export function estimateText(of: Estimate | null): string {
  if (of === null) return "";
  const { estimate, low, high } = of;
  const range = low === null || high === null ? "*" : ` [${number(low)}, ${number(high)}]`;
  return `${number(estimate)}${range}`;
}

function whatIs(outcomes: { readonly [name: string]: OutcomeAt } | undefined): string {
  const methods = new Set(Object.values(outcomes ?? {}).map(({ mean }) => mean?.method ?? "none"));
  return `Means with 95 % intervals (${[...methods].join("; ")}); Δ is the difference from the baseline.`;
}

function doubtsIn(all: readonly OutcomeAt[]): string {
  const doubts = all.flatMap(({ mean, difference }) => [mean?.doubt, difference?.doubt]);
  const words = [
    doubts.includes("noVariance") ? "all values are equal, which says nothing of chance" : [],
    doubts.includes("tooFew") ? "too few values" : [],
  ].flat();
  return words.length === 0 ? "" : ` * no interval is claimed: ${words.join("; ")}.`;
}

/** The command that opens the first replicate of each point, in the order of the points. */
export function openingOf(
  { text, file, part = [] }: PartFlag & { readonly text: string; readonly file: string },
  { study, points }: Pick<StudyFound, "study" | "points">,
): readonly string[] {
  const scenario = shellArgument(scenarioIn(text, file) ?? study.scenario.name);
  const until =
    study.untilMs === null ? [] : ["--until", span(study.untilMs).replaceAll(/ |in/g, "")];
  const others = [
    ...Object.entries(study.limits).map(([name, value]) => `--limit ${name}=${value}`),
    ...part.map((own) => `--part ${shellArgument(own)}`),
  ];
  return points.map((point) => {
    const { seed } = point;
    const { variant, set } = runAt(study, point, 0);
    return [
      ...["npx ghostlight run", scenario, "--seed", seed],
      ...(variant === null ? [] : ["--variant", shellArgument(variant)]),
      ...Object.entries(set).flatMap(([at, value]) => [
        "--set",
        `${at}=${shellArgument(String(shown(value)))}`,
      ]),
      ...[...until, ...others],
    ].join(" ");
  });
}

/** A path in a study leads from its own folder. */
function scenarioIn(text: string, file: string): string | undefined {
  const yaml = parseYaml(text, file);
  const named = "problems" in yaml || !isMap(yaml.value) ? undefined : yaml.value["scenario"];
  if (typeof named !== "string" || !/[\\/]|\.ya?ml$/i.test(named)) return undefined;
  return path.join(path.dirname(file), named);
}
