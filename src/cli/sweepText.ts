/** What a sweep found, as people read it. */
import path from "node:path";
import { durationText } from "../edges/duration.ts";
import { shellArgument } from "../edges/shellArgument.ts";
import type { SweepPlan, Swept } from "../edges/studies/playSweep.ts";
import { STUDY_FILES } from "../edges/studies/studyFiles.ts";
import { factorText, intervalText, outcomeLabel } from "../edges/studies/studyNumbers.ts";
import type { RunCounts } from "../edges/studies/studyRuns.ts";
import { parseYaml } from "../edges/yamlText.ts";
import { isMap } from "../machines/isMap.ts";
import { runAt } from "../studies/sweep.ts";
import type { OutcomeAt } from "../studies/sweepSummary.ts";
import { countsText } from "./studyRun.ts";
import { fittedTables } from "./studyTables.ts";

/** Ours: faults that are spelt out. */
const FAULTS_SHOWN = 5;

export function sweepText(
  swept: Swept,
  counts: RunCounts,
  folder: string,
  opening: readonly string[],
  width: number,
): string {
  const { study } = swept.plan;
  const { points } = swept;
  const isCompared = points.some(({ isBaseline }) => isBaseline);
  const estimates = (name: string, which: "mean" | "difference"): readonly string[] =>
    points.map(({ outcomes }) => intervalText(study, name, outcomes[name]?.[which] ?? null));
  const doubts = doubtsIn(points.flatMap(({ outcomes: at }) => Object.values(at)));
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
          { head: outcomeLabel(study, name), cells: estimates(name, "mean") },
          ...(isCompared ? [{ head: `Δ ${name}`, cells: estimates(name, "difference") }] : []),
        ],
      })),
    }),
    "",
    `${whatIs(points[0]?.outcomes)}${doubts}`,
    ...(study.stop === null
      ? []
      : ["Replicates ended by a rule: coverage is claimed for a fixed number of them alone."]),
    ...sweepTail(swept, counts, folder, Object.values(STUDY_FILES), opening),
  ].join("\n");
}

/** What is said below the table: faults, how runs came about, what was written, how a point is opened. */
export function sweepTail(
  { runs }: Pick<Swept, "runs">,
  counts: RunCounts,
  folder: string,
  files: readonly string[],
  opening: readonly string[],
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
  { text, file }: { readonly text: string; readonly file: string },
  { study, points }: Pick<SweepPlan, "study" | "points">,
): readonly string[] {
  const scenario = shellArgument(scenarioIn(text, file) ?? study.scenario.name);
  const until = study.untilMs === null ? [] : ["--until", durationText(study.untilMs) ?? ""];
  return points.map((point) => {
    const { seed, variant, set } = runAt(study, point, 0);
    return [
      ...["npx ghostlight run", scenario, "--seed", seed],
      ...(variant === null ? [] : ["--variant", shellArgument(variant)]),
      ...Object.entries(set).flatMap(([at, value]) => [
        "--set",
        `${at}=${shellArgument(factorText(study, at, value))}`,
      ]),
      ...until,
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
