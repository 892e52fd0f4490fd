/** From a place between 0 and 1 to a value of a factor. */

import type { PolicyValue } from "../../contract/policyTree.ts";
import { naturalLog } from "../../machines/naturalLog.ts";
import { normalQuantile, normalShare } from "../statistics/quantiles.ts";
import type { Factor, ListFactor, NumberFactor, Shape } from "../study.ts";

/** How many values a factor may take. */
export const valueCount = (factor: Factor): number =>
  factor.kind === "list"
    ? factor.values.length
    : Math.floor((factor.high - factor.low) / factor.step) + 1;

/** The value of that rank, from 0 on. */
export function valueAt(factor: NumberFactor, rank: number): number;
export function valueAt(factor: Factor, rank: number): PolicyValue;
export function valueAt(factor: Factor, rank: number): PolicyValue {
  return factor.kind === "list" ? valueOfList(factor, rank) : factor.low + rank * factor.step;
}

const valueOfList = ({ values }: ListFactor, rank: number): PolicyValue => {
  const value = values[rank];
  if (value === undefined) throw new RangeError(`a list of ${values.length} has no rank ${rank}`);
  return value;
};

/**
 * From a place, 0 to below 1, that was drawn evenly: each value is as likely as any other. Of a logarithmic factor,
 * as likely as the logarithms from it to the step after it are wide. Where the factor has a shape it is the nearest step.
 */
export function drawnValue(factor: Factor, place: number): PolicyValue {
  const count = valueCount(factor);
  if (factor.kind === "list" && factor.weights !== undefined) {
    return valueAt(factor, weighedRank(factor.weights, place));
  }
  if (factor.kind === "number" && factor.shape !== undefined) {
    const { low, high, step } = factor;
    const value = Math.max(low, Math.min(high, shapedValue(factor.shape, factor, place)));
    return valueAt(factor, Math.min(Math.round((value - low) / step), count - 1));
  }
  if (factor.kind === "list" || !factor.isLog) {
    return valueAt(factor, Math.min(Math.floor(place * count), count - 1));
  }
  return valueAt(factor, rankBelow(factor, place * logTo(factor, count)));
}

/** The first value at which the weights up to it exceed the place; one of no weight never does. */
function weighedRank(weights: readonly number[], place: number): number {
  let left = place * weights.reduce((sum, one) => sum + one, 0);
  const last = weights.findLastIndex((one) => one > 0);
  const rank = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return rank < 0 ? last : rank;
}

/** The value below which that share of the distribution lies. A normal one is cut off at both bounds. */
function shapedValue(shape: Shape, { low, high }: NumberFactor, place: number): number {
  if (shape.kind === "normal") {
    const { mean, deviation } = shape;
    const below = (end: number): number => normalShare((end - mean) / deviation);
    return mean + deviation * normalQuantile(below(low) + place * (below(high) - below(low)));
  }
  const { mode } = shape;
  const width = high - low;
  return place * width < mode - low
    ? low + Math.sqrt(place * width * (mode - low))
    : high - Math.sqrt((1 - place) * width * (high - mode));
}

/** From a level, 0 for the first value to 1 for the last: the nearest value, of a logarithmic factor by logarithms. */
export function levelValue(factor: Factor, level: number): PolicyValue {
  const last = valueCount(factor) - 1;
  if (factor.kind === "list" || !factor.isLog) return valueAt(factor, Math.round(level * last));
  const log = level * logTo(factor, last);
  const rank = rankBelow(factor, log);
  const isNextNearer = logTo(factor, rank + 1) - log < log - logTo(factor, rank);
  return valueAt(factor, isNextNearer ? rank + 1 : rank);
}

/** Every value of a list; of a number, those of `levels` levels that differ, low and high among them. */
export function levelValues(factor: Factor, levels: number): PolicyValue[] {
  if (factor.kind === "list") return [...factor.values];
  const count = Math.min(levels, valueCount(factor));
  const values = Array.from({ length: count }, (_, at) =>
    levelValue(factor, count === 1 ? 0 : at / (count - 1)),
  );
  return [...new Set(values)];
}

const logTo = (factor: NumberFactor, rank: number): number =>
  naturalLog(valueAt(factor, rank) / factor.low);

/** The last rank whose logarithm, counted from the first, is at most `log`. */
function rankBelow(factor: NumberFactor, log: number): number {
  let low = 0;
  let high = valueCount(factor) - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (logTo(factor, middle) <= log) low = middle;
    else high = middle - 1;
  }
  return low;
}
