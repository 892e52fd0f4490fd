/** What a change costs, and what it saves: paired differences of what is worse one way, on the same seeds. */

import { type MetricName, WORLD, type Worse } from "../../contract/gauge.ts";
import { metricNames, metricTable } from "../../contract/metricTable.ts";
import type { Part } from "../../contract/part.ts";
import { pairedInterval } from "../../studies/statistics/intervals.ts";
import type { Meter } from "../meter.ts";

/** A metric that a change makes worse or better, beyond chance. */
export interface Difference {
  readonly metric: string;
  readonly unit: string;
  /** Means over the same seeds. */
  readonly asItWas: number;
  readonly changed: number;
  /** Of the mean difference. Both null where every pair differs by the same. */
  readonly low: number | null;
  readonly high: number | null;
  readonly isWorse: boolean;
}

/** Metrics of which one way costs somebody something. */
export const costMetrics = (parts: readonly Part[]): readonly (readonly [MetricName, Worse])[] =>
  metricNames(parts).flatMap((name) => {
    const { worse } = metricTable(parts)[name];
    return worse === undefined ? [] : [[name, worse] as const];
  });

/** Their last values, of the world. */
export const costsOf = (
  parts: readonly Part[],
  meter: Meter,
): { readonly [metric: string]: number } =>
  Object.fromEntries(
    costMetrics(parts).map(([name]) => [name, meter.series(name, WORLD).at(-1)?.value ?? 0]),
  );

type Values = readonly { readonly [metric: string]: number }[];

/** Where the interval of the paired difference excludes zero. */
export function differences(
  parts: readonly Part[],
  asItWas: Values,
  changed: Values,
): readonly Difference[] {
  return costMetrics(parts).flatMap(([metric, worse]): Difference[] => {
    const pairs = asItWas.map((one, at) => [one[metric] ?? 0, changed[at]?.[metric] ?? 0] as const);
    const { estimate, low, high, doubt } = pairedInterval(pairs);
    const isClear = doubt === "noVariance" ? estimate !== 0 : (low ?? 0) > 0 || (high ?? 0) < 0;
    if (!isClear) return [];
    const { unit } = metricTable(parts)[metric];
    const isWorse = worse === "more" ? estimate > 0 : estimate < 0;
    return [{ metric, unit, asItWas: mean(pairs, 0), changed: mean(pairs, 1), low, high, isWorse }];
  });
}

const mean = (pairs: readonly (readonly [number, number])[], side: 0 | 1): number =>
  pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length;

/** How much worse, in parts of what there was: what a front of several metrics is drawn by. */
export const relative = ({ asItWas, changed }: Difference): number =>
  Math.abs(changed - asItWas) / Math.max(1, Math.abs(asItWas));
