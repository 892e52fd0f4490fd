/**
 * The planner of one user turn: it replays what the fast path knows, else it asks its model, which is
 * shown the heads of the visible executors. Source: seed 002, 2 and 4.2.3.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../../answerWait.ts";
import { askingIn, chartTypes, question } from "../../chart.ts";
import { defined } from "../../defined.ts";
import { type Delivered, type Json, type Letter, post } from "../../letter.ts";
import { POOL } from "../contract.ts";
import type { CallPolicy } from "../stages/paidCall.ts";
import { fieldsIn } from "../stages/stageAnswers.ts";
import type { SyntView } from "../stages/stagePrompts.ts";

/** Nobody waits longer for a plan: the pool answers, then the model; and some more. */
export const planMs = ({ stages }: Pick<CallPolicy, "stages">): number =>
  stages.modelTimeoutMs + 2 * ANSWER_WAIT_MS;

export interface PlannerInput {
  readonly turn: string;
  readonly says: string;
  readonly replyTo: string;
}

export type PlannerEvent = Delivered<
  "catalogue.answered" | "llm.replied" | "llm.failed" | "ask.bounced"
>;

/** A plan by executors' names; one that is in no pool yet is what is missed. */
export interface TurnPlan {
  readonly steps: readonly string[];
  /** What a missing one would lead to. */
  readonly towards: readonly string[];
  readonly isReplayed: boolean;
  /** The clean runs that grant the replay of a composed chain; absent where it needs no grant. */
  readonly unasked?: number;
}

export interface PlannerContext {
  readonly input: PlannerInput;
  readonly known: readonly { readonly name: string; readonly head: string }[];
  readonly plan: TurnPlan;
  /** Whether there is an answer, from the fast path or the model, be it no plan. */
  readonly isAnswered: boolean;
}

const STEPS_MAX = 20;
const noPlan: TurnPlan = { steps: [], towards: [], isReplayed: false };

const asks = askingIn<PlannerContext, PlannerEvent>();

export const turnPlannerMachine = ({ synt }: { readonly synt: Pick<CallPolicy, "stages"> }) =>
  setup({
    types: chartTypes<PlannerContext, PlannerEvent, PlannerInput>(),
    guards: {
      isKnown: ({ event }) => event.type === "catalogue.answered" && event.replay !== null,
    },
    delays: { answerTimeout: ANSWER_WAIT_MS, modelTimeout: synt.stages.modelTimeoutMs },
  }).createMachine({
    id: "turnPlanner",
    context: ({ input: { at: _, ...input } }) => ({
      input,
      known: [],
      plan: noPlan,
      isAnswered: false,
    }),
    initial: "looking",
    on: { "ask.bounced": ".planned" },
    states: {
      looking: {
        ...asks("catalogue", ({ context: { input } }) =>
          question(POOL, { type: "catalogue.asked", query: input.says }),
        ),
        on: {
          "catalogue.answered": [
            {
              guard: "isKnown",
              target: "planned",
              actions: assign(({ event: { executors, replay, unasked } }) => ({
                known: executors,
                isAnswered: true,
                plan: defined({ ...noPlan, steps: replay ?? [], isReplayed: true, unasked }),
              })),
            },
            { target: "thinking", actions: assign(({ event }) => ({ known: event.executors })) },
          ],
        },
        after: { answerTimeout: "planned" },
      },
      thinking: {
        ...asks("plan", ({ context }) => {
          const view = viewOf(context);
          return question("port/llm.chat", { type: "llm.asked", purpose: view.purpose, view });
        }),
        on: {
          "llm.replied": {
            target: "planned",
            actions: assign(({ event }) => ({ plan: planOf(event.text), isAnswered: true })),
          },
          "llm.failed": "planned",
        },
        after: { modelTimeout: "planned" },
      },
      planned: {
        type: "final",
        entry: post(({ context }) => [planMade(context)]),
      },
    },
  });

function planMade({ input, plan, known, isAnswered }: PlannerContext): Letter {
  const why = isAnswered ? null : "the planner did not answer";
  const names = known.map(({ name }) => name);
  return { to: input.replyTo, event: { type: "plan.made", ...plan, known: names, why } };
}

const viewOf = ({ input, known }: PlannerContext): SyntView => ({
  purpose: "synt.plan",
  request: input.says,
  executors: known.map(({ name, head }) => ({ name, head })),
});

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string").slice(0, STEPS_MAX) : [];

/** A model that sees no way may say what it misses; that is a plan of one missing executor. */
function planOf(text: string): TurnPlan {
  const { steps, towards, missing } = fieldsIn(text) ?? {};
  const known = textsOf(steps);
  const missed = typeof missing === "string" ? [missing] : [];
  return { ...noPlan, steps: known.length > 0 ? known : missed, towards: textsOf(towards) };
}
