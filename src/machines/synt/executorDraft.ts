/**
 * The making of one executor, stage by stage, until its birth tests pass or the retries are used
 * up. Strictly sequential; each stage sees its slice only. Source: seed 002, 4.2; ruling Y13.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import { type At, ask, cancelAsk, type Outbox, post, startActor } from "../letter.ts";
import { bouncedWords } from "./contract.ts";
import {
  type DraftContext,
  type DraftEvent,
  type DraftInput,
  openingDraft,
} from "./draftContext.ts";
import {
  draftResult,
  failed,
  failedBy,
  filledIn,
  hinted,
  hintsFaulty,
  nextCall,
  outOfRetries,
  passesAll,
  profiled,
  read,
  recoded,
  retried,
  tested,
  testRequest,
} from "./draftUpdates.ts";
import { HINTS_PATH } from "./hints.ts";
import type { SyntPolicy } from "./syntPolicy.ts";
import { birthTestMs, paidCallMs } from "./waits.ts";

const draftSetup = (synt: SyntPolicy) =>
  setup({
    types: {
      context: {} as DraftContext,
      events: {} as DraftEvent,
      input: {} as DraftInput & { at: At },
      emitted: {} as Outbox,
    },
    guards: {
      isMultistage: ({ context }) => context.input.kind === "multistage",
      isPoc: ({ context }) => context.input.kind === "poc",
      isFilled: ({ context: { answer } }) => answer !== null && "filled" in answer,
      mayAskAgain: ({ context }) =>
        context.answer !== null &&
        "fault" in context.answer &&
        !outOfRetries(context, context.stage, synt),
      isFaultless: ({ context }) => context.fault === null,
      mayRecode: ({ context }) => !outOfRetries(context, context.codeStage, synt),
      passesAll: ({ context }) => passesAll(context),
    },
    actions: {
      hinted: assign(({ context, event }) => hinted(context, event)),
      hintsFaulty: post(({ event }) => hintsFaulty(event)),
      asked: post(({ context }) => {
        const call = nextCall(context, synt);
        return [startActor("paidCall", call.call, call)];
      }),
      read: assign(({ context, event }) => read(context, event, synt)),
      filled: assign(({ context, event }) => filledIn(context, event)),
      again: assign(({ context }) => retried(context)),
      profiled: assign(({ context, event }) => profiled(context, event)),
      tested: assign(({ context, event }) => tested(context, event)),
      recoded: assign(({ context }) => recoded(context)),
      failed: assign(({ context }) => failed(context)),
      bounced: assign(({ context, event }) => failedBy(context, bouncedWords(event))),
      callLate: assign(({ context }) =>
        failedBy(context, "the call of its stage did not end in time"),
      ),
      parserLate: assign(({ context }) => failedBy(context, "the parser did not answer in time")),
      sandboxLate: assign(({ context }) => failedBy(context, "the sandbox did not answer in time")),
    },
    delays: {
      answerTimeout: ANSWER_WAIT_MS,
      callTimeout: paidCallMs(synt),
      testTimeout: birthTestMs(synt),
    },
  });

/** One stage of stageTable.ts: its call, what came of it, and on, once more or no further. */
const stageState = <const Next extends string>(
  synt: SyntPolicy,
  { id, index, next }: { readonly id: string; readonly index: number; readonly next: Next },
) =>
  draftSetup(synt).createStateConfig({
    id,
    entry: assign({ stage: index }),
    initial: "calling",
    states: {
      calling: {
        entry: "asked",
        on: { "paid.ended": { target: "reading", actions: "read" } },
        after: { callTimeout: { target: "#failed", actions: "callLate" } },
      },
      reading: {
        always: [
          { guard: "isFilled", target: next, actions: "filled" },
          { guard: "mayAskAgain", target: "calling", actions: "again" },
          { target: "#failed", actions: "failed" },
        ],
      },
    },
  });

export const executorDraftMachine = ({ synt }: { readonly synt: SyntPolicy }) =>
  draftSetup(synt).createMachine({
    id: "executorDraft",
    context: ({ input: { at: _, ...input } }) => openingDraft(input),
    initial: "hinting",
    on: { "ask.bounced": { target: ".failed", actions: "bounced" } },
    states: {
      hinting: {
        entry: post(() => [
          ask({ to: "files", key: "hints", event: { type: "files.read", path: HINTS_PATH } }),
        ]),
        exit: post(() => [cancelAsk("hints")]),
        on: { "files.replied": { target: "staging", actions: ["hinted", "hintsFaulty"] } },
        after: { answerTimeout: "staging" },
      },
      staging: {
        always: [
          { guard: "isMultistage", target: "naming" },
          { guard: "isPoc", target: "propose" },
          { target: "transform" },
        ],
      },
      naming: stageState(synt, { id: "naming", index: 0, next: "#signature" }),
      signature: stageState(synt, { id: "signature", index: 1, next: "#tests" }),
      tests: stageState(synt, { id: "tests", index: 2, next: "#description" }),
      description: stageState(synt, { id: "description", index: 3, next: "#code" }),
      code: stageState(synt, { id: "code", index: 4, next: "#parsing" }),
      propose: stageState(synt, { id: "propose", index: 0, next: "#pocTests" }),
      pocTests: stageState(synt, { id: "pocTests", index: 1, next: "#parsing" }),
      transform: stageState(synt, { id: "transform", index: 0, next: "#parsing" }),
      parsing: {
        id: "parsing",
        entry: post(({ context: { draft } }) => [
          ask({
            to: "port/python.parse",
            key: "syntax",
            event: { type: "python.parse", purpose: "profile", text: draft.code ?? "" },
          }),
        ]),
        exit: post(() => [cancelAsk("syntax")]),
        on: { "python.parsed": { target: "parsed", actions: "profiled" } },
        after: { answerTimeout: { target: "failed", actions: "parserLate" } },
      },
      parsed: {
        always: [
          { guard: "isFaultless", target: "testing" },
          { guard: "mayRecode", target: "recoding", actions: "recoded" },
          { target: "failed", actions: "failed" },
        ],
      },
      testing: {
        entry: post(({ context }) => [
          ask({ to: "port/sandbox.run", key: "test", event: testRequest(context, synt) }),
        ]),
        exit: post(() => [cancelAsk("test")]),
        on: { "sandbox.replied": { target: "tested", actions: "tested" } },
        after: { testTimeout: { target: "failed", actions: "sandboxLate" } },
      },
      tested: {
        always: [
          { guard: "passesAll", target: "finished" },
          { guard: "isFaultless", target: "testing" },
          { guard: "mayRecode", target: "recoding", actions: "recoded" },
          { target: "failed", actions: "failed" },
        ],
      },
      recoding: {
        always: [
          { guard: "isMultistage", target: "code" },
          { guard: "isPoc", target: "propose" },
          { target: "transform" },
        ],
      },
      finished: { type: "final", entry: post(({ context }) => [draftResult(context, true)]) },
      failed: {
        id: "failed",
        type: "final",
        entry: post(({ context }) => [draftResult(context, false)]),
      },
    },
  });
