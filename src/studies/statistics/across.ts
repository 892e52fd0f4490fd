/** What the runs of a point come to where it is not their mean: a quantile, the worst, a mean of times to an event. */
import type { Across } from "../outcomes/outcome.ts";
import { pairedBySeed, type Result } from "./fold.ts";
import {
  CONFIDENCE,
  doubtful,
  type Estimate,
  meanInterval,
  pairedInterval,
  plainInterval,
  quantileInterval,
  quantileNeeds,
  quantileOf,
  quantileRanks,
} from "./intervals.ts";
import { logRank, restrictedMeans } from "./survival.ts";

type Known = Result & { readonly value: number };

const knownOf = (results: readonly Result[]): readonly Known[] =>
  results.filter((one): one is Known => one.value !== null);

/** Null where no run gave a value. */
export function acrossEstimate(
  across: Across,
  results: readonly Result[],
  confidence = CONFIDENCE,
): Estimate | null {
  const known = knownOf(results);
  if (known.length === 0) return null;
  switch (across.kind) {
    case "quantile":
      return quantileBetween(known, across.share, confidence);
    case "worst": {
      const values = known.map(({ value }) => value);
      const isHigh = across.side === "highest";
      const worst = values.reduce((a, b) => (isHigh ? Math.max(a, b) : Math.min(a, b)));
      return doubtful(`${across.side} seen`, worst, values.length, confidence, "onlySeen");
    }
    case "restricted": {
      const method = `mean up to ${across.limit}, Kaplan–Meier`;
      const found = restrictedMeans(known, across.limit);
      const { length: n } = known;
      if (found === null) {
        const values = known.map(({ value }) => Math.min(value, across.limit));
        const least = values.reduce((sum, one) => sum + one, 0) / n;
        return doubtful(method, least, n, confidence, "bounds");
      }
      // Their mean is the estimate but for what the jackknife finds of its bias, which is none.
      const { low, high, doubt } = meanInterval(found.pseudo, confidence);
      return { method, n, confidence, estimate: found.mean, low, high, doubt, p: null };
    }
  }
}

/** Point less baseline; null where either has no value, or no interval can be had of a difference. */
export function acrossDifference(
  across: Across,
  baseline: readonly Result[],
  point: readonly Result[],
  {
    isPaired,
    confidence = CONFIDENCE,
  }: { readonly isPaired: boolean; readonly confidence?: number },
): Estimate | null {
  const [base, own] = [knownOf(baseline), knownOf(point)];
  if (base.length === 0 || own.length === 0 || across.kind === "worst") return null;
  if (across.kind === "quantile") {
    // Each side may miss half as often, so that both hold at once, whatever seeds have in common.
    const half = (1 + confidence) / 2;
    const [a, b] = [base, own].map((side) => quantileBetween(side, across.share, half));
    if (a === undefined || b === undefined) return null;
    const n = Math.min(a.n, b.n);
    const estimate = b.estimate - a.estimate;
    const method = `difference of quantiles ${across.share}, ranks`;
    const none = { ...doubtful(method, estimate, n, confidence, b.doubt ?? a.doubt ?? "tooFew") };
    const needs = b.needs ?? a.needs;
    if (a.low === null || a.high === null || b.low === null || b.high === null) {
      return { ...none, ...(needs === undefined ? {} : { needs }) };
    }
    const [low, high] = [b.low - a.high, b.high - a.low];
    return { method, n, confidence, estimate, low, high, doubt: null, p: null };
  }
  const [a, b] = [restrictedMeans(base, across.limit), restrictedMeans(own, across.limit)];
  if (a === null || b === null) return null;
  const withPseudo = (side: readonly Known[], pseudo: readonly number[]): readonly Result[] =>
    side.map((one, at) => ({ ...one, value: pseudo[at] ?? 0 }));
  if (isPaired) {
    const pairs = pairedBySeed(withPseudo(base, a.pseudo), withPseudo(own, b.pseudo));
    if (pairs.length === 0) return null;
    const method = `paired difference of means up to ${across.limit}, Kaplan–Meier`;
    return { ...pairedInterval(pairs, confidence), method };
  }
  const method = `plain difference of means up to ${across.limit}, Kaplan–Meier; log-rank`;
  const found = plainInterval(a.pseudo, b.pseudo, confidence);
  return { ...found, method, p: found.p === null ? null : logRank(base, own) };
}

/**
 * The low limit takes bounds for values, as no value is below its bound; the high one takes them for infinite. Where a bound is sure
 * on neither side, it is infinite either way.
 */
function quantileBetween(known: readonly Known[], share: number, confidence: number): Estimate {
  const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const sorted = (of: (one: Known) => number) => known.map(of).sort((a, b) => a - b);
  const values = sorted(({ value }) => value);
  if (known.every(({ bound }) => bound === undefined)) {
    return quantileInterval(values, share, confidence);
  }
  const lows = sorted(({ value, bound }) => (bound === "either" ? least : value));
  const highs = sorted(({ value, bound }) => (bound === undefined ? value : most));
  const { length: n } = known;
  const method = `quantile ${share}, ranks`;
  const estimate = quantileOf(values, share);
  const none = (doubt: "tooFew" | "bounds") => doubtful(method, estimate, n, confidence, doubt);
  const ranks = quantileRanks(n, share, confidence);
  if (ranks === null) return { ...none("tooFew"), needs: quantileNeeds(share, confidence) };
  const [low = least, high = most] = [lows[ranks.low], highs[ranks.high]];
  if (low === least || high === most) return none("bounds");
  return {
    method,
    n,
    confidence,
    estimate,
    low,
    high,
    doubt: low === high ? "noVariance" : null,
    p: null,
  };
}

/** What a search goes by; null where it rests on bounds. */
export function acrossValue(across: Across, results: readonly Result[]): number | null {
  const known = knownOf(results);
  if (known.length === 0 || known.some(({ bound }) => bound === "either")) return null;
  if (across.kind === "restricted") return restrictedMeans(known, across.limit)?.mean ?? null;
  const sorted = (bounds: number | null) =>
    known
      .map(({ value, bound }) => (bound === undefined ? value : (bounds ?? value)))
      .sort((a, b) => a - b);
  const of = (values: readonly number[]): number => {
    if (across.kind === "quantile") return quantileOf(values, across.share);
    return values.at(across.side === "highest" ? -1 : 0) ?? 0;
  };
  const value = of(sorted(null));
  return of(sorted(Number.POSITIVE_INFINITY)) === value ? value : null;
}
