/** What a draft knows and says, transition by transition. See executorDraft.ts for the order. */
import type { Delivered, Json, Letter, MailOf } from "../letter.ts";
import { testFault } from "./birthTests.ts";
import { DESK, type Draft, type Material, type Need, type SyntError } from "./contract.ts";
import { profileOf } from "./executorProfile.ts";
import { HINTS_PATH, type Hint, hintFor, repertoireOf } from "./hints.ts";
import type { PaidCallInput } from "./paidCall.ts";
import type { Strategy } from "./reward.ts";
import { readStage, type StageAnswer } from "./stageAnswers.ts";
import { stageView } from "./stagePrompts.ts";
import { codeStageOf, type DraftKind, STAGES, type Stage } from "./stageTable.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

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
  readonly coder: { readonly provider: string; readonly model: string | null };
}

export type DraftEvent = Delivered<
  "files.replied" | "paid.ended" | "python.parsed" | "sandbox.replied" | "ask.bounced"
>;

export interface DraftContext {
  readonly input: DraftInput;
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
}

const stagesOf = ({ input: { kind } }: DraftContext): readonly Stage[] => STAGES[kind];
const stageOf = (context: DraftContext): Stage => stagesOf(context)[context.stage] as Stage;

export const openingDraft = (input: DraftInput): DraftContext => ({
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
});

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

function answerOf(context: DraftContext, event: DraftEvent, policy: SyntPolicy): StageAnswer {
  if (event.type !== "paid.ended" || event.text === null) {
    return { fault: (event.type === "paid.ended" && event.why) || "the model gave no answer" };
  }
  const { draft, input } = context;
  const { naming, stages } = policy;
  return readStage(stageOf(context).purpose, event.text, {
    naming,
    stages,
    pool: input.pool,
    draft,
  });
}

/** What is wrong with an answer, with the number of its stage; null for a good one. */
export function stageFault(context: DraftContext, event: DraftEvent, policy: SyntPolicy) {
  const answer = answerOf(context, event, policy);
  return "fault" in answer ? `stage ${context.stage + 1}: ${answer.fault}` : null;
}

export function refusedBy(context: DraftContext, event: DraftEvent, policy: SyntPolicy) {
  const answer = answerOf(context, event, policy);
  return "refused" in answer ? answer.refused : null;
}

export const isLastStage = (context: DraftContext): boolean =>
  context.stage === stagesOf(context).length - 1;

export const outOfRetries = ({ retries }: DraftContext, stage: number, { stages }: SyntPolicy) =>
  (retries[stage] ?? 0) >= stages.retries;

export function filledIn(
  context: DraftContext,
  event: DraftEvent,
  policy: SyntPolicy,
): DraftContext {
  const answer = answerOf(context, event, policy);
  const filled = "filled" in answer ? answer.filled : {};
  const stage = isLastStage(context) ? context.stage : context.stage + 1;
  const draft = { ...context.draft, ...filled };
  return {
    ...context,
    draft,
    stage,
    calls: context.calls + 1,
    cost: context.cost + costOf(event),
    faults: [],
    ...freshTests(event),
  };
}

export const costOf = (event: DraftEvent): number => (event.type === "paid.ended" ? event.cost : 0);

const freshTests = ({ at }: DraftEvent) => ({ run: 1, passed: 0, testMs: 0, startedMs: at.nowMs });

/** The same stage again, which is shown what was wrong. */
export const retried = (context: DraftContext, fault: string | null): DraftContext => ({
  ...context,
  retries: context.retries.with(context.stage, (context.retries[context.stage] ?? 0) + 1),
  calls: context.calls + 1,
  faults: [...context.faults, fault ?? "the answer was no good"],
});

/** What is wrong with the code as its syntax tree shows it; null for nothing. */
export function coded(event: DraftEvent): string | null {
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
export function testFaultOf({ draft, run }: DraftContext, event: DraftEvent): string | null {
  const test = draft.tests?.[run - 1];
  if (event.type !== "sandbox.replied" || test === undefined) return "the birth test did not run";
  if (event.timedOut) return `birth test ${test.name}: it took too long`;
  if (!event.ok) return `birth test ${test.name}: ${event.error ?? "it failed"}`;
  const fault = testFault(test, event.result ?? null);
  return fault === null ? null : `birth test ${fault}`;
}

export function tested(context: DraftContext, { at }: DraftEvent, isPassed: boolean): DraftContext {
  const isLast = context.run === context.draft.tests?.length;
  return {
    ...context,
    passed: context.passed + (isPassed ? 1 : 0),
    run: isPassed && !isLast ? context.run + 1 : context.run,
    testMs: context.testMs + at.nowMs - context.startedMs,
    startedMs: at.nowMs,
  };
}

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
