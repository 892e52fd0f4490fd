/**
 * How much more often something occurs in one group than in another, with Koopman's score interval: unlike that of the
 * logarithm it also stands where one of the groups has none, and covers more evenly in small ones.
 * Source: P. A. R. Koopman, "Confidence intervals for the ratio of two binomial proportions", Biometrics 40
 * (1984) 513–517.
 */
import { assert } from "../../substrate/assert.ts";
import { CONFIDENCE } from "./intervals.ts";
import { normalQuantile } from "./quantiles.ts";

/** So many of so many. */
export interface Hits {
  readonly hits: number;
  readonly n: number;
}

export interface RiskRatio {
  readonly method: string;
  readonly confidence: number;
  /** The first group's share by the second's; null where it has no bound: the second has none. */
  readonly ratio: number | null;
  /** Null where the groups say nothing: one is empty, or neither has any. */
  readonly low: number | null;
  /** Null where there is no bound. */
  readonly high: number | null;
}

/** Of the share of `first` by that of `second`. */
export function riskRatio(first: Hits, second: Hits, confidence = CONFIDENCE): RiskRatio {
  for (const { hits, n } of [first, second]) {
    assert(hits >= 0 && hits <= n && Number.isInteger(hits), "hits are counted among n");
  }
  const method = "ratio of proportions, Koopman";
  const isSilent = first.n === 0 || second.n === 0 || first.hits + second.hits === 0;
  if (isSilent) return { method, confidence, ratio: null, low: null, high: null };
  const z = normalQuantile(0.5 + confidence / 2);
  const ratio = second.hits === 0 ? null : first.hits / first.n / (second.hits / second.n);
  const isPassed = (tried: number): boolean => distance(first, second, tried) > z * z;
  // The distance grows to either side of the ratio found.
  const start = Math.log(ratio === null || ratio === 0 ? 1 : ratio);
  const low = first.hits === 0 ? 0 : bound(isPassed, ratio === null ? REACH : start, -REACH);
  const high = second.hits === 0 ? null : bound(isPassed, ratio === 0 ? -REACH : start, REACH);
  return { method, confidence, ratio, low, high };
}

/** Logarithms of ratios that are tried: no counts below a million lead farther. */
const REACH = 40;
const HALVINGS = 200;

/** Where it is first passed between a logarithm at which it is not, and one far outside. */
function bound(isPassed: (ratio: number) => boolean, within: number, outside: number): number {
  let [near, far] = [within, outside];
  for (let step = 0; step < HALVINGS && near !== far; step++) {
    const middle = (near + far) / 2;
    if (middle === near || middle === far) break;
    if (isPassed(Math.exp(middle))) far = middle;
    else near = middle;
  }
  return Math.exp((near + far) / 2);
}

/** Koopman's chi-squared of a ratio, at the shares that are most likely where it holds. */
function distance(first: Hits, second: Hits, ratio: number): number {
  const { hits: x, n: m } = first;
  const { hits: y, n } = second;
  const sum = ratio * (m + y) + x + n;
  const root = Math.sqrt(Math.max(0, sum * sum - 4 * ratio * (m + n) * (x + y)));
  // Its other form keeps the digits that a difference of the two would lose.
  const share = Math.min(1, (2 * ratio * (x + y)) / (sum + root));
  return pearson(first, share) + pearson(second, Math.min(1, share / ratio));
}

/** How far a group is from what a share leads to expect. */
function pearson({ hits, n }: Hits, share: number): number {
  const off = hits - n * share;
  const spread = n * share * (1 - share);
  if (spread > 0) return (off * off) / spread;
  return off === 0 ? 0 : Number.POSITIVE_INFINITY;
}
