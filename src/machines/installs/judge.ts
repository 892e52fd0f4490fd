/**
 * Evaluator and auditor: each looks an artifact over, lets its model judge it, and makes the promotion record of its own role,
 * which nobody else can. A record that was not made opens no gate, whatever the judge says. Source: seed 003, promotion gate.
 */
import { assign, setup } from "xstate";
import { type At, cancelAsk, type Outbox, post } from "../letter.ts";
import type { Role } from "./addresses.ts";
import type { CrewPolicy } from "./crewPolicy.ts";
import { MODEL, TOOL } from "./crewTools.ts";
import {
  fileAsked,
  filed,
  inspected,
  inspectionAsked,
  type JudgeContext,
  type JudgeEvent,
  judged,
  judgementAsked,
  judgementTold,
  judgingLeft,
  judgingTaken,
  openingJudge,
  read,
  recordAsked,
} from "./judgeUpdates.ts";

export const judgeMachine = (
  role: Role,
  { installs: { crew } }: { readonly installs: { readonly crew: CrewPolicy } },
) =>
  setup({
    types: {
      context: {} as JudgeContext,
      events: {} as JudgeEvent,
      input: {} as { readonly at: At },
      emitted: {} as Outbox,
    },
    guards: {
      hasWork: ({ context }) => context.queue.length > 0,
      isFaulty: ({ context }) => context.fault !== null,
      hasFiles: ({ context }) => context.unread.length > 0,
    },
    actions: {
      refused: assign(({ event }) => ({
        fault: event.type === "llm.failed" ? event.error : "nobody answers there",
      })),
      modelLate: assign(() => ({ fault: "the model did not answer in time" })),
      gatewayLate: assign(() => ({ fault: "the gateway did not answer in time" })),
    },
    delays: { modelTimeout: crew.modelTimeoutMs, toolTimeout: crew.toolTimeoutMs },
  }).createMachine({
    id: role,
    context: openingJudge(role),
    initial: "idle",
    on: {
      "judging.wanted": {
        actions: assign(({ context, event }) => ({ queue: [...context.queue, event] })),
      },
      "ask.bounced": { target: ".telling", actions: "refused" },
    },
    states: {
      idle: {
        always: {
          guard: "hasWork",
          target: "inspecting",
          actions: assign(({ context }) => judgingTaken(context)),
        },
      },
      inspecting: {
        entry: post(({ context }) => [inspectionAsked(context)]),
        exit: post(() => [cancelAsk(TOOL)]),
        on: {
          "gateway.answered": {
            target: "inspected",
            actions: assign(({ context, event }) => inspected(context, event, crew)),
          },
        },
        after: { toolTimeout: { target: "telling", actions: "gatewayLate" } },
      },
      inspected: {
        always: [
          { guard: "isFaulty", target: "telling" },
          { guard: "hasFiles", target: "reading" },
          { target: "judging" },
        ],
      },
      reading: {
        entry: post(({ context }) => [fileAsked(context)]),
        exit: post(() => [cancelAsk(TOOL)]),
        on: {
          "gateway.answered": {
            target: "inspected",
            actions: assign(({ context, event }) => read(context, event)),
          },
        },
        after: { toolTimeout: { target: "telling", actions: "gatewayLate" } },
      },
      judging: {
        entry: post(({ context }) => [judgementAsked(context)]),
        exit: post(() => [cancelAsk(MODEL)]),
        on: {
          "llm.replied": {
            target: "judged",
            actions: assign(({ context, event }) => judged(context, event)),
          },
          "llm.failed": { target: "telling", actions: "refused" },
        },
        after: { modelTimeout: { target: "telling", actions: "modelLate" } },
      },
      judged: { always: [{ guard: "isFaulty", target: "telling" }, { target: "recording" }] },
      recording: {
        entry: post(({ context }) => [recordAsked(context)]),
        exit: post(() => [cancelAsk(TOOL)]),
        on: {
          "gateway.answered": {
            target: "telling",
            actions: assign(({ context, event }) => filed(context, event)),
          },
        },
        after: { toolTimeout: { target: "telling", actions: "gatewayLate" } },
      },
      telling: {
        entry: post(({ context }) => judgementTold(context)),
        exit: assign(({ context }) => judgingLeft(context)),
        always: "idle",
      },
    },
  });
