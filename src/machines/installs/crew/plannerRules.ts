/** What the planner may decide next, whatever its model wants; what is due in its place. Source: seed 003. */
import type { Role } from "../addresses.ts";
import type { Held } from "./crewMail.ts";
import type { Plan, PlanAnswer, Standing } from "./crewModel.ts";

/** How far a wish is in the planner's eyes. */
export interface WishState {
  readonly needsCode: boolean;
  readonly artifact: string | null;
  readonly buildsLeft: number;
  /** Whose judgement it is to have. */
  readonly gates: readonly Role[];
  readonly judges: { readonly [role in Role]: Standing };
  /** How the last install ended; null before the first. */
  readonly outcome: string | null;
  /** Whether anything is new since then. */
  readonly isChanged: boolean;
}

/** JSON, so no interface. */
export type PlanStep = { readonly next: Plan; readonly held: Held | null };

const JUDGING: { readonly [role in Role]: Plan } = { evaluator: "evaluate", auditor: "audit" };

export const roleOf = (plan: "evaluate" | "audit"): Role =>
  plan === "audit" ? "auditor" : "evaluator";

export function planDue(state: WishState): Plan {
  const { needsCode, artifact, buildsLeft, gates, judges } = state;
  const rebuilt = needsCode && buildsLeft > 0 ? "build" : "stop";
  if (needsCode && artifact === null) return rebuilt;
  const open = gates.find((role) => judges[role] === "open" || judges[role] === "unrecorded");
  if (artifact !== null && open !== undefined) return JUDGING[open];
  if (gates.some((role) => judges[role] === "failed")) return rebuilt;
  return isAgain(state) ? "stop" : "install";
}

/** Nothing is new since an install failed. One that broke off is gone on with. */
const isAgain = ({ outcome, isChanged }: WishState): boolean =>
  outcome !== null && outcome !== "broken" && !isChanged;

export function planStep(
  state: WishState,
  wanted: PlanAnswer | { readonly fault: string },
): PlanStep {
  const due = planDue(state);
  if ("fault" in wanted) {
    return {
      next: due,
      held: { rule: "unusable", wanted: "nothing", does: due, why: wanted.fault },
    };
  }
  const { next } = wanted;
  const against = ruleAgainst(state, next);
  if (against === null) return { next, held: null };
  const [rule, why] = against;
  return { next: due, held: { rule, wanted: next, does: due, why } };
}

function ruleAgainst(state: WishState, next: Plan): readonly [rule: string, why: string] | null {
  switch (next) {
    case "build":
      if (!state.needsCode) return ["nothing-to-build", "it needs no code"];
      return state.buildsLeft > 0 ? null : ["built-enough", "the coder has built often enough"];
    case "evaluate":
    case "audit":
      return state.artifact === null ? ["nothing-to-judge", "there is no artifact"] : null;
    case "install":
      return isAgain(state)
        ? ["nothing-changed", "it failed, and nothing is new since then"]
        : null;
    case "stop":
      return null;
  }
}
