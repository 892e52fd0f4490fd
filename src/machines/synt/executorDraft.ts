/**
 * The making of one executor, stage by stage, until its birth tests pass or the retries are used
 * up. Strictly sequential; each stage sees its slice only. Source: seed 002, 4.2; ruling Y13.
 */
import { assign, setup } from "xstate";
import { type At, ask, cancelAsk, type Outbox, post, startActor } from "../letter.ts";
import { seconds } from "../units.ts";
import {
  coded,
  costOf,
  type DraftContext,
  type DraftEvent,
  type DraftInput,
  draftResult,
  filledIn,
  hinted,
  hintsFaulty,
  isLastStage,
  nextCall,
  openingDraft,
  outOfRetries,
  profiled,
  refusedBy,
  retried,
  stageFault,
  tested,
  testFaultOf,
  testRequest,
} from "./draftAccount.ts";
import { HINTS_PATH } from "./hints.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

export const executorDraftMachine = ({ synt }: { readonly synt: SyntPolicy }) =>
  setup({
    types: {
      context: {} as DraftContext,
      events: {} as DraftEvent,
      input: {} as DraftInput & { at: At },
      emitted: {} as Outbox,
    },
    guards: {
      isUnpaid: ({ event }) => event.type === "paid.ended" && event.error !== null,
      isRefused: ({ context, event }) => refusedBy(context, event, synt) !== null,
      isGood: ({ context, event }) => stageFault(context, event, synt) === null,
      isLastGood: ({ context, event }) =>
        stageFault(context, event, synt) === null && isLastStage(context),
      hasRetries: ({ context }) => !outOfRetries(context, context.stage, synt),
      isSound: ({ event }) => coded(event) === null,
      mayRecode: ({ context }) => !outOfRetries(context, context.codeStage, synt),
      passesLast: ({ context, event }) =>
        testFaultOf(context, event) === null && context.run === context.draft.tests?.length,
      passes: ({ context, event }) => testFaultOf(context, event) === null,
    },
    actions: {
      hinted: assign(({ context, event }) => hinted(context, event)),
      hintsFaulty: post(({ event }) => hintsFaulty(event)),
      filled: assign(({ context, event }) => filledIn(context, event, synt)),
      again: assign(({ context, event }) =>
        retried(charged(context, event), stageFault(context, event, synt)),
      ),
      unpaid: assign(({ context, event }) => unpaid(context, event)),
      refused: assign(({ context, event }) =>
        failedBy(charged(context, event), refusedBy(context, event, synt) ?? "refused"),
      ),
      exhausted: assign(({ context, event }) =>
        failedBy(
          charged(context, event),
          stageFault(context, event, synt) ?? "no answer was any good",
        ),
      ),
      profiled: assign(({ context, event }) => profiled(context, event)),
      recoded: assign(({ context, event }) =>
        retried({ ...context, stage: context.codeStage }, coded(event)),
      ),
      unsound: assign(({ context, event }) => failedBy(context, coded(event) ?? "unsound code")),
      passed: assign(({ context, event }) => tested(context, event, true)),
      retested: assign(({ context, event }) =>
        retried(
          { ...tested(context, event, false), stage: context.codeStage },
          testFaultOf(context, event),
        ),
      ),
      untested: assign(({ context, event }) =>
        failedBy(tested(context, event, false), testFaultOf(context, event) ?? "a birth test"),
      ),
      late: assign(({ context }) => failedBy(context, "nobody answered in time")),
    },
    delays: {
      answerTimeout: seconds(60),
      callTimeout: synt.stages.modelTimeoutMs + synt.gate.waitMs + seconds(120),
      testTimeout: synt.stages.testLimitMs + seconds(60),
    },
  }).createMachine({
    id: "executorDraft",
    context: ({ input: { at: _, ...input } }) => openingDraft(input),
    initial: "hinting",
    on: { "ask.bounced": { target: ".failed", actions: "late" } },
    states: {
      hinting: {
        entry: post(() => [
          ask({ to: "files", key: "hints", event: { type: "files.read", path: HINTS_PATH } }),
        ]),
        exit: post(() => [cancelAsk("hints")]),
        on: { "files.replied": { target: "stage", actions: ["hinted", "hintsFaulty"] } },
        after: { answerTimeout: "stage" },
      },
      stage: {
        entry: post(({ context }) => {
          const call = nextCall(context, synt);
          return [startActor("paidCall", call.call, call)];
        }),
        on: {
          "paid.ended": [
            { guard: "isUnpaid", target: "failed", actions: "unpaid" },
            { guard: "isRefused", target: "failed", actions: "refused" },
            { guard: "isLastGood", target: "parsing", actions: "filled" },
            { guard: "isGood", target: "stage", reenter: true, actions: "filled" },
            { guard: "hasRetries", target: "stage", reenter: true, actions: "again" },
            { target: "failed", actions: "exhausted" },
          ],
        },
        after: { callTimeout: { target: "failed", actions: "late" } },
      },
      parsing: {
        entry: post(({ context: { draft } }) => [
          ask({
            to: "port/python.parse",
            key: "syntax",
            event: { type: "python.parse", purpose: "profile", text: draft.code ?? "" },
          }),
        ]),
        exit: post(() => [cancelAsk("syntax")]),
        on: {
          "python.parsed": [
            { guard: "isSound", target: "testing", actions: "profiled" },
            { guard: "mayRecode", target: "stage", actions: "recoded" },
            { target: "failed", actions: "unsound" },
          ],
        },
        after: { answerTimeout: { target: "failed", actions: "late" } },
      },
      testing: {
        entry: post(({ context }) => [
          ask({ to: "port/sandbox.run", key: "test", event: testRequest(context, synt) }),
        ]),
        exit: post(() => [cancelAsk("test")]),
        on: {
          "sandbox.replied": [
            { guard: "passesLast", target: "finished", actions: "passed" },
            { guard: "passes", target: "testing", reenter: true, actions: "passed" },
            { guard: "mayRecode", target: "stage", actions: "retested" },
            { target: "failed", actions: "untested" },
          ],
        },
        after: { testTimeout: { target: "failed", actions: "late" } },
      },
      finished: { type: "final", entry: post(({ context }) => [draftResult(context, true)]) },
      failed: { type: "final", entry: post(({ context }) => [draftResult(context, false)]) },
    },
  });

const charged = (context: DraftContext, event: DraftEvent): DraftContext => ({
  ...context,
  cost: context.cost + costOf(event),
});

const failedBy = (context: DraftContext, why: string): DraftContext => ({
  ...context,
  why,
  error: context.error ?? "StrategyExhausted",
});

const unpaid = (context: DraftContext, event: DraftEvent): DraftContext =>
  event.type === "paid.ended"
    ? { ...context, why: event.why ?? "the call was refused", error: event.error }
    : context;
