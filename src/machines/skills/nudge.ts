/**
 * The question whether an agent has written a skill, and what puts an end to it. The seed's prompt names learn_skill; the
 * capability that writes one is create_skill. Source: seed 001, user-facing surface.
 */
import type { Mail } from "../letter.ts";
import { choice, type ValuesOf } from "../policyLeaf.ts";

export const nudgeLeaves = {
  nudge: choice("meta", ["meta", "every", "never"], {
    says: "For which goals a prompt asks whether create_skill was called: those that speak of learning, skills or lessons; every one; none.",
    source: "seed 001, User-facing surface: a meta-task compliance nudge",
  }),
  nudgeEnds: choice("surface", ["surface", "writing"], {
    says: "What ends it: also a call that only reads (list_lessons, recall, manage_skills), or nothing but a written skill.",
    source: "seed 001, User-facing surface; `writing` is how it was before",
  }),
};

export type NudgePolicy = ValuesOf<typeof nudgeLeaves>;

const WRITES = ["create_skill"];
const READS = ["list_lessons", "recall", "manage_skills"];

const META = /\b(?:learn\w*|lessons?|skills?|playbook)\b/i;

/** What stands in the prompts of this goal; nothing without a goal. */
type Nudge = NonNullable<Mail["section.answered"]["nudges"]>[number];

export function nudgesFor(
  goal: string | null,
  { nudge, nudgeEnds }: NudgePolicy,
  /** Whether the world has a capability of this name. */
  isThere: (capability: string) => boolean,
): readonly Nudge[] {
  if (goal === null || nudge === "never" || (nudge === "meta" && !META.test(goal))) return [];
  const calls = nudgeEnds === "surface" ? [...WRITES, ...READS] : WRITES;
  const dischargedBy = calls.filter(isThere);
  // What nobody can discharge is not asked, and what there is not is not named.
  const [first] = dischargedBy;
  return first === undefined ? [] : [{ text: `Did you call ${first}?`, dischargedBy }];
}
