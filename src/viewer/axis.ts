/** The axis of time: even, or with idle time squeezed. Its units are milliseconds where nothing is squeezed. */
import type { PageLog } from "./pageLog.ts";
import { FLAG } from "./viewData.ts";

export interface View {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Axis {
  readonly endMs: number;
  /** Where a moment stands, and which moment stands there. */
  readonly to: (ms: number) => number;
  readonly back: (unit: number) => number;
  /** Stretches in which nothing happens that can be told, and which are squeezed. */
  readonly gaps: readonly View[];
}

const same = (value: number): number => value;

export const evenAxis = (endMs: number): Axis => ({ endMs, to: same, back: same, gaps: [] });

/** Ours: what is idle takes so much of the whole, and so often the usual time between two moments; and of that it keeps. */
const IDLE = { share: 0.01, usual: 4, leastMs: 200, kept: 0.3 } as const;

/** Stretches in which none of the logs tells anything, much longer than is usual in them. */
export function idleIn(logs: readonly PageLog[], endMs: number): readonly View[] {
  const told = ({ columns, has }: PageLog): Float64Array =>
    columns.atMs.filter((_, place) => has(place, FLAG.told));
  const times = Float64Array.from([0, endMs, ...logs.flatMap((log) => [...told(log)])]).sort();
  const stretches: View[] = [];
  for (let at = 1; at < times.length; at++) {
    const [fromMs = 0, toMs = 0] = times.subarray(at - 1, at + 1);
    if (toMs > fromMs) stretches.push({ fromMs, toMs });
  }
  const lengths = Float64Array.from(stretches, ({ fromMs, toMs }) => toMs - fromMs).sort();
  const usual = lengths[lengths.length >> 1] ?? 0;
  const least = Math.max(IDLE.leastMs, endMs * IDLE.share, usual * IDLE.usual);
  return stretches.filter(({ fromMs, toMs }) => toMs - fromMs > least);
}

export function squeezedAxis(gaps: readonly View[], endMs: number): Axis {
  const kept = Math.max(IDLE.leastMs, endMs * IDLE.share) * IDLE.kept;
  const knots: [ms: number, unit: number][] = [[0, 0]];
  let cut = 0;
  for (const { fromMs, toMs } of gaps) {
    knots.push([fromMs, fromMs - cut]);
    cut += toMs - fromMs - kept;
    knots.push([toMs, toMs - cut]);
  }
  knots.push([endMs, endMs - cut]);
  const between = (value: number, by: 0 | 1, to: 0 | 1): number => {
    let [at, high] = [1, knots.length - 1];
    while (at < high) {
      const middle = (at + high) >> 1;
      if ((knots[middle]?.[by] ?? 0) < value) at = middle + 1;
      else high = middle;
    }
    // There are two knots at least.
    const [a, b] = knots.slice(at - 1, at + 1) as [[number, number], [number, number]];
    const length = b[by] - a[by];
    return length === 0 ? a[to] : a[to] + ((value - a[by]) / length) * (b[to] - a[to]);
  };
  return { endMs, gaps, to: (ms) => between(ms, 0, 1), back: (unit) => between(unit, 1, 0) };
}

export const wholeView = ({ endMs }: Axis): View => ({ fromMs: 0, toMs: Math.max(1, endMs) });

/** A stretch of the axis, as long as it was, kept within the whole. */
function placed(start: number, length: number, { to, back, endMs }: Axis): View {
  const most = Math.max(1, to(endMs));
  const from = Math.min(Math.max(0, start), Math.max(0, most - length));
  return { fromMs: back(from), toMs: back(from + length) };
}

const lengthOf = ({ fromMs, toMs }: View, { to }: Axis): number => to(toMs) - to(fromMs);

/** The view, moved so that a moment is in its middle. */
export function around(view: View, ms: number, axis: Axis): View {
  const length = lengthOf(view, axis);
  return placed(axis.to(ms) - length / 2, length, axis);
}

/** The view, moved where a moment is not in it. */
export const seen = (view: View, ms: number, axis: Axis): View =>
  ms >= view.fromMs && ms <= view.toMs ? view : around(view, ms, axis);

/** Closer by a factor below 1, around a moment that stays where it is. */
export function zoomed(view: View, factor: number, aroundMs: number, axis: Axis): View {
  const old = lengthOf(view, axis);
  const length = Math.min(Math.max(1, axis.to(axis.endMs)), Math.max(10, old * factor));
  const share = (axis.to(aroundMs) - axis.to(view.fromMs)) / Math.max(1, old);
  return placed(axis.to(aroundMs) - share * length, length, axis);
}

/** Moved by a share of its own length. */
export function moved(view: View, share: number, axis: Axis): View {
  const length = lengthOf(view, axis);
  return placed(axis.to(view.fromMs) + share * length, length, axis);
}
