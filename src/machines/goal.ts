/**
 * One goal of one agent, from its choice to completion or abandonment. It keeps its own books:
 * every step and every verdict is appended to the agent's goal registry, so that it survives a
 * restart. Source: seed 004, "Goals", "Goal completion gate"; rulings U6, U7.
 */
import { assign, setup } from "xstate";
import type { FilesReply } from "./files.ts";
import { type GatePolicy, mechanicalFault } from "./gate.ts";
import { type At, answer, ask, cancelAsk, type Letter, type Outbox, post } from "./letter.ts";
import { afterStep, type Progress, type ProgressPolicy, startOfProgress } from "./progress.ts";
import { MILLION, seconds } from "./units.ts";

/** What the model declared when it chose the goal. */
export interface GoalDeclaration {
  readonly slug: string;
  readonly text: string;
  /** The one file that passes the gate. */
  readonly artifact: string;
  /** A line that must stand in the artifact, for goals that change a file of someone else. */
  readonly evidence: string | null;
}

export interface GoalInput extends GoalDeclaration {
  readonly agent: string;
  readonly n: number;
  readonly ledger: string;
  /** From the registry, when a restart resumes the goal. */
  readonly resumed?: SavedGoal;
}

/** The part of a registry line that a restart reads back. */
export interface SavedGoal extends Progress {
  readonly misses: number;
  readonly wrote: readonly string[];
}

export type GoalStatus = "active" | "completed" | "abandoned";

export type GoalEvent = { readonly at: At } & (
  | {
      readonly type: "step.ended";
      readonly ok: boolean;
      readonly capability: string | null;
      /** The path of a file that fs_write wrote, else null. */
      readonly wrote: string | null;
      /** It looked like success and returned nothing. */
      readonly nothing: boolean;
      /** The call.finished that ended the step. */
      readonly fact: number;
    }
  | { readonly type: "goal.givenUp"; readonly reason: string; readonly facts: readonly number[] }
  | ({ readonly type: "files.replied" } & Omit<FilesReply, "type">)
  | { readonly type: "ask.bounced" }
  | { readonly type: "daemon.stopped" }
);

export interface GoalContext extends Progress {
  readonly input: GoalInput;
  readonly misses: number;
  readonly wrote: readonly string[];
  /** Steps that returned nothing, and what the files said: what a missed gate rests on. */
  readonly facts: readonly number[];
  /** Who waits for a verdict on the last step. */
  readonly asker: At | null;
  readonly reason: string | null;
}

interface Policy {
  readonly progress: ProgressPolicy;
  readonly gate: GatePolicy;
}

/** How many facts a verdict names: enough to explain it, few enough to read. */
const FACTS_MAX = 8;

export const goalMachine = (policy: Policy) =>
  setup({
    types: {
      context: {} as GoalContext,
      events: {} as GoalEvent,
      input: {} as GoalInput & { at: At },
      emitted: {} as Outbox,
    },
    guards: {
      isFull: ({ context }) => context.progress >= MILLION,
      hasOutput: ({ context }) => context.outputs > 0,
      isOut: ({ context }) => context.misses >= policy.gate.missesMax,
      passes: ({ context, event }) =>
        event.type === "files.replied" &&
        mechanicalFault(context.input, event.ok ? (event.text ?? "") : null, policy.gate) ===
          undefined,
    },
    delays: { filesTimeout: seconds(60) },
  }).createMachine({
    id: "goal",
    context: ({ input: { at: _, ...input } }) => ({
      input,
      ...startOfProgress,
      misses: 0,
      wrote: [],
      facts: [],
      asker: null,
      reason: null,
      ...input.resumed,
    }),
    initial: "active",
    entry: post(({ context }) =>
      context.input.resumed === undefined ? [registryLetter(context, "active")] : [],
    ),
    on: { "daemon.stopped": ".stopped" },
    states: {
      active: {
        on: {
          "step.ended": {
            target: "judging",
            actions: assign(({ context, event }) => stepped(context, event, policy)),
          },
          "goal.givenUp": {
            target: "abandoned",
            actions: assign(({ event }) => ({
              asker: event.at,
              reason: event.reason,
              facts: event.facts,
            })),
          },
        },
      },
      judging: {
        always: [
          { guard: "isFull", target: "gate" },
          { target: "active", actions: post(({ context }) => verdict(context, "active")) },
        ],
      },
      gate: {
        initial: "output",
        states: {
          output: {
            always: [
              { guard: "hasOutput", target: "mechanical" },
              {
                target: "#goal.missed",
                actions: assign({ reason: "no step used an output capability" }),
              },
            ],
          },
          mechanical: {
            entry: post(({ context }) => [
              ask({
                to: "files",
                key: "artifact",
                event: { type: "files.read", path: context.input.artifact },
              }),
            ]),
            exit: post(() => [cancelAsk("artifact")]),
            on: {
              "files.replied": [
                { guard: "passes", target: "#goal.completed" },
                {
                  target: "#goal.missed",
                  actions: assign(({ context, event }) => ({
                    reason:
                      mechanicalFault(
                        context.input,
                        event.ok ? (event.text ?? "") : null,
                        policy.gate,
                      ) ?? null,
                    facts: [...context.facts, event.at.seq].slice(-FACTS_MAX),
                  })),
                },
              ],
            },
            after: {
              filesTimeout: {
                target: "#goal.missed",
                actions: assign({ reason: "the files did not answer" }),
              },
            },
          },
        },
      },
      missed: {
        entry: assign(({ context }) => ({
          misses: context.misses + 1,
          progress: policy.gate.progressAfterMiss,
          outputs: 0,
        })),
        always: [
          { guard: "isOut", target: "abandoned" },
          { target: "active", actions: post(({ context }) => verdict(context, "missed")) },
        ],
      },
      completed: {
        type: "final",
        entry: post(({ context }) => [
          ...verdict(context, "completed"),
          ended(context, "completed"),
        ]),
      },
      abandoned: {
        type: "final",
        entry: post(({ context }) => [
          { to: "files", event: { type: "files.delete", paths: context.wrote } },
          ...verdict(context, "abandoned"),
          ended(context, "abandoned"),
        ]),
      },
      stopped: { type: "final" },
    },
  });

function stepped(
  context: GoalContext,
  event: Extract<GoalEvent, { type: "step.ended" }>,
  policy: Policy,
): Partial<GoalContext> {
  const { ok, capability, wrote, nothing, fact, at } = event;
  if (!ok || capability === null) return { asker: at };
  return {
    ...afterStep(context, capability, policy.progress),
    asker: at,
    wrote:
      wrote === null || context.wrote.includes(wrote) ? context.wrote : [...context.wrote, wrote],
    facts: nothing ? [...context.facts, fact].slice(-FACTS_MAX) : context.facts,
  };
}

/** The answer to whoever ended the step, and the line in the registry. */
function verdict(
  context: GoalContext,
  status: "active" | "missed" | "completed" | "abandoned",
): Letter[] {
  const event = {
    type: "goal.judged",
    status,
    progress: context.progress,
    misses: context.misses,
    reason: status === "active" ? null : context.reason,
  };
  const because = status === "active" ? {} : { because: context.facts };
  return [
    ...(context.asker === null ? [] : answer(context.asker, event, because)),
    registryLetter(context, status === "missed" ? "active" : status),
  ];
}

const ended = (context: GoalContext, status: GoalStatus): Letter => ({
  to: context.input.ledger,
  event: {
    type: "goal.ended",
    agent: context.input.agent,
    n: context.input.n,
    status,
    text: context.input.text,
    misses: context.misses,
    reason: status === "completed" ? null : context.reason,
  },
  ...(status === "abandoned" && { because: context.facts }),
});

export const goalRegistryPath = (agent: string): string =>
  `/agentOS/memory/goals/${agent}/registry.jsonl`;

/** A line says where the goal stands; the first one also what it is. */
function registryLetter(context: GoalContext, status: GoalStatus): Letter {
  const { input, progress, outputs, lastCapability, misses, wrote, asker } = context;
  const { resumed: _, agent, ledger: __, n, ...declared } = input;
  const standing = { n, status, progress, outputs, lastCapability, misses, wrote };
  const line = asker === null ? { ...standing, ...declared } : { ...standing, atMs: asker.nowMs };
  const text = `${JSON.stringify(line)}\n`;
  return { to: "files", event: { type: "files.append", path: goalRegistryPath(agent), text } };
}
