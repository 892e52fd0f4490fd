/**
 * One agent's existence loop: rest, look around, heed what was said, choose a goal, plan, weigh the
 * plan, act step by step, and rest again. Every stage that waits for another actor has a named time-out.
 * Source: seed 004, "Goals"; seed 000, "Setup" for the planning time; rulings U3, U8, U9, T11, T13.
 */
import { assign, setup } from "xstate";
import { askingIn, chartTypes, question } from "../../chart.ts";
import { defined } from "../../defined.ts";
import { cancelAsk, type Delivered, type Letter, type Mail, post } from "../../letter.ts";
import { longestGoalGateMs } from "../goal/goalGateParts.ts";
import {
  type AgentHooks,
  type AttachedHooks,
  allHooks,
  hearersOf,
  type PromptPurpose,
} from "../hooks.ts";
import { advised, keyOf, sectionLetter, unadvised } from "./advice.ts";
import {
  awoken,
  callQuestion,
  cycleEndedLetters,
  felt,
  givenUpLetters,
  heeded,
  identityQuestion,
  isLastPlan,
  joined,
  judged,
  left,
  listened,
  lookedAround,
  messageJudgedLetter,
  outOfPlans,
  planJudgedLetter,
  planned,
  planQuestion,
  relieved,
  stepEnded,
  stepLetters,
  threatQuestion,
  unplanned,
  weighed,
  weighsPlan,
} from "./agentTurn.ts";
import {
  asking,
  atALoss,
  choiceIn,
  choiceQuestion,
  fellBack,
  goalChosen,
  reflected,
  reflectionLetters,
  startGoalLetter,
  unheard,
} from "./choosing.ts";
import { type AgentContext, type AgentEvent, type AgentInput, openingContext } from "./context.ts";
import type { AgentPolicy } from "./planner.ts";
import { last, profileLetter } from "./profile.ts";

/* What the states of an agent are made of: guards, delays, and the actions that several share. */

const agentSetup = (policy: AgentPolicy) =>
  setup({
    types: chartTypes<AgentContext, AgentEvent, AgentInput>(),
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
      forgetVerdict: post(() => [cancelAsk("verdict")]),
    },
  });

const asks = askingIn<AgentContext, AgentEvent>();

/* An agent looks around: what peers claim, which rules it has learnt, what it can do. */

const perceivingStates = (policy: AgentPolicy) =>
  agentSetup(policy).createStateConfig({
    initial: "peers",
    states: {
      peers: {
        ...asks("peers", ({ context: { input } }) =>
          question(input.ledger, { type: "peers.asked", agent: input.name }),
        ),
        on: {
          "peers.answered": [
            {
              guard: "hasLessons",
              target: "lessons",
              actions: assign(({ event }) => ({ claims: event.claims })),
            },
            { target: "tools", actions: assign(({ event }) => ({ claims: event.claims })) },
          ],
        },
        after: { peersTimeout: "#agent.resting" },
      },
      lessons: {
        ...asks("lessons", ({ context: { input } }) =>
          question(input.lessons ?? "", { type: "lessons.asked" }),
        ),
        on: {
          "lessons.answered": {
            target: "tools",
            actions: assign(({ event }) => ({
              rules: last(event.rules, policy.mind.rulesShown),
              rulesFact: event.at.seq,
            })),
          },
        },
        after: { lessonsTimeout: "tools" },
      },
      tools: {
        ...asks("tools", ({ context: { input } }) =>
          question(input.engine, { type: "tools.asked" }),
        ),
        on: {
          "tools.answered": {
            target: "#agent.heeding",
            actions: assign(({ context, event }) => lookedAround(context, event)),
          },
        },
        after: { toolsTimeout: "#agent.resting" },
      },
    },
  });

/* The states in which an agent asks other parts what they have to say to its next prompt. Ours. */

const STATES = { "goal.choose": "choosing", plan: "planning" } as const;

const askedFor = ({ sections }: AttachedHooks, purpose: PromptPurpose): readonly string[] =>
  sections.filter(({ purposes }) => purposes.includes(purpose)).map(({ from }) => from);

/** The state in which an agent asks its model, or the one before it, where other parts have a say. */
const wayTo = (attached: AttachedHooks, purpose: PromptPurpose): string =>
  askedFor(attached, purpose).length === 0
    ? `#agent.${STATES[purpose]}`
    : `#agent.consulting.${STATES[purpose]}`;

/** No state at all where no part has anything to say. */
function consultingStates(policy: AgentPolicy, attached: AttachedHooks) {
  const states = Object.fromEntries(
    (["goal.choose", "plan"] as const)
      .filter((purpose) => askedFor(attached, purpose).length > 0)
      .map((purpose) => [STATES[purpose], consulting(policy, attached, purpose)]),
  );
  const [initial] = Object.keys(states);
  return initial === undefined ? {} : { consulting: { initial, states } };
}

/** Goes on once every actor that was asked has answered, is known not to be there, or is late. */
function consulting(policy: AgentPolicy, attached: AttachedHooks, purpose: PromptPurpose) {
  const addresses = askedFor(attached, purpose);
  const target = `#agent.${STATES[purpose]}`;
  return agentSetup(policy).createStateConfig({
    entry: [
      assign({ advice: { missing: addresses, sections: [] } }),
      post(({ context }) => addresses.map((to) => sectionLetter(context, to, purpose))),
    ],
    exit: post(() => addresses.map((from) => cancelAsk(keyOf(from)))),
    on: {
      "section.answered": { actions: assign(({ context, event }) => advised(context, event)) },
      "ask.bounced": { actions: assign(({ context, event }) => unadvised(context, event)) },
    },
    always: { guard: "isAdvised", target },
    after: { sectionsTimeout: target },
  });
}

/* What actors of other parts hear of each step of an agent's plan. Ours. */

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
const lateStepReports = (context: AgentContext, fact: number, attached: AttachedHooks): Letter[] =>
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

/** A judge has said its word, or has not; the ledger hears of it, and the agent goes on. */
const weighedMessage = { target: "heeding", actions: "tellMessageJudged" } as const;
const weighedPlan = { target: "#agent.acting", actions: "tellPlanJudged" } as const;

export const agentMachine = (policy: AgentPolicy, hooks: readonly AgentHooks[] = []) => {
  const attached = allHooks(hooks);
  const threat = asks("judge", ({ context }) => threatQuestion(context));
  const choice = asks("model", ({ context }) => choiceQuestion(context, policy));
  const plan = asks("model", ({ context }) => planQuestion(context, policy));
  return agentSetup(policy).createMachine({
    id: "agent",
    context: ({ input: { at: _, ...input } }) => openingContext(input),
    initial: "resting",
    on: {
      "daemon.stopped": {
        target: ".stopped",
        actions: post(({ context: { goal } }): readonly Letter[] =>
          goal === null ? [] : [{ to: goal.address, event: { type: "daemon.stopped" } }],
        ),
      },
      "host.message": { actions: assign(({ context, event }) => listened(context, event)) },
      "peer.message": { actions: assign(({ context, event }) => listened(context, event)) },
      "outside.signal": { actions: assign(({ context, event }) => listened(context, event)) },
      "agent.joined": { actions: assign(({ context, event }) => joined(context, event)) },
      "agent.left": { actions: assign(({ context, event }) => left(context, event)) },
      "stressor.changed": { actions: assign(({ context, event }) => felt(context, event)) },
      "crisis.reset": [
        { guard: "hasGoal", target: ".givingUp", actions: "relieve" },
        { actions: "relieve" },
      ],
    },
    states: {
      resting: {
        entry: [
          post(({ context, event }) => cycleEndedLetters(context, event)),
          assign(({ context }) => ({ endedCycle: context.cycle, choice: null })),
        ],
        after: { heartbeat: "perceiving" },
      },
      perceiving: {
        entry: assign(({ context }) => awoken(context)),
        ...perceivingStates(policy),
      },
      heeding: {
        entry: assign(({ context }) => heeded(context, policy)),
        always: [
          { guard: "hasGoal", target: wayTo(attached, "plan") },
          { guard: "hasMessages", target: "hearing" },
          { target: wayTo(attached, "goal.choose") },
        ],
      },
      ...consultingStates(policy, attached),
      hearing: {
        entry: [threat.entry, assign(({ context }) => weighed(context))],
        exit: threat.exit,
        on: { "llm.replied": weighedMessage, "llm.failed": weighedMessage },
        after: { threatTimeout: weighedMessage },
      },
      choosing: {
        entry: [assign(({ context }) => asking(context)), choice.entry],
        exit: choice.exit,
        on: {
          "llm.replied": {
            target: "chosen",
            actions: assign(({ event }) => choiceIn(event, policy)),
          },
          "llm.failed": "atALoss",
        },
        after: { modelTimeout: "atALoss" },
      },
      chosen: {
        always: [
          {
            guard: "isGoal",
            target: wayTo(attached, "plan"),
            actions: [
              assign(({ context, event }) => goalChosen(context, event, policy)),
              post(({ context, event }) => [
                ...startGoalLetter(context),
                ...reflectionLetters(context, event, policy),
              ]),
            ],
          },
          {
            guard: "isRest",
            target: "resting",
            actions: [
              assign(({ context }) => reflected(context, policy)),
              post(({ context, event }) => reflectionLetters(context, event, policy)),
            ],
          },
          { target: "atALoss", actions: assign(({ context }) => ({ heard: unheard(context) })) },
        ],
      },
      atALoss: {
        entry: assign(({ context, event }) => atALoss(context, event, policy)),
        always: [
          {
            guard: "canFallBack",
            target: wayTo(attached, "plan"),
            actions: [
              assign(({ context, event }) => fellBack(context, event)),
              post(({ context }) => startGoalLetter(context)),
              "saveProfile",
            ],
          },
          { target: "resting" },
        ],
      },
      planning: {
        entry: [assign({ choice: null }), plan.entry],
        exit: plan.exit,
        on: {
          "llm.replied": {
            target: "planned",
            actions: assign(({ event }) => planned(event, policy)),
          },
          "llm.failed": "resting",
        },
        after: { modelTimeout: "resting" },
      },
      planned: {
        always: [
          { guard: "isPlan", target: "weighing" },
          {
            guard: "isLastPlan",
            target: "givingUp",
            actions: assign(({ context, event }) => outOfPlans(context, event)),
          },
          {
            target: "resting",
            actions: assign(({ context, event }) => unplanned(context, event)),
          },
        ],
      },
      weighing: {
        initial: "whether",
        states: {
          whether: {
            always: [{ guard: "hasOpinions", target: "judging" }, { target: "#agent.acting" }],
          },
          judging: {
            ...asks("judge", ({ context }) => identityQuestion(context)),
            on: { "llm.replied": weighedPlan, "llm.failed": weighedPlan },
            after: { identityTimeout: weighedPlan },
          },
        },
      },
      acting: {
        initial: "calling",
        states: {
          calling: {
            ...asks("call", ({ context }) => callQuestion(context)),
            on: {
              "call.finished": {
                target: "reporting",
                actions: [
                  assign(({ context, event }) => stepEnded(context, event, policy)),
                  post(({ context, event }) => [
                    ...stepLetters(context, event, policy),
                    ...stepReports(context, event, context.next - 1, attached),
                  ]),
                ],
              },
            },
            after: {
              callTimeout: {
                target: "#agent.resting",
                actions: post(({ context, event }) =>
                  lateStepReports(context, event.at.seq, attached),
                ),
              },
            },
          },
          reporting: {
            exit: "forgetVerdict",
            on: {
              "goal.judged": [
                {
                  guard: "isOver",
                  target: "#agent.resting",
                  actions: [assign(({ context, event }) => judged(context, event)), "saveProfile"],
                },
                {
                  target: "deciding",
                  actions: assign(({ context, event }) => judged(context, event)),
                },
              ],
              // The goal is being judged and hears nothing else: it is given up after the verdict.
              "crisis.reset": { actions: "relieve" },
            },
            after: {
              goalTimeout: [
                { guard: "givesUp", target: "#agent.givingUp" },
                { target: "#agent.resting" },
              ],
            },
          },
          deciding: {
            always: [
              { guard: "givesUp", target: "#agent.givingUp" },
              { guard: "isOutOfSteps", target: "#agent.resting" },
              { guard: "hasFailed", target: wayTo(attached, "plan") },
              { target: "calling" },
            ],
          },
        },
      },
      givingUp: {
        entry: [post(({ context }) => givenUpLetters(context)), assign({ givesUp: null })],
        exit: "forgetVerdict",
        on: {
          "goal.judged": {
            target: "resting",
            actions: [assign(({ context, event }) => judged(context, event)), "saveProfile"],
          },
          "crisis.reset": { actions: assign({ suffering: [], locks: [] }) },
        },
        after: { givingUpTimeout: "resting" },
      },
      stopped: { type: "final" },
    },
  });
};
