/** What a study leaves in its folder, whichever command played it: the same bytes whoever did. */
import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { FrontierFound, Threshold } from "../../studies/frontier.ts";
import type { StudyFound, StudyResult } from "../../studies/result.ts";
import type { Estimate } from "../../studies/statistics/intervals.ts";
import type { Setting, Study } from "../../studies/study.ts";
import { taskOf } from "../../studies/taskEstimates.ts";
import { OutputRefused } from "../errors.ts";
import { PRODUCT } from "../product.ts";
import {
  acrossText,
  factorCell,
  plotted,
  plottedFrontier,
  plottedSetting,
  plottedStudy,
} from "./studyNumbers.ts";

/** Counts up with each change of study.json. */
const FORMAT = 1;

export const STUDY_FILES = {
  study: "study.json",
  runs: "runs.csv",
  parquet: "runs.parquet",
  points: "points.csv",
  report: "report.html",
} as const;
/** Of a search and of a frontier, beside those above. */
export const TRIALS_FILE = "trials.csv";
const FRONTIER_FILE = "frontier.csv";

/** What a study left, as whoever tells of it needs it. */
export interface StudyLeft {
  readonly folder: string;
  /** Their names. */
  readonly files: readonly string[];
  /** See `StudyResult`. */
  readonly opening: readonly string[];
}

/** `more` stands in study.json beside what every study says. Throws OutputRefused. */
export async function writeStudyFiles(
  folder: string,
  result: StudyResult,
  more: object = {},
): Promise<StudyLeft> {
  // Charts and columns are loaded when there is something to draw.
  const { runsParquet } = await import("./runsParquet.ts");
  const { studyPage } = await import("./report/studyPage.ts");
  const { trials, frontier } = result;
  const files: readonly (readonly [name: string, text: string | Uint8Array])[] = [
    [STUDY_FILES.runs, runsCsv(result)],
    [STUDY_FILES.parquet, runsParquet(result)],
    [STUDY_FILES.points, pointsCsv(result)],
    ...(trials.length === 0 ? [] : [[TRIALS_FILE, trialsCsv(result)] as const]),
    ...(frontier === null ? [] : [[FRONTIER_FILE, frontierCsv(result, frontier)] as const]),
    [STUDY_FILES.report, studyPage(result)],
    // Last, so that it stands for all others.
    [STUDY_FILES.study, studyJson(result, more)],
  ];
  for (const [name, text] of files) write(folder, name, text);
  return { folder, files: files.map(([name]) => name), opening: result.opening };
}

function studyJson(
  { study, notes, baseline, points, runs, heldOut, frontier }: StudyFound,
  more: object,
): string {
  const faults = runs
    .filter((run) => run.faults.length > 0)
    .map(({ point, replicate, seed, outcome, faults: said }) => ({
      ...{ point, replicate, seed, outcome },
      faults: said,
    }));
  const told = {
    ...{ format: FORMAT, product: PRODUCT, study: plottedStudy(study), baseline, notes },
    ...(frontier === null ? {} : { frontier: plottedFrontier(study, frontier) }),
    ...(heldOut.length === 0 ? {} : { heldOut }),
    ...more,
    points: points.map((one) => ({ ...one, values: plottedSetting(study, one.values) })),
    faults,
  };
  return `${JSON.stringify(told, null, 2)}\n`;
}

/** Long: a line for each run and outcome. An outcome that a run did not give is empty. */
function runsCsv({ study, points, runs, ...result }: StudyFound): string {
  const names = study.factors.map(({ name }) => name);
  const settings = new Map(points.map(({ index, values }) => [index, values]));
  const { tasks } = study.replicates;
  const ofTask = tasks === undefined ? [] : ["task"];
  const head = [
    ...["point", "replicate", "seed", "ended", ...names, ...ofTask],
    ...["outcome", "value", "censored"],
  ];
  const heldOut = heldOutIn(result);
  const lines = runs.flatMap(({ point, replicate, seed, outcome, values, censored }) => {
    const task = tasks === undefined ? [] : [tasks[taskOf(replicate, tasks.length)] ?? ""];
    const own = [...factorCells(study, names, settings.get(point)), ...task];
    return study.outcomes.map(({ name }) => [
      ...[point, replicate, seed, outcome, ...own, name],
      ...[values[name] ?? "", censored.includes(name) ? 1 : 0, ...heldOut.cell(point)],
    ]);
  });
  return csv([[...head, ...heldOut.head], ...lines]);
}

const factorCells = (study: Study, names: readonly string[], setting: Setting = {}) =>
  names.map((name) => factorCell(study, name, setting[name]));

/** A line for each point and outcome. */
function pointsCsv({ study, points, ...result }: StudyFound): string {
  const heldOut = heldOutIn(result);
  const names = study.factors.map(({ name }) => name);
  const head = [
    ...["point", "baseline", ...names, "outcome", "unit", "kind", "replicates", "ended", "missing"],
    ...["censored", "mean", "low", "high"],
    ...["pairs", "difference", "difference_low", "difference_high", "p", "p_holm"],
    ...heldOut.head,
  ];
  const lines = points.flatMap(({ index, isBaseline, values, outcomes, replicates, ended }) => {
    const own = factorCells(study, names, values);
    return Object.entries(outcomes).map(([name, at]) => [
      ...[index, isBaseline ? 1 : 0, ...own, name, study.units.outcomes[name] ?? ""],
      acrossText(study, name) || at.kind,
      ...[replicates, ended, at.missing, at.censored, ...estimated(at.mean)],
      ...[at.difference?.n ?? "", ...estimated(at.difference)],
      ...[at.difference?.p ?? "", at.adjustedP ?? "", ...heldOut.cell(index)],
    ]);
  });
  return csv([head, ...lines]);
}

/** Of a search: which points have seeds that no trial had. Other studies have no such column. */
function heldOutIn({ trials, heldOut }: Pick<StudyFound, "trials" | "heldOut">) {
  const isSearch = trials.length > 0;
  return {
    head: isSearch ? ["held_out"] : [],
    cell: (point: number): readonly Cell[] => (isSearch ? [heldOut.includes(point) ? 1 : 0] : []),
  };
}

/** A line for each trial, under the names of Optuna's `trials_dataframe`; then what it does not know. */
function trialsCsv({ study, trials }: StudyFound): string {
  const names = study.factors.map(({ name }) => name);
  const goals = study.goal?.objectives.length ?? 1;
  const values = goals === 1 ? ["value"] : Array.from({ length: goals }, (_, at) => `values_${at}`);
  const head = [
    ...["number", ...values, ...names.map((name) => `params_${name}`), "state"],
    ...["enqueued", "replicates", "infeasible", "violated", "violation_bound", "censored", "why"],
  ];
  const lines = trials.map((one) => [
    ...[one.number, ...values.map((_, at) => one.values?.[at] ?? "")],
    ...factorCells(study, names, one.params),
    ...[one.state, one.isEnqueued ? 1 : 0, one.replicates, one.broken.length > 0 ? 1 : 0],
    ...[one.violated, one.violationBound ?? "", one.censored, one.reason ?? ""],
  ]);
  return csv([head, ...lines]);
}

/** A line for each combination. */
function frontierCsv({ study }: StudyFound, { design, combinations }: FrontierFound): string {
  const names = study.factors.map(({ name }) => name).filter((name) => name !== design.along);
  const head = [...names, "along", "outcome", "probability", "found", "threshold", "low", "high"];
  const along = (value: number) => Number(plotted(study, design.along, value));
  const lines = combinations.map(({ setting, threshold, runs, gridRuns }) => [
    ...factorCells(study, names, setting),
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
function write(folder: string, name: string, text: string | Uint8Array): void {
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
      todo: existsSync(folder)
        ? "Make room, or let yourself write it, and give the same command again: no run is lost."
        : "Its folder was removed while the study was played, and its runs with it: give the same command again.",
    });
  }
}
