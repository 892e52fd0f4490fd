/**
 * When replicates end: where the paired interval of one outcome is narrow enough. It is decided from results in
 * the order of replicates and at the ends of batches, so it is the same whatever finished first; what ran past
 * that end stays unused.
 */
import { assert } from "../../substrate/assert.ts";
import type { Across } from "../outcomes/outcome.ts";
import { acrossDifference, acrossEstimate } from "./across.ts";
import { type Pair, pairedBySeed, type Result, valuesOf } from "./fold.ts";
import { CONFIDENCE, doPairsVary, doVary, type Estimate } from "./intervals.ts";
import { type Kind, pairsInterval, valuesInterval } from "./proportions.ts";

/** Below it a chance run of like values ends a study too soon, and Student's t leans on a normal mean. */
export const REPLICATES_LEAST = 30;

export interface StopRule {
  readonly halfWidth: number;
  readonly kind: Kind;
  /** Where the outcome is no mean. */
  readonly across?: Across | null;
  /** Replicates of one batch, as the study file says; never of how many workers there are. */
  readonly batch: number;
  /** Where replicates end at the latest. */
  readonly most: number;
  readonly confidence?: number;
}

interface PointStop {
  /** Replicates that count; while it is not ended, those that must be there before it is decided again. */
  readonly replicates: number;
  readonly ended: "narrow" | "most" | null;
}

export interface StopState {
  /** It runs as long as any point does. */
  readonly baseline: PointStop;
  /** In the given order. */
  readonly points: readonly PointStop[];
}

/** How many of the first replicates, counted from 0 without a gap, are there. */
function prefixOf(results: readonly Result[]): number {
  const there = new Set(results.map(({ replicate }) => replicate));
  let length = 0;
  while (there.has(length)) length += 1;
  return length;
}

const firstOf = (results: readonly Result[], n: number): Result[] =>
  results.filter(({ replicate }) => replicate < n).sort((a, b) => a.replicate - b.replicate);

const isNarrow = ({ low, high }: Estimate, halfWidth: number): boolean =>
  low !== null && high !== null && (high - low) / 2 <= halfWidth;

/** Shares have a width even where nothing varies; that is no reason to stop. */
function narrowPairs(base: readonly Result[], point: readonly Result[], rule: StopRule): boolean {
  const pairs: readonly Pair[] = pairedBySeed(base, point);
  if (pairs.length < REPLICATES_LEAST) return false;
  if (rule.across) {
    const { confidence = CONFIDENCE } = rule;
    const found = acrossDifference(rule.across, base, point, { isPaired: true, confidence });
    return found !== null && isNarrow(found, rule.halfWidth);
  }
  const confidence = rule.confidence ?? CONFIDENCE;
  return (
    doPairsVary(pairs) && isNarrow(pairsInterval(pairs, rule.kind, confidence), rule.halfWidth)
  );
}

function narrowValues(results: readonly Result[], rule: StopRule): boolean {
  const values = valuesOf(results);
  if (values.length < REPLICATES_LEAST) return false;
  if (rule.across) {
    const found = acrossEstimate(rule.across, results, rule.confidence);
    return found !== null && isNarrow(found, rule.halfWidth);
  }
  return (
    doVary(values) &&
    isNarrow(valuesInterval(values, rule.kind, rule.confidence ?? CONFIDENCE), rule.halfWidth)
  );
}

/** The first end of a batch at which it is narrow, of those that are there. */
function stopOf(rule: StopRule, there: number, isNarrowAt: (n: number) => boolean): PointStop {
  for (let n = Math.min(rule.batch, rule.most); ; n = Math.min(n + rule.batch, rule.most)) {
    if (n > there) return { replicates: n, ended: null };
    if (isNarrowAt(n)) return { replicates: n, ended: "narrow" };
    if (n === rule.most) return { replicates: n, ended: "most" };
  }
}

/** Where each point stands, by the results of the baseline and of the points; without points, the baseline by itself. */
export function stopState(
  rule: StopRule,
  baseline: readonly Result[],
  points: readonly (readonly Result[])[],
): StopState {
  assert(rule.batch >= 1 && rule.most >= 1, "a batch has at least one replicate");
  const base = prefixOf(baseline);
  if (points.length === 0) {
    const alone = stopOf(rule, base, (n) => narrowValues(firstOf(baseline, n), rule));
    return { baseline: alone, points: [] };
  }
  const stops = points.map((point) =>
    stopOf(rule, Math.min(base, prefixOf(point)), (n) =>
      narrowPairs(firstOf(baseline, n), firstOf(point, n), rule),
    ),
  );
  const longest = Math.max(...stops.map(({ replicates }) => replicates));
  const open = stops.some(({ ended }) => ended === null);
  const ended = open ? null : stops.some((one) => one.ended === "most") ? "most" : "narrow";
  return { baseline: { replicates: longest, ended }, points: stops };
}
