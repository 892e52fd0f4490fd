/** What the states of an agent are made of: guards, delays, and the actions that several share. */
import { assign, setup } from "xstate";
import { type At, cancelAsk, type Outbox, post } from "../../letter.ts";
import { longestGoalGateMs } from "../goal/goalGateParts.ts";
import { relieved } from "./agentTurn.ts";
import type { AgentContext, AgentEvent, AgentInput } from "./context.ts";
import { isLastPlan } from "./emptyPlans.ts";
import { messageJudgedLetter, planJudgedLetter, weighsPlan } from "./judging.ts";
import type { AgentPolicy } from "./planner.ts";
import { profileLetter } from "./profile.ts";

export const agentSetup = (policy: AgentPolicy) =>
  setup({
    types: {
      context: {} as AgentContext,
      events: {} as AgentEvent,
      input: {} as AgentInput & { at: At },
      emitted: {} as Outbox,
    },
    guards: {
      hasGoal: ({ context }) => context.goal !== null,
      hasLessons: ({ context }) => context.input.lessons !== null,
      hasMessages: ({ context }) => context.unweighed.length > 0,
      hasOpinions: ({ context }) => weighsPlan(context, policy),
      givesUp: ({ context }) => context.givesUp !== null && context.goal !== null,
      isRest: ({ context }) => context.choice?.declared === "rest",
      isGoal: ({ context: { choice } }) =>
        choice !== null && choice.declared !== null && choice.declared !== "rest",
      canFallBack: ({ context }) => context.fallback !== null,
      isPlan: ({ context }) => context.plan.length > 0,
      isLastPlan: ({ context }) => isLastPlan(context, policy),
      isAdvised: ({ context }) => context.advice?.missing.length === 0,
      isOver: ({ event }) => event.type === "goal.judged" && event.status !== "active",
      hasFailed: ({ context }) => context.failures > 0 && !policy.planner.wholePlans,
      isOutOfSteps: ({ context }) =>
        context.steps >= policy.planner.stepsPerCycle || context.next >= context.plan.length,
    },
    delays: {
      heartbeat: policy.planner.heartbeatMs,
      peersTimeout: policy.planner.answerTimeoutMs,
      lessonsTimeout: policy.planner.answerTimeoutMs,
      toolsTimeout: policy.planner.answerTimeoutMs,
      // A goal at its gate asks others: no verdict comes later than this.
      goalTimeout: policy.planner.answerTimeoutMs + longestGoalGateMs(policy.gate),
      givingUpTimeout: policy.planner.answerTimeoutMs,
      sectionsTimeout: policy.hooks.sectionMs,
      threatTimeout: policy.planner.judgeTimeoutMs,
      identityTimeout: policy.planner.judgeTimeoutMs,
      callTimeout: policy.planner.callTimeoutMs,
      modelTimeout: policy.planner.modelTimeoutMs,
    },
    actions: {
      relieve: assign(({ context, event }) => relieved(context, event)),
      saveProfile: post(({ context: { input, profile } }) => [profileLetter(input.name, profile)]),
      tellPlanJudged: post(({ context, event }) => [planJudgedLetter(context, event)]),
      tellMessageJudged: post(({ context, event }) => [messageJudgedLetter(context, event)]),
      forgetModel: post(() => [cancelAsk("model")]),
      forgetJudge: post(() => [cancelAsk("judge")]),
      forgetVerdict: post(() => [cancelAsk("verdict")]),
    },
  });
