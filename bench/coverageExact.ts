/** How often intervals of shares hold the truth, without chance: summed over all that may be counted. */
import type { Pair } from "../src/studies/statistics/fold.ts";
import {
  pairedProportionInterval,
  plainProportionInterval,
  proportionInterval,
} from "../src/studies/statistics/proportions.ts";
import { BERNOULLI } from "./coverageOf.ts";

/** log n! for all n up to so many. */
function logFactorials(most: number): number[] {
  const logs = [0];
  for (let n = 1; n <= most; n += 1) logs.push((logs[n - 1] ?? 0) + Math.log(n));
  return logs;
}

/** Of Wilson's interval, where `share` of the runs say yes. */
export function wilsonHeld(share: number, n: number): number {
  const logs = logFactorials(n);
  const log = (k: number) => logs[k] ?? 0;
  let held = 0;
  for (let hits = 0; hits <= n; hits += 1) {
    const { low, high } = proportionInterval(hits, n);
    if ((low ?? 0) > share || share > (high ?? 1)) continue;
    const ways = log(n) - log(hits) - log(n - hits);
    held += Math.exp(ways + hits * Math.log(share) + (n - hits) * Math.log(1 - share));
  }
  return held;
}

/** Of Newcombe's interval for two shares on different seeds, or on the same ones where nothing joins them. */
export function plainHeld(baseline: number, point: number, n: number): number {
  const logs = logFactorials(n);
  const log = (k: number) => logs[k] ?? 0;
  const chance = (k: number, share: number) =>
    Math.exp(log(n) - log(k) - log(n - k) + k * Math.log(share) + (n - k) * Math.log(1 - share));
  const values = (k: number) => [...new Array(k).fill(1), ...new Array(n - k).fill(0)];
  const truth = point - baseline;
  let held = 0;
  for (let first = 0; first <= n; first += 1) {
    for (let second = 0; second <= n; second += 1) {
      const { low, high } = plainProportionInterval(values(first), values(second));
      if ((low ?? -1) > truth || truth > (high ?? 1)) continue;
      held += chance(first, baseline) * chance(second, point);
    }
  }
  return held;
}

/** The shares at which it is asked: .05 … .95. */
export const WILSON_SHARES: readonly number[] = Array.from(
  { length: 91 },
  (_, at) => (5 + at) / 100,
);

/** Of Newcombe's interval for pairs: over every table of n pairs. */
export function newcombeHeld(n: number): number {
  const { baseline, point, shared } = BERNOULLI;
  const together = shared * Math.min(baseline, point) + (1 - shared) * baseline * point;
  const cells = [together, baseline - together, point - together, 1 - baseline - point + together];
  const logs = logFactorials(n);
  const log = (k: number) => logs[k] ?? 0;
  const truth = point - baseline;
  let held = 0;
  for (let both = 0; both <= n; both += 1) {
    for (let first = 0; both + first <= n; first += 1) {
      for (let second = 0; both + first + second <= n; second += 1) {
        const counts = [both, first, second, n - both - first - second];
        const chance = counts.reduce(
          (sum, count, cell) => sum - log(count) + count * Math.log(cells[cell] ?? 0),
          log(n),
        );
        // What is this improbable adds nothing to a figure of one digit.
        if (chance < -30) continue;
        const { low, high } = pairedProportionInterval(pairsOf(counts));
        if ((low ?? -1) <= truth && truth <= (high ?? 1)) held += Math.exp(chance);
      }
    }
  }
  return held;
}

const KINDS: readonly Pair[] = [
  [1, 1],
  [1, 0],
  [0, 1],
  [0, 0],
];
const pairsOf = (counts: readonly number[]): Pair[] =>
  counts.flatMap((count, kind) => new Array<Pair>(count).fill(KINDS[kind] ?? [0, 0]));
