/** What actors of other parts hear of each step of an agent's plan. Ours. */
import { defined } from "../../defined.ts";
import type { Delivered, Letter, Mail } from "../../letter.ts";
import { type AttachedHooks, hearersOf } from "../hooks.ts";
import type { AgentContext } from "./context.ts";

/** A step is over with the answer to its call. `index` is its place in the plan. */
export const stepReports = (
  context: AgentContext,
  { capability, kind, ok, result, error, nothing, wrote = [], at }: Delivered<"call.finished">,
  index: number,
  attached: AttachedHooks,
): Letter[] =>
  reports(
    context,
    index,
    attached,
    at.seq,
    defined({ capability, kind, ok, result, error: error ?? null, nothing, wrote }),
  );

/** … or with the time for one. */
export const lateStepReports = (
  context: AgentContext,
  fact: number,
  attached: AttachedHooks,
): Letter[] =>
  reports(context, context.next, attached, fact, {
    ...{ capability: null, ok: false, result: null, nothing: false, wrote: [] },
    error: "the call was not answered in time",
  });

type End = Pick<
  Mail["step.reported"],
  "capability" | "kind" | "ok" | "result" | "error" | "nothing" | "wrote"
>;

function reports(
  { input, goal, cycle, plan }: AgentContext,
  index: number,
  attached: AttachedHooks,
  fact: number,
  end: End,
): Letter[] {
  const { intent = "", params = {} } = plan[index] ?? {};
  if (goal === null) return [];
  const step = { agent: input.name, cycle, n: goal.n, goal: goal.text, intent, params };
  return hearersOf(attached, "step").map((to) => ({
    to,
    event: { type: "step.reported", ...step, ...end },
    because: [fact],
  }));
}
