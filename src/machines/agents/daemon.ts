/**
 * The process that hosts every actor: it reads the virtual files, starts engine, ledger, stressors,
 * agents and their open goals, and after a restart does so again from the files alone.
 * Source: seed 000, "This file survives daemon restarts"; DESIGN §2, birth and death.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import { type At, ask, cancelAsk, type Letter, type Outbox, post } from "../letter.ts";
import { births, livesAtStart } from "./births.ts";
import type {
  DaemonContext,
  DaemonEvent,
  DaemonInput,
  DaemonPolicy,
  Forward,
} from "./daemonContext.ts";
import { TOOLS_FOLDER } from "./engine/state.ts";
import { MEMORY_FOLDER } from "./goal/goalRegistry.ts";
import { type AgentHooks, allHooks } from "./hooks.ts";
import {
  agentAddress,
  birthLetters,
  bornLetters,
  endLetters,
  unbornLetters,
  withBorn,
  withoutEnded,
  withUnborn,
} from "./requestedBirths.ts";

export const daemonMachine = (policy: DaemonPolicy, hooks: readonly AgentHooks[] = []) => {
  const attached = allHooks(hooks);
  return setup({
    types: {
      context: {} as DaemonContext,
      events: {} as DaemonEvent,
      input: {} as DaemonInput & { at: At },
      emitted: {} as Outbox,
    },
    delays: { downtime: policy.daemon.downMs, filesTimeout: ANSWER_WAIT_MS },
    actions: {
      keep: assign(({ context, event }) => ({ kept: [...context.kept, ...forwards(event)] })),
      passOn: post(({ context, event }) => forwards(event).map((one) => forwarded(context, one))),
    },
  }).createMachine({
    id: "daemon",
    context: ({ input: { agents, startsAtMs } }) => ({
      agents,
      startsAtMs,
      boot: 0,
      children: [],
      kept: [],
    }),
    initial: "reading",
    on: {
      "birth.asked": {
        actions: [
          post(({ context, event }) => birthLetters(context, event, attached, policy)),
          assign(({ context, event }) => withUnborn(context, event, attached, policy)),
        ],
      },
      "end.asked": {
        actions: [
          post(({ context, event }) => endLetters(context, event)),
          assign(({ context, event }) => withoutEnded(context, event)),
        ],
      },
    },
    states: {
      reading: {
        entry: [
          assign(({ context }) => ({ boot: context.boot + 1, ...livesAtStart(context) })),
          post(() => [
            ask({
              to: "files",
              key: "memory",
              event: { type: "files.snapshot", folders: [MEMORY_FOLDER, TOOLS_FOLDER] },
            }),
          ]),
        ],
        exit: post(() => [cancelAsk("memory")]),
        on: {
          "files.replied": {
            target: "running",
            actions: [
              assign(({ context, event }) => ({
                children: births(context, event, policy)
                  .flatMap(({ event: born }) => (born.type === "actor.start" ? [born.address] : []))
                  .filter((address) => !address.startsWith("goal/")),
              })),
              post(({ context, event }) => [
                ...births(context, event, policy),
                ...context.kept.map((one) => forwarded(context, one)),
                ...unbornLetters(context),
              ]),
            ],
          },
          "host.message": { actions: "keep" },
          "outside.signal": { actions: "keep" },
        },
        after: { filesTimeout: { target: "reading", reenter: true } },
      },
      running: {
        on: {
          "host.message": { actions: "passOn" },
          "outside.signal": { actions: "passOn" },
          "daemon.restarted": "down",
          "files.replied": {
            actions: [
              post(({ context, event }) => bornLetters(context, event, policy)),
              assign(({ context, event }) => withBorn(context, event, policy)),
            ],
          },
        },
      },
      down: {
        entry: [
          post(({ context }) =>
            context.children.map((to): Letter => ({ to, event: { type: "daemon.stopped" } })),
          ),
          assign({ kept: [], children: [] }),
        ],
        on: { "host.message": { actions: "keep" }, "outside.signal": { actions: "keep" } },
        after: { downtime: "reading" },
      },
    },
  });
};

/** A message goes to one agent, a signal to each that notices it. */
function forwards(event: DaemonEvent): readonly Forward[] {
  const { type, at } = event;
  if (type !== "host.message" && type !== "outside.signal") return [];
  const agents = type === "host.message" ? [event.agent ?? []].flat() : (event.agents ?? []);
  return agents.map((agent) => ({ agent, type, text: event.text, fact: at.seq }));
}

const forwarded = (context: DaemonContext, { agent, type, text, fact }: Forward): Letter => ({
  to: agentAddress(context, agent),
  event: { type, text },
  because: [fact],
});
