/**
 * One turn of the user, as the gateway serves it: plan, have what is missing built, run, answer.
 * Never a silent retreat. Source: seed 002, 2, 4.2.1, 7.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import {
  type At,
  ask,
  cancelAsk,
  type Letter,
  type MailOf,
  type Outbox,
  post,
  startActor,
} from "../letter.ts";
import { bouncedWords, DESK, noMaterial, POOL, type Wanted } from "./contract.ts";
import type { GatePolicy } from "./gatePolicy.ts";
import type { StagePolicy } from "./stageTable.ts";
import {
  addressOf,
  openingTurn,
  type TurnContext,
  type TurnEvent,
  type TurnInput,
} from "./turnContext.ts";
import {
  answerOf,
  gapOf,
  isComplete,
  planned,
  ran,
  replayedUnasked,
  runCost,
  runRequest,
  stepDone,
  stepFailed,
  stepRan,
  substituted,
} from "./turnUpdates.ts";
import { planMs, requestMs } from "./waits.ts";

interface Policies {
  readonly synt: { readonly gate: GatePolicy; readonly stages: StagePolicy };
}

const BUILDING = "I am building a new component to extend my capabilities";

export const userTurnMachine = ({ synt }: Policies) =>
  setup({
    types: {
      context: {} as TurnContext,
      events: {} as TurnEvent,
      input: {} as TurnInput & { at: At },
      emitted: {} as Outbox,
    },
    guards: {
      isPlanless: ({ event }) => event.type === "plan.made" && event.why !== null,
      hasGap: ({ context }) => context.gap !== null,
      isBuilt: ({ event }) =>
        event.type === "synth.ended" && (event.state === "delivered" || event.state === "born"),
      isLastStep: ({ context }) => context.ran?.ok === true && isComplete(context),
      isStep: ({ context }) => context.ran?.ok === true,
      isLoaded: ({ event }) => event.type === "executor.found" && event.isLoaded,
    },
    actions: {
      planned: assign(({ context, event }) => planned(context, event)),
      planless: assign(({ context, event }) => planned(context, event)),
      substituted: assign(({ context, event }) => substituted(context, event)),
      declined: assign(({ context, event }) => ({
        ...context,
        why: event.type === "synth.ended" ? event.rationale : "no answer from synt in time",
      })),
      begun: assign(({ context, event }) => ({ ...context, startedMs: event.at.nowMs })),
      found: assign(({ context, event }) => ({
        ...context,
        startedMs: event.at.nowMs,
        running: event.type === "executor.found" ? event.name : context.running,
        code: event.type === "executor.found" ? event.code : null,
      })),
      unloaded: assign(({ context }) => ({
        ...context,
        why: `${context.steps[context.step]} is not loaded`,
      })),
      ran: assign(({ context, event }) => ran(context, event)),
      stepDone: assign(({ context }) => stepDone(context)),
      stepFailed: assign(({ context }) => stepFailed(context)),
      bounced: assign(({ context, event }) => ({ ...context, why: bouncedWords(event) })),
      plannerLate: assign(({ context }) => late(context, "the planner")),
      syntLate: assign(({ context }) => late(context, "synt")),
      poolLate: assign(({ context }) => late(context, "the pool")),
      executorLate: assign(({ context }) => late(context, context.running)),
      reported: post(({ context, event }) => [stepRan(context, event), ...runCost(context, event)]),
      unasked: post(({ context, event }) => replayedUnasked(context, event)),
      announced: post(({ context }) => [tell(context, BUILDING)]),
    },
    delays: {
      answerTimeout: ANSWER_WAIT_MS,
      planTimeout: planMs(synt),
      synthTimeout: requestMs(synt),
    },
  }).createMachine({
    id: "userTurn",
    context: ({ input: { at, ...input } }) => openingTurn(input, at),
    initial: "planning",
    on: { "ask.bounced": { target: ".answered", actions: "bounced" } },
    states: {
      planning: {
        entry: post(({ context }) => {
          const { turn, says } = context.input;
          const planner = { turn, says, replyTo: addressOf(context) };
          return [
            { to: DESK, event: { type: "turn.opened", turn } },
            startActor("turnPlanner", `planner/${turn}`, planner),
          ];
        }),
        on: {
          "plan.made": [
            { guard: "isPlanless", target: "answered", actions: "planless" },
            { target: "checking", actions: ["planned", "unasked"] },
          ],
        },
        after: { planTimeout: { target: "answered", actions: "plannerLate" } },
      },
      checking: {
        always: [{ guard: "hasGap", target: "synthesising" }, { target: "running" }],
      },
      synthesising: {
        entry: post(({ context }) => missed(context)),
        exit: post(() => [cancelAsk("synt")]),
        on: {
          "synth.progressed": { actions: "announced" },
          "synth.ended": [
            { guard: "isBuilt", target: "checking", actions: "substituted" },
            { target: "answered", actions: "declined" },
          ],
        },
        after: { synthTimeout: { target: "answered", actions: "syntLate" } },
      },
      running: {
        initial: "seeking",
        states: {
          seeking: {
            entry: post(({ context: { steps, step, input } }) => [
              ask({
                to: POOL,
                key: "executor",
                event: { type: "executor.sought", name: steps[step] ?? "", case: input.case },
              }),
            ]),
            exit: post(() => [cancelAsk("executor")]),
            on: {
              "executor.found": [
                { guard: "isLoaded", target: "executing", actions: "found" },
                { target: "#answered", actions: "unloaded" },
              ],
            },
            after: { answerTimeout: { target: "#answered", actions: "poolLate" } },
          },
          executing: {
            entry: post(({ context }) => [runRequest(context, synt)]),
            exit: post(() => [cancelAsk("run")]),
            on: {
              "executor.ended": { target: "ran", actions: ["ran", "reported"] },
              "sandbox.replied": { target: "ran", actions: ["ran", "reported"] },
            },
            after: { answerTimeout: { target: "#answered", actions: "executorLate" } },
          },
          ran: {
            always: [
              { guard: "isLastStep", target: "#answered", actions: "stepDone" },
              { guard: "isStep", target: "seeking", actions: "stepDone" },
              { target: "#answered", actions: "stepFailed" },
            ],
          },
        },
      },
      answered: {
        id: "answered",
        type: "final",
        entry: post(({ context, event }) => closing(context, event.at)),
      },
    },
  });

const late = (context: TurnContext, who: string): TurnContext => ({
  ...context,
  why: `${who} did not answer in time`,
});

const tell = (context: TurnContext, text: string): Letter => ({
  to: DESK,
  event: { type: "user.told", turn: context.input.turn, text },
});

/** What is missing leaves its proto-mnest and goes to the desk. */
function missed(context: TurnContext): Letter[] {
  const need = gapOf(context);
  const isNamed = need.name !== "";
  const wanted: Wanted = {
    mode: "reactive",
    strategy: null,
    proto: isNamed ? `proto/${need.name}` : null,
    need,
    material: noMaterial,
    budgetCents: context.input.budgetCents,
    revision: null,
  };
  const raised: MailOf<"proto.raised"> = {
    type: "proto.raised",
    missing: { ...need, chain: [], args: [] },
  };
  return [
    ...(isNamed ? [{ to: POOL, event: raised }] : []),
    ask({ to: DESK, key: "synt", event: { type: "synth.requested", ...wanted } }),
  ];
}

function closing(context: TurnContext, at: At): Letter[] {
  const { input, steps, why, composed, missed, openedMs } = context;
  const { ok, text } = answerOf(context);
  const ran: MailOf<"chain.ran"> = {
    type: "chain.ran",
    chain: steps,
    query: input.says,
    args: Object.keys(input.args),
    composed,
    missed,
    ok,
  };
  const isRun = why === null || context.step > 0;
  return [
    ...(isRun ? [{ to: POOL, event: ran }] : []),
    tell(context, text),
    {
      to: DESK,
      event: {
        type: "turn.closed",
        turn: input.turn,
        ok,
        ms: at.nowMs - openedMs,
        replayed: context.isReplayed,
      },
    },
  ];
}
