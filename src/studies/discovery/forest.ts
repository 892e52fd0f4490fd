/**
 * A random forest (Breiman 2001) over the points of a study: how far their factors foretell the share of runs in which an outcome holds,
 * how much each factor matters to that, and along which way. Errors are of points that a tree has not seen (out of bag).
 */
import { shuffled } from "../sample/cubePoints.ts";
import { bootstrapStream, drawnAgain } from "../statistics/bootstrap.ts";
import { momentsOf, varianceOf } from "../statistics/fold.ts";
import { quantileOf } from "../statistics/intervals.ts";
import type { Cases, Column } from "./cases.ts";

/** scikit-learn's number of trees; ours: how often a factor is shuffled, the levels at which it is held, and how few points say nothing. */
const TREES = 100;
const SHUFFLES = 10;
const LEVELS_MOST = 9;
export const POINTS_LEAST = 8;

export type Value = number | string;
export type Row = readonly Value[];

type Tree =
  | { readonly mean: number }
  | {
      readonly at: number;
      /** A number is at most this on the left; of a category it is this. */
      readonly cut: Value;
      readonly left: Tree;
      readonly right: Tree;
    };

/** What is foretold where all points have one value of a factor, the others as they are. */
export interface Held {
  readonly value: Value;
  readonly share: number;
  /** Of a forest, between them nineteen of twenty trees lie. */
  readonly low: number;
  readonly high: number;
}

export interface FactorImportance {
  readonly factor: string;
  /** By how much the error grows where the factor's values are shuffled, over the variance of the shares; mean and deviation. */
  readonly importance: number;
  readonly deviation: number;
  readonly held: readonly Held[];
}

export interface Importance {
  readonly trees: number;
  /** Of the variance of the shares: what is foretold of points out of bag. At 0 or below, the forest knows nothing. */
  readonly explained: number;
  /** In the order of the factors. */
  readonly factors: readonly FactorImportance[];
}

/** How much factors matter, by something that stands in for the runs. */
export interface Surrogate<Matters> {
  readonly importance: Matters;
  /** The share at a row of factors. */
  readonly tell: (row: Row) => number;
}

/** Null where points are too few, or all have the same share, so that there is nothing to foretell. */
export function forestOf(
  { columns, runs, hits }: Cases,
  seed: number,
): Surrogate<Importance> | null {
  const rows: readonly Row[] = runs.map((_, point) =>
    columns.map((column) => column.values[point] ?? 0),
  );
  const shares = runs.map((count, point) => (hits[point] ?? 0) / count);
  const { squares } = momentsOf(shares);
  if (rows.length < POINTS_LEAST || !(squares > 0)) return null;
  const stream = bootstrapStream(seed, "forest");
  const trees = Array.from({ length: TREES }, () => {
    const drawn = drawnAgain(stream, rows.length);
    const seen = new Set(drawn);
    return {
      tree: grown(columns, rows, shares, drawn),
      isSeen: (point: number) => seen.has(point),
    };
  });
  /** Squared errors out of bag, over the variance; with other values of one factor, where some are given. */
  const error = (at = -1, values: readonly Value[] = []): number => {
    let [sum, total] = [0, 0];
    for (const [point, row] of rows.entries()) {
      let [own, count] = [0, 0];
      for (const { tree, isSeen } of trees) {
        if (isSeen(point)) continue;
        own += told(tree, row, at, values[point]);
        count += 1;
      }
      if (count === 0) continue;
      sum += (own / count - (shares[point] ?? 0)) ** 2;
      total += 1;
    }
    return total === 0 ? 1 : ((sum / total) * rows.length) / squares;
  };
  const plain = error();
  const factors = columns.map((column, at): FactorImportance => {
    const rises = Array.from({ length: SHUFFLES }, () => {
      const order = shuffled(rows.length, stream);
      const values = order.map((point) => column.values[point] ?? 0);
      return error(at, values) - plain;
    });
    const moments = momentsOf(rises);
    return {
      factor: column.name,
      ...{ importance: moments.mean, deviation: Math.sqrt(varianceOf(moments)) },
      held: levelsOf(column).map((value) => {
        const means = trees
          .map(({ tree }) => {
            let sum = 0;
            for (const row of rows) sum += told(tree, row, at, value);
            return sum / rows.length;
          })
          .sort((a, b) => a - b);
        const share = means.reduce((a, b) => a + b, 0) / means.length;
        return { value, share, low: quantileOf(means, 0.025), high: quantileOf(means, 0.975) };
      }),
    };
  });
  return {
    importance: { trees: TREES, explained: 1 - plain, factors },
    tell: (row) => trees.reduce((sum, { tree }) => sum + told(tree, row, -1, undefined), 0) / TREES,
  };
}

/** All values, or of many those at even ranks. */
export function levelsOf(column: Column): readonly Value[] {
  const own: readonly Value[] = column.values;
  const sorted = [...new Set(own)].sort((a, b) => (a < b ? -1 : 1));
  if (column.kind === "category" || sorted.length <= LEVELS_MOST) return sorted;
  const last = sorted.length - 1;
  return Array.from(
    { length: LEVELS_MOST },
    (_, level) => sorted[Math.round((level * last) / (LEVELS_MOST - 1))] ?? 0,
  );
}

/** Of one factor another value, where there is one. */
function told(tree: Tree, row: Row, other: number, value: Value | undefined): number {
  let at = tree;
  while (!("mean" in at)) {
    const own = at.at === other && value !== undefined ? value : (row[at.at] ?? 0);
    at = isLeft(at.cut, own) ? at.left : at.right;
  }
  return at.mean;
}

const isLeft = (cut: Value, value: Value): boolean =>
  typeof cut === "number" && typeof value === "number" ? value <= cut : value === cut;

/** Until all of a leaf are alike, or no cut tells them apart: the cut that lessens the squares most, as scikit-learn has it. */
function grown(
  columns: readonly Column[],
  rows: readonly Row[],
  shares: readonly number[],
  points: readonly number[],
): Tree {
  const { mean, squares } = momentsOf(points.map((point) => shares[point] ?? 0));
  if (!(squares > 1e-12)) return { mean };
  let best: { readonly gain: number; readonly at: number; readonly cut: Value } | undefined;
  for (const [at, column] of columns.entries()) {
    const byValue = new Map<Value, { count: number; sum: number }>();
    for (const point of points) {
      const value = rows[point]?.[at] ?? 0;
      const own = byValue.get(value) ?? { count: 0, sum: 0 };
      own.count += 1;
      own.sum += (shares[point] ?? 0) - mean;
      byValue.set(value, own);
    }
    const sorted = [...byValue].sort(([a], [b]) => (a < b ? -1 : 1));
    let [count, sum] = [0, 0];
    for (const [place, [value, own]] of sorted.entries()) {
      const isNumber = column.kind === "number";
      [count, sum] = isNumber ? [count + own.count, sum + own.sum] : [own.count, own.sum];
      if (count === points.length || (isNumber && place === sorted.length - 1)) break;
      // Values are taken from their mean, so the other side's sum is the same, less.
      const gain = (sum * sum) / count + (sum * sum) / (points.length - count);
      if (gain <= (best?.gain ?? 0)) continue;
      const next = sorted[place + 1]?.[0];
      const cut = isNumber && typeof next === "number" ? (Number(value) + next) / 2 : value;
      best = { gain, at, cut };
    }
  }
  if (best === undefined) return { mean };
  const { at, cut } = best;
  const side = (isWanted: boolean) =>
    points.filter((point) => isLeft(cut, rows[point]?.[at] ?? 0) === isWanted);
  const [left, right] = [side(true), side(false)];
  if (left.length === 0 || right.length === 0) return { mean };
  return {
    at,
    cut,
    left: grown(columns, rows, shares, left),
    right: grown(columns, rows, shares, right),
  };
}
