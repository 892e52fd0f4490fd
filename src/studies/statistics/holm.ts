/** Many points compared with one baseline: what still holds of all of them at once. */

/**
 * Holm's adjusted probabilities, in the given order. Null: a comparison without a probability, which is one of those that were
 * made all the same; undefined: no comparison.
 */
export function holmAdjusted(ps: readonly (number | null | undefined)[]): (number | null)[] {
  const family = ps.filter((p) => p !== undefined).length;
  const order = ps
    .flatMap((p, index) => (p == null ? [] : [{ p, index }]))
    .sort((a, b) => a.p - b.p || a.index - b.index);
  const adjusted: (number | null)[] = ps.map(() => null);
  let highest = 0;
  order.forEach(({ p, index }, rank) => {
    highest = Math.min(1, Math.max(highest, p * (family - rank)));
    adjusted[index] = highest;
  });
  return adjusted;
}

/**
 * The confidence that each of so many intervals needs, so that all of them hold at once with `confidence`.
 * It is Bonferroni's: Holm's steps decide which differences exist, but intervals of his steps cover
 * less often together than they say.
 */
export const confidenceOfEach = (intervals: number, confidence: number): number =>
  1 - (1 - confidence) / Math.max(1, intervals);
