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
import { binomialAtMost, normalQuantile } from "./quantiles.ts";

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

/** What an outcome is: a number, or a share of the runs, each of which says yes (1) or no (0). */
export type Kind = "number" | "share";

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

/** Of one outcome at one point. */
export const valuesInterval = (
  values: readonly number[],
  kind: Kind,
  confidence = CONFIDENCE,
): Estimate =>
  kind === "share"
    ? proportionInterval(hitsIn(values), values.length, confidence)
    : meanInterval(values, confidence);

/** Of a point's difference from the baseline, on the seeds both have. */
export const pairsInterval = (
  pairs: readonly Pair[],
  kind: Kind,
  confidence = CONFIDENCE,
): Estimate =>
  kind === "share"
    ? pairedProportionInterval(pairs, confidence)
    : pairedInterval(pairs, confidence);

/** The same, of different seeds or without regard to them. */
export const plainDifference = (
  baseline: readonly number[],
  point: readonly number[],
  kind: Kind,
  confidence = CONFIDENCE,
): Estimate =>
  kind === "share"
    ? plainProportionInterval(baseline, point, confidence)
    : plainInterval(baseline, point, confidence);
