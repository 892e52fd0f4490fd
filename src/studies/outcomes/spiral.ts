/** The spiral: over some window of time the load rises while capability falls. */
import type { Steps } from "../study.ts";
import { valueAt } from "./reduce.ts";

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
 * Whether there is a moment from which, one window later, one value is higher by at least `rise` and the other
 * lower by at least `fall`. The window lies within the span; a shorter span has none.
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
  return starts.some(
    (atMs) =>
      isAtLeast(valueAt(rises, atMs + windowMs) - valueAt(rises, atMs), rise) &&
      isAtLeast(valueAt(falls, atMs) - valueAt(falls, atMs + windowMs), fall),
  );
}

/** What metrics tell are millionths: .55 − .35 is .2, whatever its last bits say. */
const isAtLeast = (difference: number, least: number): boolean =>
  Math.round(difference * MILLION) >= Math.round(least * MILLION);

const MILLION = 1_000_000;
