/**
 * One call of a model: its price is set aside first, the person is asked when the soft cap says so,
 * and what it cost is settled, however it ends. Source: seed 002, 8.2; ruling Y9.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../../answerWait.ts";
import { askingIn, chartTypes, question } from "../../chart.ts";
import { type Delivered, type Letter, post } from "../../letter.ts";
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

const asks = askingIn<PaidCallContext, PaidCallEvent>();

export const paidCallMachine = ({ synt }: { readonly synt: CallPolicy }) =>
  setup({
    types: chartTypes<PaidCallContext, PaidCallEvent, PaidCallInput>(),
    guards: {
      isReserved: ({ event }) => event.type === "money.answered" && event.outcome === "reserved",
      isQuestion: ({ event }) => event.type === "money.answered" && event.outcome === "ask",
      goesOn: ({ event }) => event.type === "person.decided" && event.decision === "approve",
    },
    actions: {
      unserved: assign(({ context, event }) => ({
        cost: context.amount,
        why: event.type === "llm.failed" ? event.error : "the model did not answer in time",
      })),
      undecided: assign({
        why: "the person did not answer whether to go on beyond the soft cap",
        error: "BudgetExceeded",
      }),
      declined: assign({ why: "declined beyond the soft cap", error: "BudgetExceeded" }),
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
        ...asks("money", ({ context: { input } }) =>
          question(DESK, {
            type: "money.asked",
            request: input.request,
            call: input.call,
            served: input.served,
            // A token is at least one byte, so this is an upper bound.
            asked: utf8Length(renderSynt(input.view)),
            answered: input.maxTokens,
          }),
        ),
        on: {
          "money.answered": [
            {
              guard: "isReserved",
              target: "calling",
              actions: assign(({ event: { price, tier, amount } }) => ({
                price,
                tier,
                amount: amount ?? 0,
              })),
            },
            {
              guard: "isQuestion",
              target: "asking",
              actions: assign(({ event: { amount, spent = 0, soft = 0, cap = 0 } }) => ({
                money: { spent, atMost: amount ?? 0, soft, cap },
              })),
            },
            {
              target: "ended",
              actions: assign(({ event }) => ({
                why: event.why ?? "denied",
                error: "BudgetExceeded",
              })),
            },
          ],
        },
        after: { answerTimeout: { target: "ended", actions: "unserved" } },
      },
      asking: {
        ...asks("person", ({ context: { input, money } }) =>
          question("port/person.decide", {
            type: "person.asked",
            purpose: "soft-cap",
            request: input.request,
            dossier: { call: input.view.purpose, intent: input.view.request, ...money },
          }),
        ),
        on: {
          "person.decided": [
            { guard: "goesOn", target: "reserving", actions: "answeredYes" },
            { target: "ended", actions: ["declined", "answeredNo"] },
          ],
        },
        after: { gateTimeout: { target: "ended", actions: ["undecided", "answeredNo"] } },
      },
      calling: {
        ...asks("model", ({ context: { input, tier } }) => {
          const { view, maxTokens } = input;
          const { purpose } = view;
          return question("port/llm.chat", { type: "llm.asked", purpose, view, tier, maxTokens });
        }),
        on: {
          "llm.replied": {
            target: "ended",
            actions: [
              assign(({ context, event }) => ({
                text: event.text,
                cost: costOf(context, event) ?? context.amount,
              })),
              "settled",
            ],
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
