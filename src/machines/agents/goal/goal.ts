/**
 * One goal of one agent, from its choice through the completion gate to completion or abandonment.
 * It keeps its own books: every step and every verdict is appended to the agent's goal registry, so
 * that it survives a restart. Source: seed 004, "Goals", "Goal completion gate"; rulings U6, U7.
 */
import { assign } from "xstate";
import { type At, type Delivered, type Letter, post } from "../../letter.ts";
import type { FallbackSource } from "../agent/fallbackGoal.ts";
import { type AgentHooks, allHooks, hearersOf } from "../hooks.ts";
import type { Mention } from "./factCheck.ts";
import type { GatePart } from "./gate.ts";
import {
  afterMiss,
  afterPart,
  ended,
  type GoalPolicy,
  noted,
  type PartVerdict,
  partMissed,
  partPassed,
  registryLetter,
  stepped,
  verdict,
} from "./goalBooks.ts";
import { gateState, goalSetup } from "./goalGate.ts";
import { type Progress, startOfProgress } from "./progress.ts";

/** What the model declared when it chose the goal. */
export interface GoalDeclaration {
  readonly slug: string;
  readonly text: string;
  /** The one file that passes the gate. */
  readonly artifact: string;
  /** A line that must stand in the artifact, for goals that change another agent's file. */
  readonly evidence: string | null;
}

export interface GoalInput extends GoalDeclaration {
  readonly agent: string;
  readonly n: number;
  readonly ledger: string;
  /** The keeper that draws lessons from its end; none when absent. */
  readonly lessons?: string | null;
  /** What it was made from when no model chose it; for the reader of the log. */
  readonly fallback?: FallbackSource;
  /** From the registry, when a restart resumes the goal. */
  readonly resumed?: SavedGoal;
}

/** The part of a registry line that a restart reads back. */
export interface SavedGoal extends Progress {
  readonly misses: number;
  readonly failedSteps: number;
  readonly wrote: readonly string[];
  /** What went wrong, the latest last; on the line of a miss. */
  readonly notes: readonly string[];
}

export type GoalStatus = "active" | "completed" | "abandoned";

export type GoalEvent = Delivered<
  | "step.ended"
  | "goal.givenUp"
  | "files.replied"
  | "llm.replied"
  | "llm.failed"
  | "ask.bounced"
  | "daemon.stopped"
>;

export interface GoalContext extends SavedGoal {
  readonly input: GoalInput;
  /** Steps that returned or wrote nothing, and what files and judge said: what a missed gate rests on. */
  readonly facts: readonly number[];
  /** The actor that waits for a verdict on the last step. */
  readonly asker: At | null;
  readonly reason: string | null;
  /** The part of the gate that was missed last. */
  readonly fault: { readonly part: GatePart; readonly verdict: PartVerdict } | null;
  /** Claims of the artifact that are still to be looked up. */
  readonly mentions: readonly Mention[];
}

export const goalMachine = (policy: GoalPolicy, hooks: readonly AgentHooks[] = []) => {
  const hearers = hearersOf(allHooks(hooks), "goal");
  return goalSetup(policy).createMachine({
    id: "goal",
    context: ({ input: { at: _, ...input } }) => ({
      input,
      ...startOfProgress,
      misses: 0,
      failedSteps: 0,
      wrote: [],
      notes: [],
      facts: [],
      asker: null,
      reason: null,
      fault: null,
      mentions: [],
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
            actions: assign(({ context, event }) => ({
              asker: event.at,
              reason: event.reason,
              facts: event.facts,
              notes: noted(context, event.reason, policy.gate),
            })),
          },
        },
      },
      judging: {
        always: [
          {
            guard: "isFull",
            target: afterPart(policy.gate),
            // So that a restart in the middle of the gate finds the step that opened it.
            actions: post(({ context, event }) => [
              registryLetter(context, "active"),
              partPassed(context, "progress", event),
            ]),
          },
          { target: "active", actions: post(({ context }) => verdict(context, "active")) },
        ],
      },
      gate: gateState(policy),
      missed: {
        entry: [
          assign(({ context }) => afterMiss(context, policy)),
          post(({ context }) => partMissed(context)),
        ],
        always: [
          { guard: "isOut", target: "abandoned" },
          { target: "active", actions: post(({ context }) => verdict(context, "missed")) },
        ],
      },
      completed: {
        type: "final",
        entry: post(({ context }) => [
          ...verdict(context, "completed"),
          ...ended(context, "completed", hearers),
        ]),
      },
      abandoned: {
        type: "final",
        entry: post(({ context }): readonly Letter[] => [
          { to: "files", event: { type: "files.delete", paths: context.wrote } },
          ...verdict(context, "abandoned"),
          ...ended(context, "abandoned", hearers),
        ]),
      },
      stopped: { type: "final" },
    },
  });
};
