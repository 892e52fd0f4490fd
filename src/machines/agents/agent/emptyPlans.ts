/**
 * Answers about a plan, and those without a usable step: counted in a row, over cycles, until the
 * goal is given up. Source: seed 004, "Goals"; hollow-agentOS, autonomy loop.
 */
import type { Delivered } from "../../letter.ts";
import { readPlanAnswer } from "../model/modelAnswers.ts";
import type { AgentContext, AgentEvent } from "./context.ts";
import type { AgentPolicy } from "./planner.ts";

/** What the agent is going to do. A usable step ends the row of answers without one. */
export function planned(
  { text, at }: Delivered<"llm.replied">,
  { router }: AgentPolicy,
): Partial<AgentContext> {
  const plan = readPlanAnswer(text, router.kind === "name");
  if (plan === undefined) return { plan: [] };
  return { plan, planFact: at.seq, next: 0, emptyPlans: [] };
}

/** Whether one more answer without a usable step is one too many. */
export const isLastPlan = ({ emptyPlans }: AgentContext, { planner }: AgentPolicy): boolean =>
  emptyPlans.length + 1 >= planner.emptyPlans;

export const unplanned = (
  { emptyPlans }: AgentContext,
  { at }: AgentEvent,
): Partial<AgentContext> => ({ emptyPlans: [...emptyPlans, at.seq] });

/** How the reason of a goal that got no plan begins. */
export const NO_PLAN = "no plan:";

/** The goal is to be given up: the answers themselves are why. */
export function outOfPlans(context: AgentContext, event: AgentEvent): Partial<AgentContext> {
  const facts = [...context.emptyPlans, event.at.seq];
  const answers = facts.length === 1 ? "an answer" : `${facts.length} answers in a row`;
  return {
    emptyPlans: facts,
    givesUp: { reason: `${NO_PLAN} ${answers} had no usable step`, facts },
  };
}
