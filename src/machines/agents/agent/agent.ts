/**
 * One agent's existence loop: rest, look around, heed what was said, choose a goal, plan, weigh the
 * plan, act step by step, and rest again. Every stage that waits for another actor has a named time-out.
 * Source: seed 004, "Goals"; seed 000, "Setup" for the planning time; rulings U3, U8, U9, T11, T13.
 */
import { assign } from "xstate";
import { cancelAsk, type Letter, post } from "../../letter.ts";
import { type AgentHooks, allHooks } from "../hooks.ts";
import { agentSetup } from "./agentSetup.ts";
import {
  awoken,
  callLetter,
  cycleEndedLetters,
  felt,
  givenUpLetters,
  joined,
  judged,
  left,
  listened,
  planLetter,
  stepEnded,
  stepLetters,
} from "./agentTurn.ts";
import {
  asking,
  atALoss,
  choiceIn,
  chooseLetter,
  fellBack,
  goalChosen,
  reflected,
  reflectionLetters,
  startGoalLetter,
  unheard,
} from "./choosing.ts";
import { consultingStates, wayTo } from "./consulting.ts";
import { openingContext } from "./context.ts";
import { outOfPlans, planned, unplanned } from "./emptyPlans.ts";
import { heeded, identityLetter, threatLetter, weighed } from "./judging.ts";
import { perceivingStates } from "./perceiving.ts";
import type { AgentPolicy } from "./planner.ts";
import { lateStepReports, stepReports } from "./stepReports.ts";

export const agentMachine = (policy: AgentPolicy, hooks: readonly AgentHooks[] = []) => {
  const attached = allHooks(hooks);
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
        entry: [
          post(({ context }) => [threatLetter(context)]),
          assign(({ context }) => weighed(context)),
        ],
        exit: "forgetJudge",
        on: {
          "llm.replied": { target: "heeding", actions: "tellMessageJudged" },
          "llm.failed": { target: "heeding", actions: "tellMessageJudged" },
        },
        after: {
          threatTimeout: { target: "heeding", actions: "tellMessageJudged" },
        },
      },
      choosing: {
        entry: [
          assign(({ context }) => asking(context)),
          post(({ context }) => [chooseLetter(context, policy)]),
        ],
        exit: "forgetModel",
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
        entry: [assign({ choice: null }), post(({ context }) => [planLetter(context, policy)])],
        exit: "forgetModel",
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
            entry: post(({ context }) => [identityLetter(context)]),
            exit: "forgetJudge",
            on: {
              "llm.replied": { target: "#agent.acting", actions: "tellPlanJudged" },
              "llm.failed": { target: "#agent.acting", actions: "tellPlanJudged" },
            },
            after: {
              identityTimeout: { target: "#agent.acting", actions: "tellPlanJudged" },
            },
          },
        },
      },
      acting: {
        initial: "calling",
        states: {
          calling: {
            entry: post(({ context }) => [callLetter(context)]),
            exit: post(() => [cancelAsk("call")]),
            on: {
              "call.finished": {
                target: "reporting",
                actions: [
                  assign(({ context, event }) => stepEnded(context, event)),
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
