/**
 * The planner: takes one wish after another, lets its model decide what comes next and holds it to the rules; it builds, judges
 * and installs nothing itself. Whose judgement an install needs is by its matrix. Source: seed 003.
 */
import { assign, setup } from "xstate";
import { type At, cancelAsk, type Outbox, post } from "../letter.ts";
import { MODEL } from "./crewTools.ts";
import {
  openingPlanner,
  type PlannerContext,
  type PlannerEvent,
  type PlannerPolicy,
  wishLeft,
  wishTaken,
} from "./plannerContext.ts";
import {
  built,
  closeTold,
  decided,
  delegated,
  isJudgeOf,
  isOf,
  judgedBy,
  planAsked,
  planTold,
  reported,
  silent,
  thought,
  unanswered,
  WORK,
  wished,
  workTold,
} from "./plannerUpdates.ts";

export const plannerMachine = ({ installs }: { readonly installs: PlannerPolicy }) =>
  setup({
    types: {
      context: {} as PlannerContext,
      events: {} as PlannerEvent,
      input: {} as { readonly at: At },
      emitted: {} as Outbox,
    },
    guards: {
      hasWish: ({ context }) => context.queue.length > 0,
      ends: ({ context }) => context.end !== null,
      builds: ({ context }) => context.step?.next === "build",
      installs: ({ context }) => context.step?.next === "install",
      isDelivered: ({ context, event }) => event.type === "build.delivered" && isOf(context, event),
      isJudged: ({ context, event }) =>
        event.type === "judging.given" && isOf(context, event) && isJudgeOf(context, event.role),
      // That the builder waits for a person ends nothing.
      isReported: ({ context, event }) =>
        event.type === "install.reported" && isOf(context, event) && event.outcome !== "waiting",
    },
    actions: {
      // Said to itself, for the log: it is heard, and nothing follows.
      logged: assign(() => ({})),
      done: post(({ context }) => [workTold(context, "succeeded")]),
      failed: post(({ context }) => [workTold(context, "failed")]),
      bounced: assign(({ context }) => unanswered(context, "nobody is there")),
      late: assign(({ context }) => unanswered(context, "it did not answer in time")),
      delegate: post(({ context }) => delegated(context, installs)),
    },
    delays: {
      modelTimeout: installs.crew.modelTimeoutMs,
      workTimeout: installs.crew.workTimeoutMs,
    },
  }).createMachine({
    id: "planner",
    context: openingPlanner,
    initial: "idle",
    on: {
      "install.wanted": { actions: assign(({ context, event }) => wished(context, event)) },
      "install.planned": { actions: "logged" },
      "install.held": { actions: "logged" },
      "install.closed": { actions: "logged" },
    },
    states: {
      idle: {
        always: {
          guard: "hasWish",
          target: "thinking",
          actions: assign(({ context }) => wishTaken(context)),
        },
      },
      thinking: {
        entry: post(({ context }) => [planAsked(context, installs)]),
        exit: post(() => [cancelAsk(MODEL)]),
        on: {
          "llm.replied": {
            target: "deciding",
            actions: assign(({ context, event }) => thought(context, event)),
          },
          "llm.failed": {
            target: "deciding",
            actions: assign(({ event }) => silent(event.error)),
          },
          "ask.bounced": {
            target: "deciding",
            actions: assign(() => silent("no model is there")),
          },
        },
        after: {
          modelTimeout: {
            target: "deciding",
            actions: assign(() => silent("the model did not answer in time")),
          },
        },
      },
      deciding: {
        entry: [
          assign(({ context }) => decided(context, installs)),
          post(({ context }) => planTold(context, installs)),
        ],
        always: [
          { guard: "ends", target: "closing" },
          { guard: "builds", target: "building" },
          { guard: "installs", target: "installing" },
          { target: "judging" },
        ],
      },
      building: {
        entry: "delegate",
        exit: post(() => [cancelAsk(WORK)]),
        on: {
          "build.delivered": {
            guard: "isDelivered",
            target: "told",
            actions: assign(({ context, event }) => built(context, event)),
          },
          "ask.bounced": { target: "untold", actions: "bounced" },
        },
        after: { workTimeout: { target: "untold", actions: "late" } },
      },
      judging: {
        entry: "delegate",
        exit: post(() => [cancelAsk(WORK)]),
        on: {
          "judging.given": {
            guard: "isJudged",
            target: "told",
            actions: assign(({ context, event }) => judgedBy(context, event)),
          },
          "ask.bounced": { target: "untold", actions: "bounced" },
        },
        after: { workTimeout: { target: "untold", actions: "late" } },
      },
      installing: {
        entry: "delegate",
        exit: post(() => [cancelAsk(WORK)]),
        on: {
          "install.reported": {
            guard: "isReported",
            target: "told",
            actions: assign(({ context, event }) => reported(context, event)),
          },
          "ask.bounced": { target: "untold", actions: "bounced" },
        },
        after: { workTimeout: { target: "untold", actions: "late" } },
      },
      told: {
        entry: "done",
        always: [{ guard: "ends", target: "closing" }, { target: "thinking" }],
      },
      untold: { entry: "failed", always: "thinking" },
      closing: {
        entry: post(({ context }) => closeTold(context)),
        exit: assign(({ context }) => wishLeft(context)),
        always: "idle",
      },
    },
  });
