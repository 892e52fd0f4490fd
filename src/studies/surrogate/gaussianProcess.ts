/**
 * Regression by a Gaussian process (Rasmussen and Williams 2006, algorithm 2.1 and section 5.4): Matérn's kernel of 5/2 with a length for each
 * coordinate (ARD), and noise. All of them are where the marginal likelihood is greatest, sought from fixed starts.
 */
import { naturalLog } from "../../machines/naturalLog.ts";
import { momentsOf } from "../statistics/fold.ts";
import { ascended } from "./ascent.ts";
import { cholesky, inverted, solved, solvedLower } from "./cholesky.ts";
import { exponential } from "./exponential.ts";

type Row = readonly number[];

export interface GaussianProcess {
  /** Of each coordinate: as far as this, values still say something of one another. */
  readonly lengths: readonly number[];
  /** Of the function, and of the noise of one value. */
  readonly variance: number;
  readonly noise: number;
  /** Where a search for the same of nearly the same values may start. */
  readonly at: Row;
  /** The logarithm of the marginal likelihood of the values, as they are. */
  readonly likelihood: number;
  readonly meanAt: (place: Row) => number;
  /** Of the mean of the function over places, without the noise of a value. */
  readonly foretold: (...places: readonly Row[]) => { mean: number; variance: number };
}

/**
 * Logarithms of a length, and of the noise over the variance, between which they are sought; coordinates go from 0 to 1. The least noise is
 * a jitter, too: with it the matrix of a few hundred rows has a factor, even where rows are equal.
 */
const LENGTH_BOUNDS = [naturalLog(0.01), naturalLog(100)] as const;
const NOISE_BOUNDS = [naturalLog(1e-6), naturalLog(10)] as const;
/** Ours: lengths and noises to start from. */
const STARTS = [
  [0.3, 1e-2],
  [1, 1e-4],
  [0.1, 0.1],
] as const;

/** Matérn's kernel of 5/2 from √5 times the distance, and its slope over a coordinate's share of the squared distance. */
const matern = (s: number): number => (1 + s + (s * s) / 3) * exponential(-s);
const maternSlope = (s: number): number => (5 / 3) * (1 + s) * exponential(-s);

/** Of kinds, of which `isKind` tells, two values are either the same or apart by one. */
const squared = (isKind: boolean | undefined, a = 0, b = 0): number =>
  isKind ? (a === b ? 0 : 1) : (a - b) * (a - b);

/** Null where values do not vary. `starts` are the `at` of others; fixed ones where absent. */
export function gaussianProcess(
  rows: readonly Row[],
  values: readonly number[],
  isKind: readonly boolean[],
  starts: readonly Row[] = STARTS.map(([length, noise]) => [
    ...isKind.map(() => naturalLog(length)),
    naturalLog(noise),
  ]),
): GaussianProcess | null {
  const n = rows.length;
  const { mean: middle, squares } = momentsOf(values);
  if (!(squares > 0)) return null;
  const scale = Math.sqrt(squares / n);
  const y = values.map((one) => (one - middle) / scale);
  const bounds = [...isKind.map(() => LENGTH_BOUNDS), NOISE_BOUNDS];
  const tops = starts.flatMap((start) => ascended(likelihood, start, bounds) ?? []);
  const [top] = tops.sort((a, b) => b.value - a.value);
  const model = top === undefined ? null : modelAt(top.at);
  if (top === undefined || model === null) return null;
  const { lower, weights, variance, inverse, noise } = model;
  const unit = scale * scale * variance;
  return {
    lengths: inverse.map((one) => 1 / Math.sqrt(one)),
    ...{ variance: unit, noise: noise * unit, at: top.at },
    likelihood: top.value - n * naturalLog(scale),
    meanAt: (place) => meanOf(rows.map((row) => meanKernel(row, [place]))),
    foretold(...places) {
      const near = rows.map((row) => meanKernel(row, places));
      const known = solvedLower(lower, near).reduce((sum, one) => sum + one * one, 0);
      const within = places.reduce((sum, one) => sum + meanKernel(one, places), 0);
      const left = Math.max(0, within / places.length - known);
      return { mean: meanOf(near), variance: unit * left };
    },
  };

  function meanKernel(row: Row, places: readonly Row[]): number {
    let sum = 0;
    for (const place of places) sum += matern(apart(inverse, place, row));
    return sum / places.length;
  }

  function meanOf(near: readonly number[]): number {
    let sum = 0;
    for (let i = 0; i < n; i += 1) sum += (weights[i] ?? 0) * (near[i] ?? 0);
    return middle + scale * sum;
  }

  /** √5 times the distance, in lengths. */
  function apart(inverse: Row, a: Row = [], b: Row = []): number {
    let square = 0;
    for (let j = 0; j < inverse.length; j += 1) {
      square += (inverse[j] ?? 0) * squared(isKind[j], a[j], b[j]);
    }
    return Math.sqrt(5 * square);
  }

  /** The kernel's matrix in units of its variance, which is the likeliest one; null where it cannot be factored. */
  function modelAt(at: Row) {
    const inverse = isKind.map((_, j) => exponential(-2 * (at[j] ?? 0)));
    const noise = exponential(at[isKind.length] ?? 0);
    const root = new Float64Array(n * n);
    const matrix = new Float64Array(n * n);
    for (let a = 0; a < n; a += 1) {
      for (let b = 0; b < a; b += 1) {
        const s = apart(inverse, rows[a], rows[b]);
        root[a * n + b] = s;
        matrix[a * n + b] = matern(s);
      }
      matrix[a * n + a] = 1 + noise;
    }
    const lower = cholesky(matrix, n);
    if (lower === null) return null;
    const weights = solved(lower, y);
    const variance = y.reduce((sum, one, i) => sum + one * (weights[i] ?? 0), 0) / n;
    return { inverse, noise, root, lower, weights, variance };
  }

  function likelihood(at: Row) {
    const model = modelAt(at);
    if (model === null) return null;
    const { inverse, noise, root, lower, weights, variance } = model;
    const back = inverted(lower, n);
    const gradient = new Float64Array(inverse.length);
    let [volume, louder] = [0, 0];
    for (let a = 0; a < n; a += 1) {
      volume += naturalLog(lower[a * n + a] ?? 1);
      const own = weights[a] ?? 0;
      louder += ((own * own) / variance - (back[a * n + a] ?? 0)) * (noise / 2);
      for (let b = 0; b < a; b += 1) {
        const pull = (own * (weights[b] ?? 0)) / variance - (back[a * n + b] ?? 0);
        const slope = pull * maternSlope(root[a * n + b] ?? 0);
        for (let j = 0; j < inverse.length; j += 1) {
          const share = (inverse[j] ?? 0) * squared(isKind[j], rows[a]?.[j], rows[b]?.[j]);
          gradient[j] = (gradient[j] ?? 0) + slope * share;
        }
      }
    }
    const value = -(n / 2) * (naturalLog(2 * Math.PI * variance) + 1) - volume;
    return { value, gradient: [...gradient, louder] };
  }
}
