/**
 * One run of a macro: a step at a time, each a call that the engine routes by its words, or its name. A branch replaces
 * what is left of the steps. Source: seed 001, "Composed skills"; dossier 1.10.
 */
import { defined } from "../defined.ts";
import type { Delivered, Json, MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { type Macro, type MacroStep, resolveParams, savedText, shownResult } from "./macro.ts";
import type { MacroPolicy } from "./macroPolicy.ts";

type Values = { readonly [name: string]: Json };

/** What a run tells of a step. */
export interface StepTold {
  readonly step: string;
  /** What the step names, and what the engine gave it to; null when that was nothing. */
  readonly tool: string;
  readonly servedBy: string | null;
  readonly success: boolean;
  readonly result?: Json;
  readonly error?: string;
  readonly savedAs?: string;
}

export interface MacroRun {
  readonly macro: Macro;
  readonly agent: string;
  readonly cycle: number;
  /** The question to answer at the end. */
  readonly to: string;
  readonly re: number;
  /** What is left; the first one is under way. */
  readonly steps: readonly MacroStep[];
  /** What templates are filled from: the caller's parameters, and what steps saved. */
  readonly values: Values;
  readonly told: readonly StepTold[];
  /** What an answer rests on: what brought the macro, and the ends of its steps. */
  readonly facts: readonly number[];
}

/** What the step under way asks the engine for. */
export type StepCall = Pick<MailOf<"call.requested">, "intent" | "tool" | "params">;

/** Whether agents call tools by name, and so the steps do. */
export type RunPolicy = MacroPolicy & { readonly byName?: boolean };

/** Why a run ends. */
export interface RunEnd {
  readonly ok: boolean;
  readonly reason: string | null;
  /** The delivery that a failure is due to. */
  readonly fact?: number;
}

export const beginRun = (
  run: Omit<MacroRun, "steps" | "told" | "facts"> & { readonly madeBy: number },
): MacroRun => {
  const { madeBy, ...rest } = run;
  return { ...rest, steps: run.macro.steps, told: [], facts: [madeBy] };
};

/** The call of the step under way, or why there is none. */
export function nextCall(
  { macro, steps, values, told }: MacroRun,
  policy: RunPolicy,
):
  | { readonly call: StepCall; readonly end?: never }
  | { readonly call?: never; readonly end: RunEnd } {
  const [step] = steps;
  const end = (ok: boolean, reason: string | null) => ({ end: { ok, reason } });
  if (step === undefined) return end(true, null);
  if (told.length >= policy.stepsMax) {
    return end(false, `${macro.name} wants more than ${policy.stepsMax} steps`);
  }
  // A step that agents called by name has nothing else to say of itself.
  const isNamed = policy.byName || step.description === step.tool;
  const call = { intent: step.description, params: resolveParams(step.params, values) };
  return { call: isNamed ? { ...call, tool: step.tool } : call };
}

/** After the step under way: what is left of the run, or its end. */
export function takeStep(
  run: MacroRun,
  { ok, capability, result, error, at }: Delivered<"call.finished">,
  policy: MacroPolicy,
): { readonly run: MacroRun; readonly end?: RunEnd } {
  const [step, ...rest] = run.steps;
  if (step === undefined) return { run };
  const text = savedText(ok ? result : (error ?? ""), policy.savedChars);
  const told: StepTold = defined({
    step: step.description,
    tool: step.tool,
    servedBy: capability,
    success: ok,
    result: ok ? shownResult(result, policy.resultChars) : undefined,
    error: ok ? undefined : error,
    savedAs: step.saveAs,
  });
  const branch =
    ok && step.branchCondition !== undefined && step.branchTarget !== undefined
      ? branchTaken(step.branchCondition, ownValue(run.macro.branches, step.branchTarget), text)
      : undefined;
  const next: MacroRun = {
    ...run,
    steps: branch ?? rest,
    values: step.saveAs === undefined ? run.values : { ...run.values, [step.saveAs]: text },
    told: [...run.told, told],
    facts: [...run.facts, at.seq],
  };
  if (ok || step.optional === true) return { run: next };
  const served = capability === null ? "no capability" : capability;
  const reason = `step ${next.told.length} of ${run.macro.name} (${step.tool}, served by ${served}) failed: ${error ?? "no reason given"}`;
  return { run: next, end: { ok: false, reason, fact: at.seq } };
}

/** The steps of a branch whose condition stands in the result, in any letter case. */
const branchTaken = (
  condition: string,
  branch: readonly MacroStep[] | undefined,
  text: string,
): readonly MacroStep[] | undefined =>
  branch !== undefined && branch.length > 0 && text.toLowerCase().includes(condition.toLowerCase())
    ? branch
    : undefined;

/** A step as the caller reads it; the names are the real system's. */
type Shown = {
  readonly step: string;
  readonly tool: string;
  readonly served_by: string | null;
  readonly success: boolean;
  readonly result?: Json;
  readonly error?: string;
  readonly saved_as?: string;
};

/** What the caller gets: every step, whether the run went well or not. */
export const runResult = ({ macro, told }: MacroRun, { ok }: RunEnd): Json => ({
  success: ok,
  steps_completed: told.length,
  total_steps: macro.steps.length,
  results: told.map(
    ({ step, tool, servedBy, success, result, error, savedAs }): Json =>
      defined<Shown>({
        step,
        tool,
        served_by: servedBy,
        success,
        result,
        error,
        saved_as: savedAs,
      }),
  ),
});

/** What an answer rests on, the delivery that a failure is due to at last. */
export const restsOn = ({ facts }: MacroRun, { fact }: RunEnd): readonly number[] =>
  fact === undefined ? facts : [...facts.filter((one) => one !== fact), fact];
