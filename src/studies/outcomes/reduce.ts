/** One number of a value that changes over time. Times are in milliseconds, and a threshold is met by what equals it. */
import type { Steps } from "../study.ts";
import type { Reduction } from "./outcome.ts";

export interface Reduced {
  readonly value: number;
  /** It is at least this: the run ended before it was known. */
  readonly isCensored?: true;
}

/** `above` is asked for where the reduction needs one. Both ends belong to the span, which is longer than nothing. */
export interface Asked {
  readonly reduce: Reduction;
  readonly above: number | null;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A value that stays, `fromMs` included. */
interface Piece {
  readonly fromMs: number;
  readonly toMs: number;
  readonly value: number;
}

export const needsThreshold = (reduce: Reduction): boolean =>
  reduce === "timeAbove" || reduce === "timeToRecover";

export function reduced(steps: Steps, { reduce, above, fromMs, untilMs }: Asked): Reduced {
  const pieces = piecesOf(steps, fromMs, untilMs);
  const values = pieces.map(({ value }) => value);
  switch (reduce) {
    case "last":
      return { value: values.at(-1) ?? 0 };
    case "max":
      return { value: values.reduce((one, other) => Math.max(one, other)) };
    case "min":
      return { value: values.reduce((one, other) => Math.min(one, other)) };
    case "area":
      return { value: areaOf(pieces) };
    case "mean":
      return { value: areaOf(pieces) / (untilMs - fromMs) };
    case "count":
      return { value: above === null ? values.length - 1 : stretches(pieces, above).length };
    case "timeAbove":
      return {
        value: stretches(pieces, above ?? 0).reduce((sum, [from, to]) => sum + (to - from), 0),
      };
    case "timeToRecover":
      return timeToRecover(pieces, above ?? 0);
  }
}

/** The value in force at a moment; 0 before the first step. */
export function valueAt(steps: Steps, atMs: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.[0] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return steps[low - 1]?.[1] ?? 0;
}

/** A piece for each value that differs from the one before. */
function piecesOf(steps: Steps, fromMs: number, untilMs: number): readonly Piece[] {
  const starts: [number, number][] = [[fromMs, valueAt(steps, fromMs)]];
  for (const [atMs, value] of steps) {
    const isInside = atMs > fromMs && atMs <= untilMs;
    if (isInside && value !== starts.at(-1)?.[1]) starts.push([atMs, value]);
  }
  return starts.map(([start, value], index) => ({
    fromMs: start,
    toMs: starts[index + 1]?.[0] ?? untilMs,
    value,
  }));
}

const areaOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { fromMs, toMs, value }) => sum + value * (toMs - fromMs), 0);

/** From when to when the value was at or above the threshold without a break. */
function stretches(pieces: readonly Piece[], above: number): [fromMs: number, toMs: number][] {
  const found: [number, number][] = [];
  let isOpen = false;
  for (const { fromMs, toMs, value } of pieces) {
    const last = found.at(-1);
    if (value < above) isOpen = false;
    else if (isOpen && last !== undefined) last[1] = toMs;
    else {
      isOpen = true;
      found.push([fromMs, toMs]);
    }
  }
  return found;
}

/** From the first moment at or above, to the moment from which it stays below. 0 where it never was there. */
function timeToRecover(pieces: readonly Piece[], above: number): Reduced {
  const all = stretches(pieces, above);
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return { value: 0 };
  const value = last[1] - first[0];
  return (pieces.at(-1)?.value ?? 0) >= above ? { value, isCensored: true } : { value };
}
