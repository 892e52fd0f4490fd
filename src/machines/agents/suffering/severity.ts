/** How bad it is: severity and load, in whole millionths. Source: rulings U1 and U2. */
import type { Mail } from "../../letter.ts";
import { days, MILLION } from "../../units.ts";

/** An active stressor as its agent remembers it. Severity is a function of this and the time. */
export interface Suffering {
  readonly type: string;
  readonly sinceMs: number;
  /** Millionths at onset. */
  readonly start: number;
  readonly growthPerDay: number;
}

/** Severity in millionths: start + growth × time, at most one. */
export function severityAt({ sinceMs, start, growthPerDay }: Suffering, nowMs: number): number {
  const lastedMs = Math.max(0, nowMs - sinceMs);
  return Math.min(MILLION, start + Math.floor((growthPerDay * lastedMs) / days(1)));
}

/** Load in millionths: the sum of active severities, at most one. Compare with ≥. */
export function loadAt(active: readonly Suffering[], nowMs: number): number {
  const sum = active.reduce((total, suffering) => total + severityAt(suffering, nowMs), 0);
  return Math.min(MILLION, sum);
}

/** What an agent suffers from after a change. */
export function sufferingAfter(
  active: readonly Suffering[],
  { stressor, sinceMs, start, growthPerDay }: Omit<Mail["stressor.changed"], "agent" | "condition">,
): readonly Suffering[] {
  const others = active.filter(({ type }) => type !== stressor);
  return sinceMs === null ? others : [...others, { type: stressor, sinceMs, start, growthPerDay }];
}
