/** `runs.parquet`: a row for each run and outcome, in columns that pandas and polars know the types of. */
import { type BasicType, parquetWriteBuffer } from "hyparquet-writer";
import type { PolicyValue } from "../../contract/policyTree.ts";
import type { StudyResult } from "../../studies/result.ts";
import { VARIANT } from "../../studies/study.ts";
import { isShare, plotted } from "./studyNumbers.ts";

/** The same bytes of the same result. */
export function runsParquet({ study, points, runs }: StudyResult): Uint8Array {
  const settings = new Map(points.map(({ index, values }) => [index, values]));
  const rows = runs.flatMap((run) => study.outcomes.map(({ name }) => ({ run, name })));
  const column = (name: string, type: BasicType, data: readonly unknown[]) => ({
    ...{ name, type, nullable: true },
    data: [...data],
  });
  const factors = study.factors
    .filter(({ name }) => name !== VARIANT)
    .map(({ name }) => {
      const values = rows.map(({ run }) => {
        const value = settings.get(run.point)?.[name];
        return value === undefined ? value : plotted(study, name, value);
      });
      const [type, data] = isShare(study, name) ? (["DOUBLE", values] as const) : typed(values);
      return column(isOurs(name) ? `factor ${name}` : name, type, data);
    });
  const bytes = parquetWriteBuffer({
    columnData: [
      column(
        "study",
        "STRING",
        rows.map(() => study.name),
      ),
      column(
        "point",
        "INT32",
        rows.map(({ run }) => run.point),
      ),
      ...factors,
      column(
        "variant",
        "STRING",
        rows.map(({ run }) => run.variant),
      ),
      column(
        "replicate",
        "INT32",
        rows.map(({ run }) => run.replicate),
      ),
      column(
        "seed",
        "INT64",
        rows.map(({ run }) => BigInt(run.seed)),
      ),
      column(
        "outcome",
        "STRING",
        rows.map(({ name }) => name),
      ),
      column(
        "value",
        "DOUBLE",
        rows.map(({ run, name }) => run.values[name] ?? null),
      ),
      column(
        "ended",
        "STRING",
        rows.map(({ run }) => run.outcome),
      ),
      column(
        "censored",
        "BOOLEAN",
        rows.map(({ run, name }) => run.censored.includes(name)),
      ),
    ],
  });
  return new Uint8Array(bytes);
}

const OURS = ["study", "point", "replicate", "seed", "outcome", "value", "ended", "censored"];
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
