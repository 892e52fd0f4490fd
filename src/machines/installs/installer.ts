/**
 * The builder: takes one install after another, lets its model say what it does next and holds it to the rules. Awake again, it
 * asks workflow.state first; an approval does not end its turn, a failure does. Source: seed 003.
 */
import { assign, setup } from "xstate";
import {
  type At,
  cancelAsk,
  type Delivered,
  type Letter,
  type MailOf,
  type Outbox,
  post,
} from "../letter.ts";
import { GATEWAY } from "./addresses.ts";
import { endsTurn } from "./builderRules.ts";
import type { CrewPolicy } from "./crewPolicy.ts";
import { MODEL, TOOL } from "./crewTools.ts";
import {
  type InstallerContext,
  type InstallerEvent,
  openingInstaller,
  taskLeft,
  taskTaken,
} from "./installerContext.ts";
import {
  broken,
  called,
  heard,
  heldTold,
  queued,
  reportTold,
  ruled,
  silent,
  stateAsked,
  stepped,
  thought,
  turnAsked,
  unapproved,
  waitingTold,
} from "./installerUpdates.ts";
import { woken } from "./installerWaking.ts";

const CREATE = "agent.revision.create_from_intent";

export const installerMachine = ({
  installs: { crew },
}: {
  readonly installs: { readonly crew: CrewPolicy };
}) =>
  setup({
    types: {
      context: {} as InstallerContext,
      events: {} as InstallerEvent,
      input: {} as { readonly at: At },
      emitted: {} as Outbox,
    },
    guards: {
      hasWork: ({ context }) => context.queue.length > 0,
      isOver: ({ context }) => context.report?.outcome === "broken",
      isPending: ({ context }) => context.phase === "approval-pending",
      ends: ({ context }) => context.step !== null && endsTurn(context.step.tool),
      isApproved: ({ context }) => context.ruling?.isApproved === true,
      isRuled: ({ context }) => context.ruling !== null,
      mayWake: ({ context }) => context.wakes < crew.wakes,
    },
    actions: {
      // Said to itself, for the log: it is heard, and nothing follows.
      logged: assign(() => ({})),
      queued: assign(({ context, event }) => queued(context, event)),
      ruled: assign(({ context, event }) => ruled(context, event)),
      bounced: assign(() => broken("nothing answers at the gateway")),
      late: assign(() => broken("the gateway did not answer")),
    },
    delays: { modelTimeout: crew.modelTimeoutMs, toolTimeout: crew.toolTimeoutMs },
  }).createMachine({
    id: "installer",
    context: openingInstaller,
    initial: "idle",
    on: {
      "install.delegated": { actions: "queued" },
      "install.held": { actions: "logged" },
      "rollback.wanted": { actions: post(({ event }) => [rollbackAsked(event)]) },
      "approval.decided": { actions: "ruled" },
      "approval.expired": { actions: "ruled" },
    },
    states: {
      idle: {
        always: {
          guard: "hasWork",
          target: "busy",
          actions: assign(({ context }) => taskTaken(context)),
        },
      },
      busy: {
        initial: "thinking",
        on: { "turn.interrupted": { target: ".waking" } },
        states: {
          waking: {
            entry: post(({ context }) => [stateAsked(context)]),
            exit: post(() => [cancelAsk(TOOL)]),
            on: {
              "gateway.answered": {
                target: "woken",
                actions: assign(({ context, event }) => woken(context, event)),
              },
              "ask.bounced": { target: "#installer.reporting", actions: "bounced" },
            },
            after: { toolTimeout: { target: "#installer.reporting", actions: "late" } },
          },
          woken: {
            always: [
              { guard: "isOver", target: "#installer.reporting" },
              { guard: "isPending", target: "waiting" },
              { target: "thinking" },
            ],
          },
          thinking: {
            entry: post(({ context }) => [turnAsked(context)]),
            exit: post(() => [cancelAsk(MODEL)]),
            on: {
              "llm.replied": {
                target: "stepping",
                actions: assign(({ context, event }) => thought(context, event)),
              },
              "llm.failed": {
                target: "stepping",
                actions: assign(({ event }) => silent(event.error)),
              },
              "ask.bounced": {
                target: "stepping",
                actions: assign(() => silent("no model is there")),
              },
            },
            after: {
              modelTimeout: {
                target: "stepping",
                actions: assign(() => silent("the model did not answer in time")),
              },
            },
          },
          stepping: {
            entry: [
              assign(({ context }) => stepped(context, crew)),
              post(({ context }) => heldTold(context)),
            ],
            always: [
              { guard: "isPending", target: "stopping" },
              { guard: "ends", target: "#installer.reporting" },
              { target: "calling" },
            ],
          },
          calling: {
            entry: [
              assign(({ context }) => ({
                hasAsked: context.hasAsked || context.step?.tool === CREATE,
              })),
              post(({ context }) => [called(context)]),
            ],
            exit: post(() => [cancelAsk(TOOL)]),
            on: {
              "gateway.answered": {
                target: "thinking",
                actions: assign(({ context, event }) => heard(context, event)),
              },
              "ask.bounced": { target: "#installer.reporting", actions: "bounced" },
            },
            after: {
              toolTimeout: [
                {
                  guard: "mayWake",
                  target: "waking",
                  actions: assign(({ context }) => ({ wakes: context.wakes + 1 })),
                },
                { target: "#installer.reporting", actions: "late" },
              ],
            },
          },
          stopping: {
            entry: post(({ context }) => waitingTold(context)),
            always: "waiting",
          },
          waiting: {
            always: [
              { guard: "isApproved", target: "waking" },
              {
                guard: "isRuled",
                target: "#installer.reporting",
                actions: assign(({ context }) => unapproved(context)),
              },
            ],
          },
        },
      },
      reporting: {
        entry: post(({ context }) => reportTold(context)),
        exit: assign(({ context }) => taskLeft(context)),
        always: "idle",
      },
    },
  });

/** What comes of it, the gateway tells. */
function rollbackAsked({ agent, to, reason, at }: Delivered<"rollback.wanted">): Letter {
  const params = { agent_id: agent, reason, ...(to === null ? {} : { to }) };
  const event: MailOf<"gateway.asked"> = {
    ...{ type: "gateway.asked", tool: "agent.revision.rollback", params },
  };
  return { to: GATEWAY, event, because: [at.seq] };
}
