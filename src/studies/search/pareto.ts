/** Points that no other point beats in every goal: the front of two goals, or of more. */

export type Goal = "maximise" | "minimise";

/** The values of one point, a goal each; null for one that is infeasible or failed, and is never scored. */
export type Scores = readonly number[] | null;

const isAsGood = (a: number, b: number, goal: Goal): boolean =>
  goal === "maximise" ? a >= b : a <= b;

/** `a` is as good in every goal and better in one. */
function dominates(a: readonly number[], b: readonly number[], goals: readonly Goal[]): boolean {
  const at = (values: readonly number[], goal: number): number => values[goal] ?? Number.NaN;
  return (
    goals.every((goal, index) => isAsGood(at(a, index), at(b, index), goal)) &&
    goals.some((goal, index) => !isAsGood(at(b, index), at(a, index), goal))
  );
}

/** Indices of the front, in their order. Equal points are on it together. */
export function paretoFront(scores: readonly Scores[], goals: readonly Goal[]): readonly number[] {
  const isScored = (one: Scores): one is readonly number[] =>
    one !== null && one.length === goals.length && one.every(Number.isFinite);
  const scored = scores.filter(isScored);
  return scores.flatMap((own, index) =>
    isScored(own) && !scored.some((other) => dominates(other, own, goals)) ? [index] : [],
  );
}
