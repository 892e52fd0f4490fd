/** Proportions with intervals that never have a width of zero, and their differences. */
import type { Pair } from "./fold.ts";
import {
  CONFIDENCE,
  doubtful,
  type Estimate,
  meanInterval,
  pairedInterval,
  plainInterval,
} from "./intervals.ts";
import { betaQuantile, binomialAtMost, normalQuantile } from "./quantiles.ts";

interface Score {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** Wilson's score interval, without correction for continuity. */
function wilson(hits: number, n: number, confidence: number): Score {
  const z = normalQuantile(0.5 + confidence / 2);
  const share = hits / n;
  const centre = hits + (z * z) / 2;
  const half = z * Math.sqrt((hits * (n - hits)) / n + (z * z) / 4);
  const [low, high] = [(centre - half) / (n + z * z), (centre + half) / (n + z * z)];
  return { share, low: hits === 0 ? 0 : low, high: hits === n ? 1 : high };
}

const hitsIn = (values: readonly number[]): number => values.filter((value) => value === 1).length;

/**
 * What an outcome is: a number; a number that is a share in each run, so that its mean lies within 0 … 1; or a share of the
 * runs, each of which says yes (1) or no (0).
 */
export type Kind = "number" | "within" | "share";

/** By all values of an outcome in a study: a few of one point may be noughts and ones by chance. */
export const kindOf = (values: readonly number[]): Kind =>
  values.length > 0 && values.every((value) => value === 0 || value === 1) ? "share" : "number";

/** Of a share of runs, Wilson's. */
export function proportionInterval(hits: number, n: number, confidence = CONFIDENCE): Estimate {
  const method = "proportion, Wilson";
  if (n === 0) return doubtful(method, 0, n, confidence, "tooFew");
  const { share: estimate, low, high } = wilson(hits, n, confidence);
  return { method, n, confidence, estimate, low, high, doubt: null, p: null };
}

/** Newcombe's squared distance: both scores' distances from their shares, less what they have in common. */
const apart = (a: number, b: number, common: number): number =>
  Math.sqrt(Math.max(0, a * a - 2 * common * a * b + b * b));

function newcombe(baseline: Score, point: Score, common: number) {
  const estimate = point.share - baseline.share;
  const below = apart(point.share - point.low, baseline.high - baseline.share, common);
  const above = apart(point.high - point.share, baseline.share - baseline.low, common);
  return { estimate, low: Math.max(-1, estimate - below), high: Math.min(1, estimate + above) };
}

interface PairCounts {
  readonly both: number;
  readonly onlyBaseline: number;
  readonly onlyPoint: number;
  readonly neither: number;
}

function countsOf(pairs: readonly Pair[]): PairCounts {
  const count = (b: number, p: number) => pairs.filter(([x, y]) => x === b && y === p).length;
  return {
    both: count(1, 1),
    onlyBaseline: count(1, 0),
    onlyPoint: count(0, 1),
    neither: count(0, 0),
  };
}

/** The correlation of the pairs, drawn towards zero as Newcombe's method 10 has it. */
function correlation({ both, onlyBaseline, onlyPoint, neither }: PairCounts): number {
  const n = both + onlyBaseline + onlyPoint + neither;
  const margins =
    (both + onlyBaseline) * (onlyPoint + neither) * (both + onlyPoint) * (onlyBaseline + neither);
  if (margins === 0) return 0;
  const crossed = both * neither - onlyBaseline * onlyPoint;
  const drawn = crossed > 0 ? Math.max(crossed - n / 2, 0) : crossed;
  return drawn / Math.sqrt(margins);
}

/** McNemar's exact test: only pairs that differ say anything. */
function mcNemar({ onlyBaseline, onlyPoint }: PairCounts): number {
  const differing = onlyBaseline + onlyPoint;
  if (differing === 0) return 1;
  return Math.min(1, 2 * binomialAtMost(Math.min(onlyBaseline, onlyPoint), differing, 0.5));
}

/** Of the difference of two shares on the same seeds, point less baseline: Newcombe's method 10 for pairs. */
export function pairedProportionInterval(
  pairs: readonly Pair[],
  confidence = CONFIDENCE,
): Estimate {
  const method = "paired difference of proportions, Newcombe";
  const n = pairs.length;
  if (n === 0) return doubtful(method, 0, n, confidence, "tooFew");
  const counts = countsOf(pairs);
  const found = newcombe(
    wilson(counts.both + counts.onlyBaseline, n, confidence),
    wilson(counts.both + counts.onlyPoint, n, confidence),
    correlation(counts),
  );
  return { method, n, confidence, ...found, doubt: null, p: mcNemar(counts) };
}

/** The same of shares on different seeds. */
export function plainProportionInterval(
  baseline: readonly number[],
  point: readonly number[],
  confidence = CONFIDENCE,
): Estimate {
  const method = "plain difference of proportions, Newcombe";
  const n = Math.min(baseline.length, point.length);
  if (n === 0) return doubtful(method, 0, n, confidence, "tooFew");
  const found = newcombe(
    wilson(hitsIn(baseline), baseline.length, confidence),
    wilson(hitsIn(point), point.length, confidence),
    0,
  );
  return { method, n, confidence, ...found, doubt: null, p: null };
}

/**
 * Of the mean of values within 0 … 1. Where all are alike Student's t claims nothing: no such values vary by more than noughts
 * and ones of the same mean, so Wilson's interval of that mean holds at least as often as it says.
 */
function withinInterval(values: readonly number[], confidence: number): Estimate {
  const found = meanInterval(values, confidence);
  const named = found.doubt === null ? { ...found, method: "mean of shares, t" } : found;
  const other = { ...scoreOf(values, confidence), method: "mean of shares, Wilson" };
  return withinBounds(named, 0, other);
}

/** Of a difference of such means. */
function withinDifference(
  found: Estimate,
  [baseline, point]: readonly [readonly number[], readonly number[]],
  confidence: number,
): Estimate {
  const { low, high } = newcombe(scoreOf(baseline, confidence), scoreOf(point, confidence), 0);
  return withinBounds(found, -1, { low, high, method: "difference of shares, Newcombe" });
}

/** Student's, which is at least `least` and at most 1; the other where nothing varies. */
function withinBounds(
  found: Estimate,
  least: number,
  other: Pick<Estimate, "low" | "high" | "method">,
): Estimate {
  const { doubt, low, high } = found;
  if (doubt === "noVariance") return { ...found, ...other, doubt: null };
  if (low === null || high === null) return found;
  return { ...found, low: Math.max(least, low), high: Math.min(1, high) };
}

/** As if the values were noughts and ones of the same mean. */
function scoreOf(values: readonly number[], confidence: number): Score {
  const n = values.length;
  return wilson(
    values.reduce((sum, value) => sum + value, 0),
    n,
    confidence,
  );
}

/** How many runs it takes until Wilson's interval of such a share is at most so wide to either side. */
export function runsFor(share: number, halfWidth: number, confidence = CONFIDENCE): number {
  const isNarrow = (n: number): boolean => {
    const { low, high } = wilson(share * n, n, confidence);
    return (high - low) / 2 <= halfWidth;
  };
  let [least, most] = [1, 1];
  while (!isNarrow(most)) [least, most] = [most, most * 2];
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (isNarrow(middle)) most = middle;
    else least = middle;
  }
  return most;
}

/** What happens in fewer of the runs than this share may be missed in all of n, as often as the confidence leaves. */
export const missedBelow = (n: number, confidence = CONFIDENCE): number =>
  -Math.expm1(Math.log1p(-confidence) / n);

/**
 * The most probable that a violation may be, one-sided, where `broken` of `n` runs had one: Clopper and Pearson's.
 * With none broken it is 1 − (1 − confidence)^(1/n), which the rule of three, 3/n, comes near.
 */
export const violationBound = (broken: number, n: number, confidence = CONFIDENCE): number =>
  broken >= n ? 1 : betaQuantile(confidence, broken + 1, n - broken);

/** Of one outcome at one point. */
export function valuesInterval(
  values: readonly number[],
  kind: Kind,
  confidence = CONFIDENCE,
): Estimate {
  if (kind === "share") return proportionInterval(hitsIn(values), values.length, confidence);
  return kind === "within" ? withinInterval(values, confidence) : meanInterval(values, confidence);
}

/** Of a point's difference from the baseline, on the seeds both have. */
export function pairsInterval(
  pairs: readonly Pair[],
  kind: Kind,
  confidence = CONFIDENCE,
): Estimate {
  if (kind === "share") return pairedProportionInterval(pairs, confidence);
  const found = pairedInterval(pairs, confidence);
  if (kind === "number") return found;
  const sides = [pairs.map(([baseline]) => baseline), pairs.map(([, point]) => point)] as const;
  return withinDifference(found, sides, confidence);
}

/** The same, of different seeds or without regard to them. */
export function plainDifference(
  baseline: readonly number[],
  point: readonly number[],
  kind: Kind,
  confidence = CONFIDENCE,
): Estimate {
  if (kind === "share") return plainProportionInterval(baseline, point, confidence);
  const found = plainInterval(baseline, point, confidence);
  return kind === "number" ? found : withinDifference(found, [baseline, point], confidence);
}
