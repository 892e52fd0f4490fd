/**
 * The mechanical part of the completion gate: the declared artifact exists, has substance and
 * holds no placeholder. Source: seed 004, "Goal completion gate"; ruling U7.
 */
import { integer, type ValuesOf } from "./policyLeaf.ts";

export const gateLeaves = {
  minChars: integer(200, {
    unit: "characters",
    min: 0,
    max: 1_000_000,
    says: "An artifact shorter than this has no substance.",
    source: "seed 004, Goal completion gate; the number is the real system's",
  }),
  missesMax: integer(5, {
    unit: "misses",
    min: 1,
    max: 1_000,
    says: "The miss that abandons the goal and deletes its files.",
    source: "seed 004, Goal completion gate; RULINGS U7",
  }),
  progressAfterMiss: integer(850_000, {
    unit: "millionths",
    min: 0,
    max: 999_999,
    says: "Progress after a missed gate.",
    source: "RULINGS U7",
  }),
};

export type GatePolicy = ValuesOf<typeof gateLeaves>;

/** Ours, after the seed's "no placeholder patterns" and the quality gate's list. */
const PLACEHOLDERS = ["TODO", "# placeholder", "NotImplementedError", "lorem ipsum"];

/** Why the artifact does not pass, or undefined when it does. `text` is null for no such file. */
export function mechanicalFault(
  goal: { readonly artifact: string; readonly evidence: string | null },
  text: string | null,
  policy: GatePolicy,
): string | undefined {
  if (text === null) return `${goal.artifact} does not exist`;
  if ([...text].length < policy.minChars) {
    return `${goal.artifact} has less than ${policy.minChars} characters`;
  }
  const placeholder = PLACEHOLDERS.find((pattern) => text.includes(pattern));
  if (placeholder !== undefined) return `${goal.artifact} holds the placeholder "${placeholder}"`;
  if (goal.evidence !== null && !text.includes(goal.evidence)) {
    return `${goal.artifact} does not hold "${goal.evidence}"`;
  }
  return undefined;
}
