/** What a draft works out, as pure changes of its context, and what it says. */
import type { Delivered, Letter, MailOf } from "../letter.ts";
import { testFault } from "./birthTests.ts";
import { DESK, type Draft } from "./contract.ts";
import type { DraftContext, DraftEvent } from "./draftContext.ts";
import { profileOf } from "./executorProfile.ts";
import { HINTS_PATH, hintFor, repertoireOf } from "./hints.ts";
import type { PaidCallInput } from "./paidCall.ts";
import { readStage, type StageAnswer } from "./stageAnswers.ts";
import { stageView } from "./stagePrompts.ts";
import { STAGES, type Stage } from "./stageTable.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

// The stage is one of its kind's, as the states of executorDraft.ts are.
const stageOf = ({ input, stage }: DraftContext): Stage => STAGES[input.kind][stage] as Stage;

const repertoireIn = (event: DraftEvent) =>
  repertoireOf((event.type === "files.replied" && event.text) || "");

export const hinted = (context: DraftContext, event: DraftEvent): DraftContext => ({
  ...context,
  userHints: repertoireIn(event).entries,
});

/** A word to the desk on a prompt repertoire that is not in order. */
export function hintsFaulty(event: DraftEvent): readonly Letter[] {
  const { fault } = repertoireIn(event);
  if (fault === null) return [];
  return [{ to: DESK, event: { type: "hints.faulty", path: HINTS_PATH, fault } }];
}

export function nextCall(context: DraftContext, { naming }: SyntPolicy): PaidCallInput {
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
export function read(context: DraftContext, event: DraftEvent, policy: SyntPolicy): DraftContext {
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
  { naming, stages }: SyntPolicy,
): StageAnswer {
  if (text === null) return { fault: why || "the model gave no answer" };
  const { draft, input } = context;
  const { pool } = input;
  return readStage(stageOf(context).purpose, text, { naming, stages, pool, draft });
}

export const outOfRetries = ({ retries }: DraftContext, stage: number, { stages }: SyntPolicy) =>
  (retries[stage] ?? 0) >= stages.retries;

/** On to the next stage, or to the birth tests. */
export function filledIn(context: DraftContext, event: DraftEvent): DraftContext {
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
export const retried = (context: DraftContext): DraftContext => ({
  ...context,
  retries: context.retries.with(context.stage, (context.retries[context.stage] ?? 0) + 1),
  calls: context.calls + 1,
  faults: [...context.faults, faultOf(context)],
  answer: null,
  fault: null,
});

/** Back to the stage that writes the code. */
export const recoded = (context: DraftContext): DraftContext =>
  retried({ ...context, stage: context.codeStage });

export const failedBy = (context: DraftContext, why: string): DraftContext => ({
  ...context,
  why,
  error: context.error ?? "StrategyExhausted",
  answer: null,
  fault: null,
});

/** The end of it: its stage has no retries left, its model refuses, or its call was not paid for. */
export function failed(context: DraftContext): DraftContext {
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

export function profiled(context: DraftContext, event: DraftEvent): DraftContext {
  const found = event.type === "python.parsed" ? profileOf(event) : { fault: "" };
  const profile = "profile" in found ? found.profile : {};
  const fault = codeFault(event);
  if (fault !== null) return { ...context, fault };
  return { ...context, draft: { ...context.draft, profile }, ...freshTests(event) };
}

export function testRequest(
  { draft, run }: DraftContext,
  { stages }: SyntPolicy,
): MailOf<"sandbox.run"> {
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

export function tested(context: DraftContext, event: DraftEvent): DraftContext {
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

export const passesAll = ({ passed, draft }: DraftContext): boolean =>
  passed === draft.tests?.length;

export function draftResult({ input, draft, ...rest }: DraftContext, ok: boolean): Letter {
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
