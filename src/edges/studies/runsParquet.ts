/** `runs.parquet`: a row for each run and outcome, in columns that pandas and polars know the types of. */
import { type BasicType, parquetWriteBuffer } from "hyparquet-writer";
import type { PolicyValue } from "../../contract/policyTree.ts";
import type { StudyResult } from "../../studies/result.ts";
import { isOfWorld, SCENARIO } from "../../studies/study.ts";
import { taskOf } from "../../studies/taskEstimates.ts";
import { isShare, plotted } from "./studyNumbers.ts";

/** The same bytes of the same result. */
export function runsParquet({ study, points, runs }: StudyResult): Uint8Array {
  const settings = new Map(points.map(({ index, values }) => [index, values]));
  const rows = runs.flatMap((run) => study.outcomes.map(({ name }) => ({ run, name })));
  type Row = (typeof rows)[number];
  const column = (name: string, type: BasicType, data: readonly unknown[]) => ({
    ...{ name, type, nullable: true },
    data: [...data],
  });
  const of = (name: string, type: BasicType, told: (row: Row) => unknown) =>
    column(name, type, rows.map(told));
  const factors = study.factors
    .filter(({ name }) => !isOfWorld(name))
    .map(({ name }) => {
      const values = rows.map(({ run }) => {
        const value = settings.get(run.point)?.[name];
        return value === undefined ? value : plotted(study, name, value);
      });
      const [type, data] = isShare(study, name) ? (["DOUBLE", values] as const) : typed(values);
      return column(isOurs(name) ? `factor ${name}` : name, type, data);
    });
  const { tasks } = study.replicates;
  const columnData = [
    of("study", "STRING", () => study.name),
    of("point", "INT32", ({ run }) => run.point),
    ...factors,
    ...(study.scenarios === undefined
      ? []
      : [of("scenario", "STRING", ({ run }) => settings.get(run.point)?.[SCENARIO])]),
    of("variant", "STRING", ({ run }) => run.variant),
    of("replicate", "INT32", ({ run }) => run.replicate),
    ...(tasks === undefined
      ? []
      : [of("task", "STRING", ({ run }) => tasks[taskOf(run.replicate, tasks.length)])]),
    of("seed", "INT64", ({ run }) => BigInt(run.seed)),
    of("outcome", "STRING", ({ name }) => name),
    of("value", "DOUBLE", ({ run, name }) => run.values[name] ?? null),
    of("ended", "STRING", ({ run }) => run.outcome),
    of("censored", "BOOLEAN", ({ run, name }) => run.censored.includes(name)),
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

const OURS = [
  "study",
  "point",
  "replicate",
  "task",
  "seed",
  "outcome",
  "value",
  "ended",
  "censored",
];
const isOurs = (name: string): boolean => OURS.includes(name);

/** Values are whole numbers, decimals, words, yes or no, or lists; one column has one of these. */
function typed(values: readonly (PolicyValue | undefined)[]): [BasicType, readonly unknown[]] {
  if (values.every((value) => Number.isSafeInteger(value))) {
    return ["INT64", values.map((value) => BigInt(Number(value)))];
  }
  if (values.every((value) => typeof value === "number")) return ["DOUBLE", values];
  if (values.every((value) => typeof value === "boolean")) return ["BOOLEAN", values];
  return ["STRING", values.map((value) => String(value ?? ""))];
}
