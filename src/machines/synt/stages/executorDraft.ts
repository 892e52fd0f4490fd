/**
 * The making of one executor, stage by stage, until its birth tests pass or the retries are used
 * up. Strictly sequential; each stage sees its slice only. Source: seed 002, 4.2; ruling Y13.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../../answerWait.ts";
import { askingIn, chartTypes, question } from "../../chart.ts";
import {
  type Delivered,
  type Json,
  type Letter,
  type MailOf,
  post,
  startActor,
} from "../../letter.ts";
import { between, integer, type ValuesOf } from "../../policyLeaf.ts";
import { minutes, seconds } from "../../units.ts";
import {
  bouncedWords,
  DESK,
  type Draft,
  type Material,
  type Need,
  type SyntError,
} from "../contract.ts";
import type { NamingPolicy } from "../naming.ts";
import type { Strategy } from "../score/reward.ts";
import { type BirthTestPolicy, testFault } from "./birthTests.ts";
import { profileOf } from "./executorProfile.ts";
import { type CallPolicy, type PaidCallInput, paidCallMs } from "./paidCall.ts";
import { readStage, type StageAnswer } from "./stageAnswers.ts";
import {
  type Coder,
  HINTS_PATH,
  type Hint,
  hintFor,
  repertoireOf,
  stageView,
} from "./stagePrompts.ts";
import { codeStageOf, type DraftKind, STAGES, type Stage } from "./stageTiers.ts";

export const syntDraftLeaves = {
  retries: integer(3, between(0, 20, "retries"), {
    says: "How often a stage is asked again after its first answer was no good.",
    source: "seed 002, 7; RULINGS Y13",
  }),
  testLimitMs: integer(seconds(15), between(0, minutes(60), "ms"), {
    says: "Longest run of one birth test.",
    source: "the real system's; the seed is silent, so ours",
  }),
};

interface DraftPolicy extends CallPolicy {
  readonly naming: NamingPolicy;
  readonly stages: CallPolicy["stages"] & BirthTestPolicy & ValuesOf<typeof syntDraftLeaves>;
}

/** Every stage with every retry, each as long as a call may take: nobody waits longer for a draft. */
export const draftMs = ({ gate, stages }: CallPolicy): number =>
  30 * (stages.modelTimeoutMs + gate.waitMs);

export interface DraftInput {
  readonly request: string;
  /** Its own address. */
  readonly self: string;
  readonly replyTo: string;
  readonly kind: DraftKind;
  readonly strategy: Strategy;
  readonly need: Need;
  readonly material: Material;
  /** What a rewrite is shown of the executors it joins. */
  readonly members: readonly Json[];
  readonly pool: readonly string[];
  readonly feedback: string | null;
  /** The model that writes the code: the prompt repertoire looks at it. */
  readonly coder: Coder;
}

export type DraftEvent = Delivered<
  "files.replied" | "paid.ended" | "python.parsed" | "sandbox.replied" | "ask.bounced"
>;

export interface DraftContext {
  readonly input: DraftInput;
  /** The index of its stage. */
  readonly stage: number;
  readonly codeStage: number;
  /** Retries used, by stage. */
  readonly retries: readonly number[];
  /** Calls made so far: the number of the next address. */
  readonly calls: number;
  readonly faults: readonly string[];
  /** Entries of the user's prompt repertoire. */
  readonly userHints: readonly Hint[];
  readonly draft: Partial<Draft>;
  /** Birth tests run on this code, counting the one that is running. */
  readonly run: number;
  readonly passed: number;
  readonly startedMs: number;
  readonly testMs: number;
  /** Of its calls, in millionths of a cent. */
  readonly cost: number;
  readonly why: string | null;
  readonly error: SyntError | null;
  /** The latest answer of a stage as it was read; null once it is acted upon. */
  readonly answer: StageAnswer | Unpaid | null;
  /** What is wrong with the code, or with the birth test that ran; null for nothing. */
  readonly fault: string | null;
}

/** The call of a stage was not paid for. */
export interface Unpaid {
  readonly unpaid: string;
  readonly error: SyntError;
}

const openingDraft = (input: DraftInput): DraftContext => ({
  input,
  stage: 0,
  codeStage: codeStageOf(input.kind),
  retries: STAGES[input.kind].map(() => 0),
  calls: 1,
  faults: [],
  userHints: [],
  // A rewrite has its name already; the stages find one.
  draft: input.kind === "transform" ? { name: input.need.name } : {},
  run: 1,
  passed: 0,
  startedMs: 0,
  testMs: 0,
  cost: 0,
  why: null,
  error: null,
  answer: null,
  fault: null,
});

const draftSetup = (synt: DraftPolicy) =>
  setup({
    types: chartTypes<DraftContext, DraftEvent, DraftInput>(),
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
      // One run of the code, with the sandbox's own start.
      testTimeout: synt.stages.testLimitMs + ANSWER_WAIT_MS,
    },
  });

/** One stage: its call, what came of it, and on, once more or no further. */
const stageState = <const Next extends string>(
  synt: DraftPolicy,
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

const asks = askingIn<DraftContext, DraftEvent>();

export const executorDraftMachine = ({ synt }: { readonly synt: DraftPolicy }) =>
  draftSetup(synt).createMachine({
    id: "executorDraft",
    context: ({ input: { at: _, ...input } }) => openingDraft(input),
    initial: "hinting",
    on: { "ask.bounced": { target: ".failed", actions: "bounced" } },
    states: {
      hinting: {
        ...asks("hints", () => question("files", { type: "files.read", path: HINTS_PATH })),
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
        ...asks("syntax", ({ context: { draft } }) =>
          question("port/python.parse", {
            type: "python.parse",
            purpose: "profile",
            text: draft.code ?? "",
          }),
        ),
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
        ...asks("test", ({ context }) => question("port/sandbox.run", testRequest(context, synt))),
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

// The stage is one of its kind's, as the states are.
const stageOf = ({ input, stage }: DraftContext): Stage => STAGES[input.kind][stage] as Stage;

const repertoireIn = (event: DraftEvent) =>
  repertoireOf((event.type === "files.replied" && event.text) || "");

const hinted = (context: DraftContext, event: DraftEvent): DraftContext => ({
  ...context,
  userHints: repertoireIn(event).entries,
});

/** A word to the desk on a prompt repertoire that is not in order. */
function hintsFaulty(event: DraftEvent): readonly Letter[] {
  const { fault } = repertoireIn(event);
  if (fault === null) return [];
  return [{ to: DESK, event: { type: "hints.faulty", path: HINTS_PATH, fault } }];
}

function nextCall(context: DraftContext, { naming }: DraftPolicy): PaidCallInput {
  const { input, draft, faults, calls, userHints } = context;
  const { purpose, stage, maxTokens } = stageOf(context);
  const { need, material, members, strategy, feedback, coder } = input;
  const hint = hintFor(coder, userHints);
  const facts = { need, draft, faults, feedback, material, members, strategy, naming, hint };
  return {
    request: input.request,
    call: `${input.self}/call-${calls}`,
    served: stage,
    view: stageView(purpose, facts),
    maxTokens,
    replyTo: input.self,
  };
}

/** What its stage makes of the model's answer. */
function read(context: DraftContext, event: DraftEvent, policy: DraftPolicy): DraftContext {
  if (event.type !== "paid.ended") return context;
  const { error, cost, why } = event;
  if (error !== null) {
    return { ...context, answer: { unpaid: why ?? "the call was refused", error } };
  }
  return { ...context, cost: context.cost + cost, answer: answerIn(context, event, policy) };
}

function answerIn(
  context: DraftContext,
  { text, why }: Delivered<"paid.ended">,
  { naming, stages }: DraftPolicy,
): StageAnswer {
  if (text === null) return { fault: why || "the model gave no answer" };
  const { draft, input } = context;
  const { pool } = input;
  return readStage(stageOf(context).purpose, text, { naming, stages, pool, draft });
}

const outOfRetries = ({ retries }: DraftContext, stage: number, { stages }: DraftPolicy) =>
  (retries[stage] ?? 0) >= stages.retries;

/** On to the next stage, or to the birth tests. */
function filledIn(context: DraftContext, event: DraftEvent): DraftContext {
  const { answer, draft, calls } = context;
  const filled = answer !== null && "filled" in answer ? answer.filled : {};
  return {
    ...{ ...context, draft: { ...draft, ...filled }, calls: calls + 1 },
    ...{ faults: [], answer: null },
    ...freshTests(event),
  };
}

const freshTests = ({ at }: DraftEvent) => ({ run: 1, passed: 0, testMs: 0, startedMs: at.nowMs });

/** The same stage again, which is shown what was wrong. */
const retried = (context: DraftContext): DraftContext => ({
  ...context,
  retries: context.retries.with(context.stage, (context.retries[context.stage] ?? 0) + 1),
  calls: context.calls + 1,
  faults: [...context.faults, faultOf(context)],
  answer: null,
  fault: null,
});

/** Back to the stage that writes the code. */
const recoded = (context: DraftContext): DraftContext =>
  retried({ ...context, stage: context.codeStage });

const failedBy = (context: DraftContext, why: string): DraftContext => ({
  ...context,
  why,
  error: context.error ?? "StrategyExhausted",
  answer: null,
  fault: null,
});

/** The end of it: its stage has no retries left, its model refuses, or its call was not paid for. */
function failed(context: DraftContext): DraftContext {
  const { answer } = context;
  const error = answer !== null && "unpaid" in answer ? answer.error : context.error;
  return failedBy({ ...context, error }, faultOf(context));
}

/** What speaks against the latest answer, against the code, or against what the code does. */
function faultOf({ answer, fault, stage }: DraftContext): string {
  if (answer === null) return fault ?? "the answer was no good";
  if ("unpaid" in answer) return answer.unpaid;
  if ("noSuchThing" in answer) return answer.noSuchThing;
  return "fault" in answer ? `stage ${stage + 1}: ${answer.fault}` : "";
}

/** What is wrong with the code as its syntax tree shows it; null for nothing. */
export function codeFault(event: DraftEvent): string | null {
  if (event.type !== "python.parsed") return "the code was not read";
  if (!event.ok) return `the code is no Python: ${event.error ?? "invalid syntax"}`;
  const invokes = event.functions.filter(({ name, inClass }) => name === "invoke" && !inClass);
  if (invokes.length === 0) return "there is no function invoke";
  if (invokes.some(({ isAsync }) => isAsync)) {
    return "invoke is async: called, it would answer with a coroutine; write def invoke";
  }
  const profile = profileOf(event);
  return "fault" in profile ? profile.fault : null;
}

function profiled(context: DraftContext, event: DraftEvent): DraftContext {
  const found = event.type === "python.parsed" ? profileOf(event) : { fault: "" };
  const profile = "profile" in found ? found.profile : {};
  const fault = codeFault(event);
  if (fault !== null) return { ...context, fault };
  return { ...context, draft: { ...context.draft, profile }, ...freshTests(event) };
}

function testRequest({ draft, run }: DraftContext, { stages }: DraftPolicy): MailOf<"sandbox.run"> {
  const test = draft.tests?.[run - 1];
  return {
    type: "sandbox.run",
    purpose: "birth-test",
    name: "invoke",
    code: draft.code ?? "",
    params: { args: test?.input ?? null },
    files: test?.setup ?? {},
    limitMs: stages.testLimitMs,
  };
}

/** Why the birth test that ran does not pass; null when it does. */
function testFaultOf({ draft, run }: DraftContext, event: DraftEvent): string | null {
  const test = draft.tests?.[run - 1];
  if (event.type !== "sandbox.replied" || test === undefined) return "the birth test did not run";
  if (event.timedOut) return `birth test ${test.name}: it took too long`;
  if (!event.ok) return `birth test ${test.name}: ${event.error ?? "it failed"}`;
  const fault = testFault(test, event.result ?? null);
  return fault === null ? null : `birth test ${fault}`;
}

function tested(context: DraftContext, event: DraftEvent): DraftContext {
  const { nowMs } = event.at;
  const fault = testFaultOf(context, event);
  const isNext = fault === null && context.run < (context.draft.tests?.length ?? 0);
  return {
    ...context,
    fault,
    passed: context.passed + (fault === null ? 1 : 0),
    run: isNext ? context.run + 1 : context.run,
    testMs: context.testMs + nowMs - context.startedMs,
    startedMs: nowMs,
  };
}

const passesAll = ({ passed, draft }: DraftContext): boolean => passed === draft.tests?.length;

function draftResult({ input, draft, ...rest }: DraftContext, ok: boolean): Letter {
  const { passed, run, testMs, why, error, cost } = rest;
  const meanMs = Math.floor(testMs / Math.max(1, run));
  const made = ok ? { ...empty, ...draft } : null;
  return {
    to: input.replyTo,
    event: { type: "draft.ended", ok, draft: made, passed, run, meanMs, cost, why, error },
  };
}

const empty: Draft = {
  name: "",
  version: "1",
  description: "",
  takes: [],
  gives: [],
  profile: {},
  shape: {},
  revertible: false,
  critical: false,
  targetKind: "none",
  argsSchema: {},
  capabilities: [],
  reversePattern: null,
  tests: [],
  affinity: [],
  code: "",
};
