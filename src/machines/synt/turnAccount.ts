/** What a user turn knows, and pure changes of it. The order is in userTurn.ts. */
import { type At, ask, type Delivered, type Json, type Letter, type MailOf } from "../letter.ts";
import { DESK, isChain, type Need, POOL } from "./contract.ts";
import type { StagePolicy } from "./stageTable.ts";

export interface TurnInput {
  readonly turn: string;
  readonly says: string;
  readonly args: { readonly [name: string]: Json };
  /** The case of its argument, by which a specialised executor is found. */
  readonly case: string | null;
  readonly budgetCents: number | null;
}

export type TurnEvent = Delivered<
  | "plan.made"
  | "synth.progressed"
  | "synth.ended"
  | "executor.found"
  | "executor.ended"
  | "sandbox.replied"
  | "ask.bounced"
>;

export interface TurnContext {
  readonly input: TurnInput;
  readonly openedMs: number;
  readonly steps: readonly string[];
  readonly known: readonly string[];
  readonly towards: readonly string[];
  readonly isReplayed: boolean;
  /** Whether a chain stands in for what was missing. */
  readonly composed: boolean;
  /** Names that were missed in this turn: each has left its proto-mnest. */
  readonly missed: readonly string[];
  readonly step: number;
  readonly running: string;
  readonly code: string | null;
  readonly startedMs: number;
  /** Whose result the next step builds on. */
  readonly behind: string | null;
  readonly result: Json;
  /** Why the turn ends without a result; null while it may still have one. */
  readonly why: string | null;
}

export const openingTurn = (input: TurnInput, { nowMs }: At): TurnContext => ({
  input,
  openedMs: nowMs,
  steps: [],
  known: [],
  towards: [],
  isReplayed: false,
  composed: false,
  missed: [],
  step: 0,
  running: "",
  code: null,
  startedMs: nowMs,
  behind: null,
  result: null,
  why: null,
});

export const addressOf = ({ input }: TurnContext): string => `gateway/${input.turn}`;

export function planned(context: TurnContext, event: TurnEvent): TurnContext {
  if (event.type !== "plan.made") return context;
  const { steps, towards, known, isReplayed, why } = event;
  // A planner that sees no way and names nothing: one step is missing, and synt finds its name.
  const isNameless = steps.length === 0 && why === null;
  return { ...context, steps: isNameless ? [""] : steps, towards, known, isReplayed, why };
}

const gapAt = ({ steps, known }: TurnContext): number =>
  steps.findIndex((name) => !known.includes(name));
export const hasGap = (context: TurnContext): boolean => !context.isReplayed && gapAt(context) >= 0;

/** The first step that no executor in the pool can take. */
export function gapOf(context: TurnContext): Need {
  const { steps, towards, input } = context;
  const index = gapAt(context);
  const from = steps[index - 1] ?? null;
  return { intent: input.says, name: steps[index] ?? "", from, hints: towards };
}

/** A chain takes the place of the step before the gap and of the gap; an executor that of the gap. */
export function substituted(context: TurnContext, event: TurnEvent): TurnContext {
  if (event.type !== "synth.ended") return context;
  const index = gapAt(context);
  const { artefact } = event;
  const made = isChain(artefact) ? artefact : [artefact?.name ?? ""];
  const isWhole = made.length > 1;
  const before = context.steps.slice(0, isWhole ? Math.max(0, index - 1) : index);
  return {
    ...context,
    steps: [...before, ...made, ...context.steps.slice(index + 1)],
    known: [...context.known, ...made],
    composed: context.composed || isWhole,
    missed: [...context.missed, context.steps[index] ?? ""],
  };
}

export function runRequest(
  { running, code, input, result }: TurnContext,
  { stages }: { readonly stages: StagePolicy },
): Letter {
  const args = { ...input.args, ...(result !== null && { previous: result }) };
  const common = { purpose: "turn", params: { args } };
  if (code === null) {
    const event: MailOf<"executor.run"> = { type: "executor.run", ...common, name: running };
    return ask({ to: "port/executor.run", key: "run", event });
  }
  const limitMs = stages.testLimitMs;
  const event: MailOf<"sandbox.run"> = {
    type: "sandbox.run",
    ...common,
    name: "invoke",
    code,
    limitMs,
  };
  return ask({ to: "port/sandbox.run", key: "run", event });
}

/** An executor that answers `ok: false` has not done its work. */
export function ranWell(event: TurnEvent): boolean {
  if (event.type === "executor.ended") return event.ok;
  if (event.type !== "sandbox.replied" || !event.ok) return false;
  return (event.result as { readonly ok?: Json } | null)?.ok !== false;
}

export const isComplete = ({ step, steps }: TurnContext): boolean => step === steps.length - 1;

export const stepDone = (context: TurnContext, event: TurnEvent): TurnContext => ({
  ...context,
  step: context.step + 1,
  behind: context.running,
  result: event.type === "sandbox.replied" ? (event.result ?? null) : null,
});

export function failedStep(context: TurnContext, event: TurnEvent): TurnContext {
  const error = "error" in event ? event.error : undefined;
  return { ...context, why: `${context.running} failed: ${error ?? "no reason given"}` };
}

export const stepRan = (context: TurnContext, event: TurnEvent): Letter => ({
  to: POOL,
  event: {
    type: "executor.ran",
    executor: context.running,
    behind: context.behind,
    ok: ranWell(event),
    ms: event.at.nowMs - context.startedMs,
    cents: "cents" in event ? (event.cents ?? 0) : 0,
    case: context.input.case,
  },
});

/** What the run cost, for the desk, which keeps the day's money; nothing of one that costs nothing. */
export function runCost({ input, running }: TurnContext, event: TurnEvent): readonly Letter[] {
  const cents = "cents" in event ? (event.cents ?? 0) : 0;
  const ran: MailOf<"money.ran"> = {
    type: "money.ran",
    turn: input.turn,
    executor: running,
    cents,
  };
  return cents > 0 ? [{ to: DESK, event: ran }] : [];
}

export const answerOf = ({
  why,
  steps,
}: TurnContext): { readonly ok: boolean; readonly text: string } =>
  why === null
    ? { ok: true, text: `Done with ${steps.join(" → ")}.` }
    : { ok: false, text: `I could not: ${why}.` };
