/** What a user turn works out, as pure changes of its context, and what it says. */
import { isMap } from "../isMap.ts";
import { ask, type Letter, type MailOf } from "../letter.ts";
import { DESK, isChain, type Need, POOL } from "./contract.ts";
import type { StagePolicy } from "./stageTable.ts";
import type { TurnContext, TurnEvent } from "./turnContext.ts";

export function planned(context: TurnContext, event: TurnEvent): TurnContext {
  if (event.type !== "plan.made") return context;
  const { steps, towards, known, isReplayed, why } = event;
  // A planner that sees no way and names nothing: one step is missing, and synt finds its name.
  const isNameless = steps.length === 0 && why === null;
  const next = { ...context, steps: isNameless ? [""] : steps, towards, known, isReplayed, why };
  // What is replayed is not looked through again.
  return { ...next, gap: isReplayed ? null : gapIn(next) };
}

/** A composed chain runs without the person's word: for the audit. Ruling Y27. */
export function replayedUnasked({ input }: TurnContext, event: TurnEvent): readonly Letter[] {
  if (event.type !== "plan.made" || event.unasked === undefined) return [];
  const { turn, says: intent } = input;
  const replayed: MailOf<"chain.replayed"> = {
    type: "chain.replayed",
    ...{ turn, intent, chain: event.steps, cleanRuns: event.unasked },
  };
  return [{ to: DESK, event: replayed }];
}

function gapIn({ steps, known }: Pick<TurnContext, "steps" | "known">): number | null {
  const index = steps.findIndex((name) => !known.includes(name));
  return index < 0 ? null : index;
}

/** The first step that no executor in the pool can take. */
export function gapOf(context: TurnContext): Need {
  const { steps, towards, input } = context;
  const gap = context.gap ?? 0;
  const from = steps[gap - 1] ?? null;
  return { intent: input.says, name: steps[gap] ?? "", from, hints: towards };
}

/** A chain takes the place of the step before the gap and of the gap; an executor that of the gap. */
export function substituted(context: TurnContext, event: TurnEvent): TurnContext {
  if (event.type !== "synth.ended" || context.gap === null) return context;
  const { gap } = context;
  const { artefact } = event;
  const made = isChain(artefact) ? artefact : [artefact?.name ?? ""];
  const isWhole = made.length > 1;
  const before = context.steps.slice(0, isWhole ? Math.max(0, gap - 1) : gap);
  const steps = [...before, ...made, ...context.steps.slice(gap + 1)];
  const known = [...context.known, ...made];
  return {
    ...context,
    ...{ steps, known, gap: gapIn({ steps, known }) },
    composed: context.composed || isWhole,
    missed: [...context.missed, context.steps[gap] ?? ""],
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

export function ran(context: TurnContext, event: TurnEvent): TurnContext {
  if (event.type !== "executor.ended" && event.type !== "sandbox.replied") return context;
  const result = event.type === "sandbox.replied" ? (event.result ?? null) : null;
  // An answer without `ok` says nothing of it; any other value than true is not true.
  const said = isMap(result) ? (result["ok"] ?? true) : true;
  const ok = event.ok && said === true;
  return { ...context, ran: { ok, result, error: event.error ?? null } };
}

export const isComplete = ({ step, steps }: TurnContext): boolean => step === steps.length - 1;

export const stepDone = (context: TurnContext): TurnContext => ({
  ...context,
  step: context.step + 1,
  behind: context.running,
  result: context.ran?.result ?? null,
  ran: null,
});

export const stepFailed = (context: TurnContext): TurnContext => ({
  ...context,
  why: `${context.running} failed: ${context.ran?.error ?? "no reason given"}`,
  ran: null,
});

export const stepRan = (context: TurnContext, event: TurnEvent): Letter => ({
  to: POOL,
  event: {
    type: "executor.ran",
    executor: context.running,
    behind: context.behind,
    ok: context.ran?.ok === true,
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
