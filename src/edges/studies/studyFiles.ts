/** What a sweep leaves in its folder, the same bytes whoever played it: study.json, runs.csv, points.csv. */
import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FrontierFound, Threshold } from "../../studies/frontier.ts";
import type { Estimate } from "../../studies/statistics/intervals.ts";
import type { Tuned } from "../../studies/tune.ts";
import { OutputRefused } from "../errors.ts";
import { PRODUCT } from "../product.ts";
import type { Swept } from "./playSweep.ts";
import { factorCell, plotted, plottedSetting, plottedStudy } from "./studyNumbers.ts";

/** Counts up with each change of study.json. */
const FORMAT = 1;

export const STUDY_FILES = {
  study: "study.json",
  runs: "runs.csv",
  parquet: "runs.parquet",
  points: "points.csv",
  report: "report.html",
} as const;
/** Of a frontier, beside those above. */
export const FRONTIER_FILE = "frontier.csv";

/** `more` stands in study.json beside what a sweep says. Throws OutputRefused. */
export function writeStudyFiles(folder: string, swept: Swept, more: object = {}): void {
  write(folder, STUDY_FILES.runs, runsCsv(swept));
  write(folder, STUDY_FILES.points, pointsCsv(swept));
  write(folder, STUDY_FILES.study, studyJson(swept, more));
}

/** Beside the files of a sweep. Throws OutputRefused. */
export const writeFrontier = (folder: string, swept: Swept, found: FrontierFound): void =>
  write(folder, FRONTIER_FILE, frontierCsv(swept, found));

function studyJson(
  { plan: { study, notes, baseline }, points, runs }: Swept,
  more: object,
): string {
  const faults = runs
    .filter((run) => run.faults.length > 0)
    .map(({ point, replicate, seed, outcome, faults: said }) => ({
      ...{ point, replicate, seed, outcome },
      faults: said,
    }));
  const told = {
    ...{ format: FORMAT, product: PRODUCT, study: plottedStudy(study), baseline, notes, ...more },
    points: points.map((one) => ({ ...one, values: plottedSetting(study, one.values) })),
    faults,
  };
  return `${JSON.stringify(told, null, 2)}\n`;
}

/** Of a search: its trials and finalists, and no runs one by one. Throws OutputRefused. */
export function writeTuned(folder: string, { plan, trials, finalists }: Tuned): void {
  const { study, method, notes } = plan;
  const told = {
    ...{ format: FORMAT, product: PRODUCT, study: plottedStudy(study), method, notes },
    finalists: finalists.map((one) => ({ ...one, values: plottedSetting(study, one.values) })),
    trials: trials.map((one) => ({ ...one, point: plottedSetting(study, one.point) })),
  };
  write(folder, STUDY_FILES.study, `${JSON.stringify(told, null, 2)}\n`);
}

/** Long: a line for each run and outcome. An outcome that a run did not give is empty. */
function runsCsv({ plan: { study, points }, runs }: Swept): string {
  const names = study.factors.map(({ name }) => name);
  const settings = new Map(points.map(({ index, values }) => [index, values]));
  const head = ["point", "replicate", "seed", "ended", ...names, "outcome", "value", "censored"];
  const lines = runs.flatMap(({ point, replicate, seed, outcome, values, censored }) => {
    const own = names.map((name) => factorCell(study, name, settings.get(point)?.[name]));
    return study.outcomes.map(({ name }) => [
      ...[point, replicate, seed, outcome, ...own, name],
      ...[values[name] ?? "", censored.includes(name) ? 1 : 0],
    ]);
  });
  return csv([head, ...lines]);
}

/** A line for each point and outcome. */
function pointsCsv({ plan: { study }, points }: Swept): string {
  const names = study.factors.map(({ name }) => name);
  const head = [
    ...["point", "baseline", ...names, "outcome", "unit", "kind", "replicates", "ended", "missing"],
    ...["censored", "mean", "low", "high"],
    ...["pairs", "difference", "difference_low", "difference_high", "p", "p_holm"],
  ];
  const lines = points.flatMap(({ index, isBaseline, values, outcomes, replicates, ended }) => {
    const own = names.map((name) => factorCell(study, name, values[name]));
    return Object.entries(outcomes).map(([name, at]) => [
      ...[index, isBaseline ? 1 : 0, ...own, name, study.units.outcomes[name] ?? "", at.kind],
      ...[replicates, ended, at.missing, at.censored, ...estimated(at.mean)],
      ...[at.difference?.n ?? "", ...estimated(at.difference)],
      ...[at.difference?.p ?? "", at.adjustedP ?? ""],
    ]);
  });
  return csv([head, ...lines]);
}

/** A line for each combination. */
function frontierCsv({ plan: { study } }: Swept, { design, combinations }: FrontierFound): string {
  const names = study.factors.map(({ name }) => name).filter((name) => name !== design.along);
  const head = [...names, "along", "outcome", "probability", "found", "threshold", "low", "high"];
  const along = (value: number) => Number(plotted(study, design.along, value));
  const lines = combinations.map(({ setting, threshold, runs, gridRuns }) => [
    ...names.map((name) => factorCell(study, name, setting[name])),
    ...[design.along, design.outcome, design.at, foundName(threshold)],
    ...(threshold.kind === "between"
      ? [threshold.at, threshold.low, threshold.high].map((value) => along(value))
      : ["", "", ""]),
    ...[runs, gridRuns],
  ]);
  return csv([[...head, "runs", "grid_runs"], ...lines]);
}

/** `rises` and `falls` say how the probability goes along the factor. */
const foundName = (threshold: Threshold): string => {
  if (threshold.kind === "between") return threshold.rises ? "rises" : "falls";
  return threshold.kind === "beyond" ? threshold.side : threshold.kind;
};

const estimated = (of: Estimate | null): readonly Cell[] =>
  of === null ? ["", "", ""] : [of.estimate, of.low ?? "", of.high ?? ""];

type Cell = string | number;

const csv = (lines: readonly (readonly Cell[])[]): string =>
  lines.map((line) => `${line.map(cell).join(",")}\n`).join("");

/** RFC 4180. */
const cell = (value: Cell): string => {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Written beside and renamed, so that nobody reads half a file. */
export function write(folder: string, name: string, text: string | Uint8Array): void {
  const file = path.join(folder, name);
  const beside = `${file}.${randomUUID()}`;
  try {
    writeFileSync(beside, text);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new OutputRefused({
      where: { file },
      found: error instanceof Error ? error.message : String(error),
      allowed: "a file that can be written",
      todo: "Make room, or let yourself write it, and give the same command again: no run is lost.",
    });
  }
}
