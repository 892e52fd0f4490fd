/** A Gaussian process over the points of a study: how far their factors foretell the share of runs in which an outcome holds, and along which way. */
import { shuffled } from "../sample/cubePoints.ts";
import { bootstrapStream } from "../statistics/bootstrap.ts";
import { momentsOf } from "../statistics/fold.ts";
import { normalQuantile } from "../statistics/quantiles.ts";
import { type GaussianProcess, gaussianProcess } from "../surrogate/gaussianProcess.ts";
import { type Cases, casesOf, extent } from "./cases.ts";
import {
  type Held,
  levelsOf,
  POINTS_LEAST,
  type Row,
  type Surrogate,
  type Value,
} from "./forest.ts";

/** Ours: a fit takes the cube of them, and a few hundred say what more would. */
const POINTS_MOST = 300;
const FOLDS = 5;

export interface ProcessImportance {
  /** That it was fitted to; of more, so many were drawn. */
  readonly points: number;
  /** Of the variance of the shares: what is foretold of points that were held out, a fifth at a time. At 0 or below it knows nothing. */
  readonly explained: number;
  /** Of the variance of a share: what it takes for chance. */
  readonly noise: number;
  /** In the order of the factors. */
  readonly factors: readonly {
    readonly factor: string;
    /** In widths of the factor's range: how far a share still says something of another. A factor that is idle has a great one. */
    readonly length: number;
    /** `low` and `high` are 95 % limits of the mean over all points. */
    readonly held: readonly Held[];
  }[];
}

/** In a drawn order; of many, so many of them. */
export const drawnPoints = (count: number, seed: number): readonly number[] =>
  shuffled(count, bootstrapStream(seed, "gaussian process")).slice(0, POINTS_MOST);

/** Null where points are too few, or all have the same share. */
export function processOf(all: Cases, seed: number): Surrogate<ProcessImportance> | null {
  const { columns, runs, hits } = casesOf(all, drawnPoints(all.runs.length, seed));
  if (runs.length < POINTS_LEAST) return null;
  const shares = runs.map((count, point) => (hits[point] ?? 0) / count);
  const isKind = columns.map(({ kind }) => kind === "category");
  const places = columns.map((column) => {
    const [low, high] = column.kind === "number" ? extent(column.values) : [0, 1];
    const kinds = column.kind === "category" ? [...new Set(column.values)] : [];
    return (value: Value): number =>
      typeof value === "string"
        ? kinds.indexOf(value)
        : high > low
          ? (value - low) / (high - low)
          : 0;
  });
  const placed = (row: Row): readonly number[] => row.map((value, at) => places[at]?.(value) ?? 0);
  const rows = runs.map((_, point) => placed(columns.map(({ values }) => values[point] ?? 0)));
  const process = gaussianProcess(rows, shares, isKind);
  if (process === null) return null;
  const within = (share: number): number => Math.min(1, Math.max(0, share));
  const { noise, variance } = process;
  const importance = {
    ...{ points: rows.length, noise: noise / (noise + variance) },
    explained: heldOut(rows, shares, isKind, process),
    factors: columns.map((column, at) => ({
      ...{ factor: column.name, length: process.lengths[at] ?? 0 },
      held: levelsOf(column).map((value): Held => {
        const place = places[at]?.(value) ?? 0;
        const found = process.foretold(...rows.map((row) => row.with(at, place)));
        const half = normalQuantile(0.975) * Math.sqrt(found.variance);
        const [low, high] = [within(found.mean - half), within(found.mean + half)];
        return { value, share: within(found.mean), low, high };
      }),
    })),
  };
  return { importance, tell: (row) => process.meanAt(placed(row)) };
}

/** Each fold is foretold by a process that is fitted anew to the others; points stand in a drawn order already. */
function heldOut(
  rows: readonly (readonly number[])[],
  shares: readonly number[],
  isKind: readonly boolean[],
  { at }: GaussianProcess,
): number {
  const errors = Array.from({ length: FOLDS }, (_, fold) => {
    const isIn = (_one: unknown, point: number): boolean => point % FOLDS !== fold;
    const known = shares.filter(isIn);
    const fitted = gaussianProcess(rows.filter(isIn), known, isKind, [at]);
    const mean = momentsOf(known).mean;
    return rows.map((row, point) => {
      const error = (fitted?.meanAt(row) ?? mean) - (shares[point] ?? 0);
      return isIn(row, point) ? 0 : error * error;
    });
  });
  return 1 - errors.flat().reduce((sum, one) => sum + one, 0) / momentsOf(shares).squares;
}
