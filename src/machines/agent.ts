/**
 * One agent's existence loop: rest, look around, choose a goal, plan, act step by step, and rest
 * again. Every stage that waits for somebody has a named time-out.
 * Source: seed 004, "Goals"; seed 000, "Setup" for the planning time; rulings U9, T11, T13.
 */
import { assign, setup } from "xstate";
import {
  type AgentContext,
  type AgentEvent,
  type AgentInput,
  callLetter,
  chooseLetter,
  goalChosen,
  judged,
  openingContext,
  planLetter,
  startGoalLetter,
  stepEnded,
  stepLetters,
  unheard,
} from "./agentTurn.ts";
import { type At, ask, cancelAsk, type Outbox, post } from "./letter.ts";
import { readGoalAnswer, readPlanAnswer } from "./modelAnswers.ts";
import type { AgentPolicy } from "./planner.ts";

export const agentMachine = (policy: AgentPolicy) =>
  setup({
    types: {
      context: {} as AgentContext,
      events: {} as AgentEvent,
      input: {} as AgentInput & { at: At },
      emitted: {} as Outbox,
    },
    guards: {
      hasGoal: ({ context }) => context.goal !== null,
      isGoal: ({ event }) =>
        event.type === "llm.replied" && typeof readGoalAnswer(event.text) === "object",
      isPlan: ({ event }) =>
        event.type === "llm.replied" && readPlanAnswer(event.text) !== undefined,
      isOver: ({ event }) => event.type === "goal.judged" && event.status !== "active",
      hasFailed: ({ context }) => context.failures > 0,
      isOutOfSteps: ({ context }) =>
        context.steps >= policy.planner.stepsPerCycle || context.next >= context.plan.length,
    },
    delays: {
      heartbeat: policy.planner.heartbeatMs,
      peersTimeout: policy.planner.answerTimeoutMs,
      toolsTimeout: policy.planner.answerTimeoutMs,
      goalTimeout: policy.planner.answerTimeoutMs,
      callTimeout: policy.planner.callTimeoutMs,
      modelTimeout: policy.planner.modelTimeoutMs,
    },
  }).createMachine({
    id: "agent",
    context: ({ input: { at: _, ...input } }) => openingContext(input),
    initial: "resting",
    on: {
      "daemon.stopped": {
        target: ".stopped",
        actions: post(({ context: { goal } }) =>
          goal === null ? [] : [{ to: goal.address, event: { type: "daemon.stopped" } }],
        ),
      },
      "host.message": {
        actions: assign(({ context, event }) => ({
          heard: [...context.heard, { text: event.text, fact: event.at.seq }],
        })),
      },
      "stressor.changed": {
        actions: assign(({ context, event }) => ({
          suffering: [
            ...context.suffering.filter(({ type }) => type !== event.stressor),
            ...(event.sinceMs === null
              ? []
              : [
                  {
                    type: event.stressor,
                    sinceMs: event.sinceMs,
                    start: event.start,
                    growthPerDay: event.growthPerDay,
                  },
                ]),
          ],
        })),
      },
    },
    states: {
      resting: { after: { heartbeat: "perceiving" } },
      perceiving: {
        entry: assign(({ context }) => ({ cycle: context.cycle + 1, steps: 0, failures: 0 })),
        initial: "peers",
        states: {
          peers: {
            entry: post(({ context }) => [
              ask({
                to: context.input.ledger,
                key: "peers",
                event: { type: "peers.asked", agent: context.input.name },
              }),
            ]),
            exit: post(() => [cancelAsk("peers")]),
            on: {
              "peers.answered": {
                target: "tools",
                actions: assign(({ event }) => ({ claims: event.claims })),
              },
            },
            after: { peersTimeout: "#agent.resting" },
          },
          tools: {
            entry: post(({ context }) => [
              ask({ to: context.input.engine, key: "tools", event: { type: "tools.asked" } }),
            ]),
            exit: post(() => [cancelAsk("tools")]),
            on: {
              "tools.answered": [
                {
                  guard: "hasGoal",
                  target: "#agent.planning",
                  actions: assign(({ event }) => ({ broken: event.broken, nowMs: event.at.nowMs })),
                },
                {
                  target: "#agent.choosing",
                  actions: assign(({ event }) => ({ broken: event.broken, nowMs: event.at.nowMs })),
                },
              ],
            },
            after: { toolsTimeout: "#agent.resting" },
          },
        },
      },
      choosing: {
        entry: [
          assign(({ context }) => ({ told: context.heard.length })),
          post(({ context }) => [chooseLetter(context)]),
        ],
        exit: post(() => [cancelAsk("model")]),
        on: {
          "llm.replied": [
            {
              guard: "isGoal",
              target: "planning",
              actions: [
                assign(({ context, event }) => goalChosen(context, event)),
                post(({ context }) => startGoalLetter(context)),
              ],
            },
            { target: "resting", actions: assign(({ context }) => ({ heard: unheard(context) })) },
          ],
          "llm.failed": "resting",
        },
        after: { modelTimeout: "resting" },
      },
      planning: {
        entry: post(({ context }) => [planLetter(context, policy)]),
        exit: post(() => [cancelAsk("model")]),
        on: {
          "llm.replied": [
            {
              guard: "isPlan",
              target: "acting",
              actions: assign(({ event }) => ({
                plan: readPlanAnswer(event.text) ?? [],
                planFact: event.at.seq,
                next: 0,
              })),
            },
            { target: "resting" },
          ],
          "llm.failed": "resting",
        },
        after: { modelTimeout: "resting" },
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
                  post(({ context, event }) => stepLetters(context, event, policy)),
                ],
              },
            },
            after: { callTimeout: "#agent.resting" },
          },
          reporting: {
            exit: post(() => [cancelAsk("verdict")]),
            on: {
              "goal.judged": [
                {
                  guard: "isOver",
                  target: "#agent.resting",
                  actions: assign(({ context, event }) => judged(context, event)),
                },
                {
                  target: "deciding",
                  actions: assign(({ context, event }) => judged(context, event)),
                },
              ],
            },
            after: { goalTimeout: "#agent.resting" },
          },
          deciding: {
            always: [
              { guard: "isOutOfSteps", target: "#agent.resting" },
              { guard: "hasFailed", target: "#agent.planning" },
              { target: "calling" },
            ],
          },
        },
      },
      stopped: { type: "final" },
    },
  });
