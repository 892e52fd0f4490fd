/** How much a front dominates (Zitzler and Thiele's hypervolume), as a share of the box from the worst to the best of each goal. */
import { type Goal, paretoFront } from "./pareto.ts";

/** The worst and the best value of each goal. */
export interface GoalBox {
  readonly worst: readonly number[];
  readonly best: readonly number[];
}

/** Of all that was scored; a goal that does not vary has no width, and counts as reached. */
export function goalBox(scores: readonly (readonly number[])[], goals: readonly Goal[]): GoalBox {
  const end = (which: "worst" | "best") =>
    goals.map((goal, at) => {
      const own = scores.map((score) => score[at] ?? 0);
      const isGreat = (goal === "maximise") === (which === "best");
      return own.reduce((a, b) => (isGreat ? Math.max(a, b) : Math.min(a, b)), own[0] ?? 0);
    });
  return { worst: end("worst"), best: end("best") };
}

export function hypervolume(
  scores: readonly (readonly number[])[],
  goals: readonly Goal[],
  { worst, best }: GoalBox,
): number {
  // From 0, the worst, to 1, the best, so that more is better in every goal.
  const scaled = scores.map((score) =>
    goals.map((_, at) => {
      const [from = 0, to = 0] = [worst[at], best[at]];
      return to === from ? 1 : Math.max(0, Math.min(1, ((score[at] ?? 0) - from) / (to - from)));
    }),
  );
  return volume(scaled);
}

/** Slices along the last goal (Knowles, HSO), from the best down: what all above it dominate in the others, times its height. */
function volume(points: readonly (readonly number[])[]): number {
  const [first] = points;
  if (first === undefined) return 0;
  const last = first.length - 1;
  if (last === 0) return Math.max(...points.map(([one = 0]) => one));
  const sorted = points.toSorted((a, b) => (b[last] ?? 0) - (a[last] ?? 0));
  let sum = 0;
  for (const [place, point] of sorted.entries()) {
    const height = (point[last] ?? 0) - (sorted[place + 1]?.[last] ?? 0);
    if (height === 0) continue;
    const above = sorted.slice(0, place + 1).map((one) => one.slice(0, last));
    const kept = paretoFront(above, new Array<Goal>(last).fill("maximise"));
    sum += height * volume(kept.map((at) => above[at] ?? []));
  }
  return sum;
}
