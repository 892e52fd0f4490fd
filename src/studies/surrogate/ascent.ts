/**
 * The top of a smooth function between bounds, near a start: quasi-Newton steps (BFGS) of the coordinates that no bound holds, halved
 * until they climb (Nocedal and Wright 2006, chapters 3 and 6). Nothing is drawn.
 */

export interface Slope {
  readonly value: number;
  readonly gradient: readonly number[];
}

/** Ours: steps of a fit, halvings of one, how far one goes at most, and slopes and gains that are as good as none; the last is Armijo's. */
const STEPS_MOST = 60;
const HALVINGS_MOST = 20;
const STRIDE_MOST = 2;
const FLAT = 1e-6;
const GAIN_LEAST = 1e-9;
const CLIMB_LEAST = 1e-4;

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, one, i) => sum + one * (b[i] ?? 0), 0);
const less = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((one, i) => one - (b[i] ?? 0));

/** `of` is null where the function has no value; null if it has none at the start. */
export function ascended(
  of: (at: readonly number[]) => Slope | null,
  start: readonly number[],
  bounds: readonly (readonly [low: number, high: number])[],
): { readonly at: readonly number[]; readonly value: number } | null {
  const bound = (one: number, i: number): number =>
    Math.min(bounds[i]?.[1] ?? one, Math.max(bounds[i]?.[0] ?? one, one));
  let at = start.map(bound);
  let now = of(at);
  if (now === null) return null;
  const flat: number[][] = at.map((_, i) => at.map((_one, j) => (i === j ? 1 : 0)));
  let curve = flat;
  for (let step = 0; step < STEPS_MOST; step += 1) {
    const { value, gradient } = now;
    // What would leave the bounds stays where it is.
    const free = gradient.map((slope, i) =>
      (at[i] ?? 0) === bounds[i]?.[slope < 0 ? 0 : 1] ? 0 : slope,
    );
    if (Math.max(...free.map(Math.abs)) < FLAT) break;
    const newton = curve.map((row, i) => (free[i] === 0 ? 0 : dot(row, free)));
    const way = dot(newton, free) > 0 ? newton : free;
    let stride = Math.min(1, STRIDE_MOST / Math.max(...way.map(Math.abs)));
    let next: Slope | null = null;
    let moved: number[] = [];
    for (let halving = 0; halving < HALVINGS_MOST && next === null; halving += 1, stride /= 2) {
      const place = at.map((one, i) => bound(one + stride * (way[i] ?? 0), i));
      const found = of(place);
      moved = less(place, at);
      if (found !== null && found.value > value + CLIMB_LEAST * dot(moved, free)) next = found;
    }
    if (next === null) {
      if (curve === flat) break;
      curve = flat;
      continue;
    }
    at = at.map((one, i) => bound(one + (moved[i] ?? 0), i));
    now = next;
    if (next.value - value < GAIN_LEAST * (1 + Math.abs(value))) break;
    curve = updated(curve, moved, less(gradient, next.gradient));
  }
  return { at, value: now.value };
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
