/** How the scripted planner decides, and what the scripted coder writes. Ours. */
import type { BuildView, Plan, PlanView } from "../../machines/installs/crewViews.ts";
import { ROLES, type Role } from "../../machines/installs/role.ts";
import type { Json } from "../../machines/letter.ts";
import type { ScriptedAmendment } from "./crewScript.ts";
import { drawn, type Mind, type Thought } from "./scriptedThought.ts";

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
  const { slips, script } = mind;
  const { skipsJudges, saysNone, installsLoose, givesUp } = script.habits;
  const { next, why } = sensible(view);
  const isJudging = next === "evaluate" || next === "audit";
  const asked = (plan: Plan, name: string, reason: string, more: object = {}): Thought => ({
    answer: { next: plan, why: reason, ...more } as Json, // Texts and fields of an intent.
    choice: `plan:${name}`,
  });
  const amendment = amendmentFor(view, mind);
  if (amendment !== undefined) {
    const { id, fields } = amendment;
    return asked("install", `amends/${id}`, "the intent was not right", { amend: fields });
  }
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

/** One that the flaws bring to mind, after a failure and while nothing is new. */
function amendmentFor(
  view: PlanView,
  { script, without, draw }: Mind,
): ScriptedAmendment | undefined {
  if (view.report === null || view.isChanged) return undefined;
  const reported = view.report.reason ?? "";
  const fitting = script.amendments.filter(
    ({ id, wish, after, fields }) =>
      wish === view.wish &&
      reported.includes(after) &&
      !without.has(`plan:amends/${id}`) &&
      Object.keys(fields).some(
        (field) => JSON.stringify(view.intent[field] ?? null) !== JSON.stringify(fields[field]),
      ),
  );
  return drawn(fitting, draw);
}

export function built(view: BuildView, { script, without, draw }: Mind): Thought {
  const flaws = view.flaws.join("\n");
  const known = script.builds.filter(
    ({ id, wish, mends }) =>
      wish === view.wish && flaws.includes(mends) && !without.has(`build:${id}`),
  );
  // One that mends what was wrong comes before those that do not.
  const mending = known.filter(({ mends }) => mends !== "");
  const one = drawn(mending.length > 0 ? mending : known, draw);
  if (one === undefined) return { answer: {}, choice: "build:nothing" };
  const { id, files, entrypoints } = one;
  return { answer: { files, entrypoints }, choice: `build:${id}` };
}
