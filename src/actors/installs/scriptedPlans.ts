/** How the scripted planner decides. Ours. */

import { ROLES, type Role } from "../../machines/installs/addresses.ts";
import type { Plan, PlanView } from "../../machines/installs/crew/crewModel.ts";
import type { Mind, Thought } from "./scriptedThought.ts";

const JUDGING: { readonly [role in Role]: Plan } = { evaluator: "evaluate", auditor: "audit" };

/** What a planner does who overlooks nothing. */
function sensible(view: PlanView): { readonly next: Plan; readonly why: string } {
  const { needsCode, artifact, matrix, gating, judges, report, isChanged } = view;
  if (needsCode && artifact === null) return { next: "build", why: "there is no artifact yet" };
  const asked = gating === "required" && matrix.length === 0 ? ROLES : matrix;
  const gates = artifact === null || gating === "none" ? [] : asked;
  const open = gates.find((role) => judges[role] === "open" || judges[role] === "unrecorded");
  if (open !== undefined) return { next: JUDGING[open], why: `${open} has not recorded yet` };
  const failed = gates.find((role) => judges[role] === "failed");
  const mended: Plan = needsCode ? "build" : "stop";
  if (failed !== undefined) return { next: mended, why: `${failed} did not pass it` };
  if (report === null || isChanged) return { next: "install", why: "all that it needs is there" };
  if (report.outcome === "broken") return { next: "install", why: "the install broke off" };
  // What a person declines, no code mends.
  const next = report.outcome === "unapproved" ? "stop" : mended;
  return { next, why: report.reason ?? `the builder reported: ${report.outcome}` };
}

export function planned(view: PlanView, mind: Mind): Thought {
  const { slips, habits } = mind;
  const { skipsJudges, saysNone, installsLoose, givesUp } = habits;
  const { next, why } = sensible(view);
  const isJudging = next === "evaluate" || next === "audit";
  const asked = (
    plan: Plan,
    name: string,
    reason: string,
    more: { readonly gating?: "none" } = {},
  ): Thought => ({
    answer: { next: plan, why: reason, ...more },
    choice: `plan:${name}`,
  });
  // All are drawn, whichever can be made now.
  const slipped = {
    skips: slips("plan:skips-judges", skipsJudges),
    none: slips("plan:says-none", saysNone),
    loose: slips("plan:installs-loose", installsLoose),
    gives: slips("plan:gives-up", givesUp),
  };
  if (isJudging && slipped.none && view.gating === null) {
    return asked("install", "says-none", "it is simple enough", { gating: "none" });
  }
  if (isJudging && slipped.skips) return asked("install", "skips-judges", "it looks good");
  if (next === "build" && view.artifact === null && slipped.loose) {
    return asked("install", "installs-loose", "the files are known");
  }
  if (view.report !== null && next !== "stop" && slipped.gives) {
    return asked("stop", "gives-up", "it has failed once");
  }
  return asked(next, next, why);
}
