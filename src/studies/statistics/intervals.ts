/** Estimates with intervals: of means and their differences. Where none can be claimed, it says why. */
import { assert } from "../../substrate/assert.ts";
import { momentsOf, type Pair, varianceOf } from "./fold.ts";
import { binomialAtMost, tBothTails, tQuantile } from "./quantiles.ts";

/** What studies claim unless asked otherwise, as the literature does. */
export const CONFIDENCE = 0.95;

/** Why no interval is claimed: a width of zero would say that nothing is left to chance. */
export type Doubt =
  | "tooFew"
  | "noVariance"
  /** The worst that was seen, of which no interval speaks. */
  | "onlySeen"
  /** It rests on values of which only a bound is known. */
  | "bounds";

export interface Estimate {
  /** Its name as it is printed. */
  readonly method: string;
  readonly n: number;
  readonly confidence: number;
  readonly estimate: number;
  /** Both null where `doubt` says why. */
  readonly low: number | null;
  readonly high: number | null;
  readonly doubt: Doubt | null;
  /** How probable a difference at least so large is where there is none; null where that is not asked. */
  readonly p: number | null;
  /** Where there are too few: how many there must be. */
  readonly needs?: number;
}

/** An estimate without an interval. */
export const doubtful = (
  method: string,
  estimate: number,
  n: number,
  confidence: number,
  doubt: Doubt,
): Estimate => ({ method, n, confidence, estimate, low: null, high: null, doubt, p: null });

/**
 * Ours: values that are further apart than so much of the largest differ by more than rounding. Sums of thousands of
 * terms, as means over time are, round by less.
 */
const ROUNDING = 2 ** -40;

const largest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Whether values differ by more than the rounding of what they were made of, whose largest is `scale`. */
export function doVary(values: readonly number[], scale = largest(values)): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most - least > ROUNDING * scale;
}

/** Whether the differences of pairs do, which are rounded as the values are and not as they themselves. */
export const doPairsVary = (pairs: readonly Pair[]): boolean =>
  doVary(
    pairs.map(([baseline, point]) => point - baseline),
    largest(pairs.flat()),
  );

interface Student extends Pick<Estimate, "method" | "n" | "estimate"> {
  readonly error: number;
  readonly freedom: number;
  /** Whether zero is what is doubted. */
  readonly isDifference: boolean;
  /** Whether the values it is of differ at all. */
  readonly isVaried: boolean;
}

function student(of: Student, confidence: number): Estimate {
  const { method, n, estimate, error, freedom, isDifference, isVaried } = of;
  assert(Number.isFinite(estimate), "an outcome is a finite number, or there is none");
  if (n < 2) return doubtful(method, estimate, n, confidence, "tooFew");
  if (!isVaried) return doubtful(method, estimate, n, confidence, "noVariance");
  const half = tQuantile(0.5 + confidence / 2, freedom) * error;
  const p = isDifference ? tBothTails(estimate / error, freedom) : null;
  const [low, high] = [estimate - half, estimate + half];
  return { method, n, confidence, estimate, low, high, doubt: null, p };
}

/** Of the mean, with Student's t. */
export const meanInterval = (values: readonly number[], confidence = CONFIDENCE): Estimate =>
  student({ method: "mean, t", ...meanOf(values), isVaried: doVary(values) }, confidence);

/** Of the mean difference of pairs, point less baseline, with Student's t. */
export function pairedInterval(pairs: readonly Pair[], confidence = CONFIDENCE): Estimate {
  const found = meanOf(pairs.map(([baseline, point]) => point - baseline));
  const [isDifference, isVaried] = [true, doPairsVary(pairs)];
  return student({ method: "paired difference, t", ...found, isDifference, isVaried }, confidence);
}

function meanOf(values: readonly number[]) {
  const moments = momentsOf(values);
  const { n, mean: estimate } = moments;
  const error = Math.sqrt(varianceOf(moments) / n);
  return { n, estimate, error, freedom: n - 1, isDifference: false };
}

/** Of the difference of two means, point less baseline, whatever their variances: Welch's, unpaired. */
export function plainInterval(
  baseline: readonly number[],
  point: readonly number[],
  confidence = CONFIDENCE,
): Estimate {
  const [a, b] = [momentsOf(baseline), momentsOf(point)];
  const [va, vb] = [varianceOf(a) / a.n, varianceOf(b) / b.n];
  const parts = (va * va) / (a.n - 1) + (vb * vb) / (b.n - 1);
  return student(
    {
      method: "plain difference, Welch",
      n: Math.min(a.n, b.n),
      estimate: b.mean - a.mean,
      error: Math.sqrt(va + vb),
      freedom: ((va + vb) * (va + vb)) / parts,
      isDifference: true,
      isVaried: doVary(baseline) || doVary(point),
    },
    confidence,
  );
}

/**
 * Of a quantile, by ranks: whatever the distribution, it covers at least as often as it says. Both limits leave out equal shares
 * where they can. Far out in a tail the limit there takes what it needs of them, and the other has what is left.
 */
export function quantileInterval(
  values: readonly number[],
  share: number,
  confidence = CONFIDENCE,
): Estimate {
  const method = `quantile ${share}, ranks`;
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  const estimate = quantileOf(sorted, share);
  const ranks = quantileRanks(n, share, confidence);
  const [low, high] = [sorted[ranks?.low ?? -1], sorted[ranks?.high ?? -1]];
  if (low === undefined || high === undefined) {
    const needs = quantileNeeds(share, confidence);
    return { ...doubtful(method, estimate, n, confidence, "tooFew"), needs };
  }
  if (low === high) return doubtful(method, estimate, n, confidence, "noVariance");
  return { method, n, confidence, estimate, low, high, doubt: null, p: null };
}

/** By the line between the two values beside it. */
export function quantileOf(sorted: readonly number[], share: number): number {
  assert(share > 0 && share < 1, "a quantile lies between 0 and 1");
  const at = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  // Two equal ones have no line between them, where they are infinite.
  return below === above ? below : below + (above - below) * (at - Math.floor(at));
}

/** Places among n sorted values between which the quantile lies; null where there are too few. */
export function quantileRanks(
  n: number,
  share: number,
  confidence = CONFIDENCE,
): { readonly low: number; readonly high: number } | null {
  if (n < 1) return null;
  // How probable it is that the quantile is above the last value, and below the first.
  const [above, below] = [1 - binomialAtMost(n - 1, n, share), binomialAtMost(0, n, share)];
  const missed = 1 - confidence;
  if (above + below > missed) return null;
  const isEqual = Math.max(above, below) <= missed / 2;
  const over = isEqual ? missed / 2 : above > below ? above : missed - below;
  const under = isEqual ? missed / 2 : above > below ? missed - above : below;
  const ranks = Array.from({ length: n }, (_, rank) => rank);
  const low = ranks.findLastIndex((rank) => binomialAtMost(rank, n, share) <= under);
  const high = ranks.findIndex((rank) => 1 - binomialAtMost(rank, n, share) <= over);
  return { low, high };
}

/** How many values the ranks take: 59 for a quantile of .95. */
export function quantileNeeds(share: number, confidence = CONFIDENCE): number {
  let n = 1;
  for (let [above, below] = [share, 1 - share]; above + below > 1 - confidence; n += 1) {
    above *= share;
    below *= 1 - share;
  }
  return n;
}
