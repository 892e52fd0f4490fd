/**
 * One goal of one agent, from its choice through the completion gate to completion or abandonment.
 * It keeps its own books: every step and every verdict is appended to the agent's goal registry, so
 * that it survives a restart. Source: seed 004, "Goals", "Goal completion gate"; rulings U6, U7.
 */
import { assign } from "xstate";
import { type Letter, post } from "../../letter.ts";
import { type AgentHooks, allHooks, hearersOf } from "../hooks.ts";
import {
  afterMiss,
  afterPart,
  ended,
  noted,
  partMissed,
  partPassed,
  registryLetter,
  stepped,
  verdict,
} from "./goalBooks.ts";
import { type GoalPolicy, openingGoal } from "./goalContext.ts";
import { goalGateState, goalSetup } from "./goalGate.ts";

export const goalMachine = (policy: GoalPolicy, hooks: readonly AgentHooks[] = []) => {
  const hearers = hearersOf(allHooks(hooks), "goal");
  return goalSetup(policy).createMachine({
    id: "goal",
    context: ({ input: { at: _, ...input } }) => openingGoal(input),
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
      gate: goalGateState(policy),
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
