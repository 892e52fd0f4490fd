/**
 * One call of a model: its price is set aside first, the person is asked when the soft cap says so,
 * and what it cost is settled, however it ends. Source: seed 002, 8.2; ruling Y9.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../../answerWait.ts";
import {
  type At,
  ask,
  cancelAsk,
  type Delivered,
  type Letter,
  type MailOf,
  type Outbox,
  post,
} from "../../letter.ts";
import { between, integer } from "../../policyLeaf.ts";
import { days, minutes } from "../../units.ts";
import { utf8Length } from "../../utf8Length.ts";
import { DESK, type SoftCap, type SyntError } from "../contract.ts";
import { renderSynt, type SyntView } from "./stagePrompts.ts";
import { callCost, type Price, type Tier } from "./stageTiers.ts";

export const personWaitLeaf = integer(days(7), between(1, days(3650), "ms"), {
  says: "How long the person is waited for; nothing is granted without their word.",
  source: "ours: the seed says always and everywhere, and no time",
});

export const modelWaitLeaf = integer(minutes(10), between(0, minutes(60), "ms"), {
  says: "Longest wait for a model's answer.",
  source: "ours",
});

export interface CallPolicy {
  readonly gate: { readonly waitMs: number };
  readonly stages: { readonly modelTimeoutMs: number };
}

/** Nobody waits longer for a call: the desk answers twice, with the person's word between, then the model. */
export const paidCallMs = ({ gate, stages }: CallPolicy): number =>
  stages.modelTimeoutMs + gate.waitMs + 2 * ANSWER_WAIT_MS;

export interface PaidCallInput {
  readonly request: string;
  /** Unique: the caller's address and a number. */
  readonly call: string;
  /** A stage of the pipeline, or a tier of its own. */
  readonly served: number | Tier;
  readonly view: SyntView;
  readonly maxTokens: number;
  readonly replyTo: string;
}

export type PaidCallEvent = Delivered<
  "money.answered" | "person.decided" | "llm.replied" | "llm.failed" | "ask.bounced"
>;

export interface PaidCallContext {
  readonly input: PaidCallInput;
  readonly price: Price | null;
  readonly tier: Tier | null;
  readonly amount: number;
  /** What a question at the soft cap is about, in millionths of a cent. */
  readonly money: Partial<SoftCap>;
  /** What it has cost, in millionths of a cent. */
  readonly cost: number;
  readonly text: string | null;
  readonly why: string | null;
  readonly error: SyntError | null;
}

export const paidCallMachine = ({ synt }: { readonly synt: CallPolicy }) =>
  setup({
    types: {
      context: {} as PaidCallContext,
      events: {} as PaidCallEvent,
      input: {} as PaidCallInput & { at: At },
      emitted: {} as Outbox,
    },
    guards: {
      isReserved: ({ event }) => event.type === "money.answered" && event.outcome === "reserved",
      isQuestion: ({ event }) => event.type === "money.answered" && event.outcome === "ask",
      goesOn: ({ event }) => event.type === "person.decided" && event.decision === "approve",
    },
    actions: {
      noted: assign(({ event }) => noted(event)),
      summed: assign(({ event }) => summed(event)),
      unserved: assign(({ context, event }) => ({
        cost: context.amount,
        why: event.type === "llm.failed" ? event.error : "the model did not answer in time",
      })),
      undecided: assign(() => ({
        why: "the person did not answer whether to go on beyond the soft cap",
        error: "BudgetExceeded" as const,
      })),
      declined: assign(() => ({
        why: "declined beyond the soft cap",
        error: "BudgetExceeded" as const,
      })),
      answeredNo: post(({ context }) => [softAnswer(context, false)]),
      answeredYes: post(({ context }) => [softAnswer(context, true)]),
      settledInFull: post(({ context }) => [settlement(context, null)]),
      settled: post(({ context, event }) => [settlement(context, costOf(context, event))]),
    },
    delays: {
      answerTimeout: ANSWER_WAIT_MS,
      gateTimeout: synt.gate.waitMs,
      modelTimeout: synt.stages.modelTimeoutMs,
    },
  }).createMachine({
    id: "paidCall",
    context: ({ input: { at: _, ...input } }) => ({
      input,
      price: null,
      tier: null,
      amount: 0,
      money: {},
      cost: 0,
      text: null,
      why: null,
      error: null,
    }),
    initial: "reserving",
    on: { "ask.bounced": { target: ".ended", actions: "unserved" } },
    states: {
      reserving: {
        entry: post(({ context: { input } }) => [
          ask({
            to: DESK,
            key: "money",
            event: {
              type: "money.asked",
              request: input.request,
              call: input.call,
              served: input.served,
              // A token is at least one byte, so this is an upper bound.
              asked: utf8Length(renderSynt(input.view)),
              answered: input.maxTokens,
            },
          }),
        ]),
        exit: post(() => [cancelAsk("money")]),
        on: {
          "money.answered": [
            { guard: "isReserved", target: "calling", actions: "noted" },
            { guard: "isQuestion", target: "asking", actions: "summed" },
            { target: "ended", actions: "noted" },
          ],
        },
        after: { answerTimeout: { target: "ended", actions: "unserved" } },
      },
      asking: {
        entry: post(({ context: { input, money } }) => [
          ask({
            to: "port/person.decide",
            key: "person",
            event: {
              type: "person.asked",
              purpose: "soft-cap",
              request: input.request,
              dossier: {
                call: input.view.purpose,
                intent: input.view.request,
                ...money,
              },
            },
          }),
        ]),
        exit: post(() => [cancelAsk("person")]),
        on: {
          "person.decided": [
            { guard: "goesOn", target: "reserving", actions: "answeredYes" },
            { target: "ended", actions: ["declined", "answeredNo"] },
          ],
        },
        after: { gateTimeout: { target: "ended", actions: ["undecided", "answeredNo"] } },
      },
      calling: {
        entry: post(({ context: { input, tier } }) => {
          const { view, maxTokens } = input;
          const { purpose } = view;
          const event: MailOf<"llm.asked"> = { type: "llm.asked", purpose, view, tier, maxTokens };
          return [ask({ to: "port/llm.chat", key: "model", event })];
        }),
        exit: post(() => [cancelAsk("model")]),
        on: {
          "llm.replied": {
            target: "ended",
            actions: [assign(({ context, event }) => answered(context, event)), "settled"],
          },
          "llm.failed": { target: "ended", actions: ["unserved", "settledInFull"] },
        },
        after: { modelTimeout: { target: "ended", actions: ["unserved", "settledInFull"] } },
      },
      ended: {
        type: "final",
        entry: post(({ context: { input, text, why, error, cost } }) => [
          {
            to: input.replyTo,
            event: { type: "paid.ended", call: input.call, text, why, error, cost },
          },
        ]),
      },
    },
  });

function noted(event: PaidCallEvent): Partial<PaidCallContext> {
  if (event.type !== "money.answered") return {};
  const { outcome, price, amount, tier } = event;
  if (outcome === "reserved") return { price, tier, amount: amount ?? 0 };
  return { why: event.why ?? "denied", error: "BudgetExceeded" };
}

function summed(event: PaidCallEvent): Partial<PaidCallContext> {
  if (event.type !== "money.answered") return {};
  const { amount, spent = 0, soft = 0, cap = 0 } = event;
  return { money: { spent, atMost: amount ?? 0, soft, cap } };
}

const answered = (context: PaidCallContext, event: PaidCallEvent): Partial<PaidCallContext> => ({
  text: event.type === "llm.replied" ? event.text : null,
  cost: costOf(context, event) ?? context.amount,
});

const softAnswer = ({ input }: PaidCallContext, goesOn: boolean): Letter => ({
  to: DESK,
  event: { type: "money.decided", request: input.request, goesOn },
});

const settlement = ({ input }: PaidCallContext, actual: number | null): Letter => ({
  to: DESK,
  event: { type: "money.settled", call: input.call, actual },
});

/** Millionths of a cent; null when the tokens were not counted, or the count makes no sense. */
function costOf({ price }: PaidCallContext, event: PaidCallEvent): number | null {
  if (event.type !== "llm.replied" || event.tokens === undefined || price === null) return null;
  const { asked, answered } = event.tokens;
  const cost = callCost({ asked, answered }, price);
  return asked >= 0 && answered >= 0 && Number.isSafeInteger(cost) ? cost : null;
}
