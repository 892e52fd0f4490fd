/**
 * The top of a smooth function between bounds, near a start: quasi-Newton steps (BFGS) of the coordinates that no bound holds, halved
 * until they climb (Nocedal and Wright 2006, chapters 3 and 6). Nothing is drawn.
 */

export interface Slope {
  readonly value: number;
  readonly gradient: readonly number[];
}

export interface Top {
  readonly at: readonly number[];
  readonly value: number;
}

/** Ours: the steps of a fit at most, halvings of one, how far one step goes, and slopes and gains that are as good as none. */
const STEPS_MOST = 60;
const HALVINGS_MOST = 20;
const STRIDE_MOST = 2;
const FLAT = 1e-6;
const GAIN_LEAST = 1e-9;
/** Armijo's, as the book has it. */
const CLIMB_LEAST = 1e-4;

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, one, i) => sum + one * (b[i] ?? 0), 0);
const identity = (n: number): number[][] =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_one, j) => (i === j ? 1 : 0)));

/** `of` is null where the function has no value; null if it has none at the start. */
export function ascended(
  of: (at: readonly number[]) => Slope | null,
  start: readonly number[],
  bounds: readonly (readonly [low: number, high: number])[],
): Top | null {
  const n = start.length;
  const within = (point: readonly number[]): number[] =>
    point.map((one, i) => {
      const [low, high] = bounds[i] ?? [one, one];
      return Math.min(high, Math.max(low, one));
    });
  let at = within(start);
  let now = of(at);
  if (now === null) return null;
  let [curve, isFresh] = [identity(n), true];
  for (let step = 0; step < STEPS_MOST; step += 1) {
    // What would leave the bounds stays where it is.
    const free = now.gradient.map((slope, i) => {
      const [low, high] = bounds[i] ?? [0, 0];
      const isHeld = slope < 0 ? (at[i] ?? 0) <= low : (at[i] ?? 0) >= high;
      return isHeld ? 0 : slope;
    });
    if (Math.max(...free.map(Math.abs)) < FLAT) break;
    const newton = curve.map((row, i) => (free[i] === 0 ? 0 : dot(row, free)));
    const way = dot(newton, free) > 0 ? newton : free;
    const next = climbed({ of, within }, { at, now, free }, way);
    if (next === null) {
      if (isFresh) break;
      [curve, isFresh] = [identity(n), true];
      continue;
    }
    const moved = next.at.map((one, i) => one - (at[i] ?? 0));
    const before = now;
    const bent = before.gradient.map((one, i) => one - (next.now.gradient[i] ?? 0));
    [at, now] = [next.at, next.now];
    if (now.value - before.value < GAIN_LEAST * (1 + Math.abs(now.value))) break;
    [curve, isFresh] = [updated(curve, moved, bent), false];
  }
  return { at, value: now.value };
}

interface Place {
  readonly at: number[];
  readonly now: Slope;
}

/** The first of ever shorter steps that climbs as much as its slope lets one expect. */
function climbed(
  {
    of,
    within,
  }: {
    readonly of: (at: readonly number[]) => Slope | null;
    readonly within: (at: readonly number[]) => number[];
  },
  { at, now, free }: Place & { readonly free: readonly number[] },
  way: readonly number[],
): Place | null {
  let stride = Math.min(1, STRIDE_MOST / Math.max(...way.map(Math.abs)));
  for (let halving = 0; halving < HALVINGS_MOST; halving += 1, stride /= 2) {
    const point = within(at.map((one, i) => one + stride * (way[i] ?? 0)));
    const found = of(point);
    const moved = point.map((one, i) => one - (at[i] ?? 0));
    if (found !== null && found.value > now.value + CLIMB_LEAST * dot(moved, free)) {
      return { at: point, now: found };
    }
  }
  return null;
}

/** BFGS's inverse curvature after a step; as before where the step says nothing of it. */
function updated(curve: number[][], moved: readonly number[], bent: readonly number[]): number[][] {
  const along = dot(moved, bent);
  if (!(along > 1e-12)) return curve;
  const turned = curve.map((row) => dot(row, bent));
  const more = (1 + dot(bent, turned) / along) / along;
  return curve.map((row, i) =>
    row.map((one, j) => {
      const [mi, mj] = [moved[i] ?? 0, moved[j] ?? 0];
      return one - (mi * (turned[j] ?? 0) + mj * (turned[i] ?? 0)) / along + more * mi * mj;
    }),
  );
}
