/** The spiral: over some window of time the load rises while capability falls, and neither comes back by itself. */
import type { Steps } from "../study.ts";
import { reduced, valueAt } from "./reduce.ts";

/** Ours: what counts where the study file says nothing else. */
export const SPIRAL = {
  metric: "load",
  falls: "goals.doneShare",
  windowMs: 3_600_000,
  /** From one threshold of load to the next (.35, .55, .75) in seed 004. */
  rise: 0.2,
  /** One in ten of the ended goals. */
  fall: 0.1,
} as const;

/** What has to happen within a window. */
export interface Spiralling {
  readonly rise: number;
  readonly fall: number;
  readonly windowMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Whether there is a moment from which, one window later and again at the end of the span, one value is higher by at
 * least `rise` and the other lower by at least `fall`, the other not having risen by `fall` from its lowest since: a
 * run that does goals again has left the spiral, whatever still weighs on it. The window lies within the span; a
 * shorter span has none.
 */
export function spirals(
  rises: Steps,
  falls: Steps,
  { rise, fall, windowMs, fromMs, untilMs }: Spiralling,
): boolean {
  const lastMs = untilMs - windowMs;
  // Both differences change only where a step enters the window or leaves it.
  const moments = [rises, falls].flatMap((steps) =>
    steps.flatMap(([atMs]) => [atMs, atMs - windowMs]),
  );
  const starts = [fromMs, ...moments].filter((atMs) => atMs >= fromMs && atMs <= lastMs);
  const isWorse = (fromAt: number, toAt: number): boolean =>
    isAtLeast(valueAt(rises, toAt) - valueAt(rises, fromAt), rise) &&
    isAtLeast(valueAt(falls, fromAt) - valueAt(falls, toAt), fall);
  const isBack = (atMs: number): boolean => {
    const { value: lowest } = reduced(falls, { reduce: "min", above: null, fromMs: atMs, untilMs });
    return isAtLeast(valueAt(falls, untilMs) - lowest, fall);
  };
  return starts.some(
    (atMs) => isWorse(atMs, atMs + windowMs) && isWorse(atMs, untilMs) && !isBack(atMs),
  );
}

/** What metrics tell are millionths: .55 − .35 is .2, whatever its last bits say. */
const isAtLeast = (difference: number, least: number): boolean =>
  Math.round(difference * MILLION) >= Math.round(least * MILLION);

const MILLION = 1_000_000;
