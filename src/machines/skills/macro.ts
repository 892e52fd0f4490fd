/**
 * A composed skill: steps with templates, and branches that replace what is left of them; and one run of it, a step at a time, each
 * a call that the engine routes by its words, or its name. Source: seed 001, "Composed skills"; dossier 1.10.
 */
import { cutText } from "../cutText.ts";
import { defined } from "../defined.ts";
import type { Delivered, Json, MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { between, integer, type ValuesOf } from "../policyLeaf.ts";

const characters = { unit: "characters", min: 1, max: 1_000_000 };
const AS_DOSSIER = "RULINGS K15: dossier 1.10, as the seed is silent";

export const runLeaves = {
  stepsMax: integer(64, between(1, 10_000, "steps"), {
    says: "Most steps of one run, those of branches too; a run that wants more has failed.",
    source: AS_DOSSIER,
  }),
  resultChars: integer(4_000, characters, {
    says: "Where the result of one step is cut in what a run returns.",
    source: AS_DOSSIER,
  }),
  savedChars: integer(16_000, characters, {
    says: "Where the result of one step is cut that later steps may use.",
    source: AS_DOSSIER,
  }),
};

type Values = { readonly [name: string]: Json };

export interface MacroStep {
  /** What it calls. */
  readonly tool: string;
  readonly description: string;
  /** Texts may hold `$name` or `${name}`; nothing else is looked into. */
  readonly params: Values;
  /** When this text stands in the step's result, in any letter case, the branch of that name goes on instead. */
  readonly branchCondition?: string;
  readonly branchTarget?: string;
  /** Whether the run goes on although the step failed. */
  readonly optional?: boolean;
  /** The name under which later steps find its result. */
  readonly saveAs?: string;
}

export interface Macro {
  readonly name: string;
  /** What it is good for. */
  readonly description: string;
  readonly steps: readonly MacroStep[];
  readonly branches: { readonly [name: string]: readonly MacroStep[] };
}

const NAME_MAX = 64;

/** The text as a name that a model can call. */
export function macroName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9_]/g, "_");
  return cutText(/^[A-Za-z_]/.test(name) ? name : `m_${name}`, NAME_MAX);
}

const WHOLE = /^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?$/;
const INSIDE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)/g;

/** The parameters of a step: a text that is one name becomes its value, one that holds names is filled in. */
export const resolveParams = (params: Values, values: Values): Values =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" ? fillIn(value, values) : value,
    ]),
  );

/** A name without a value is filled in as nothing. */
function fillIn(text: string, values: Values): Json {
  const given = (name: string) => {
    const value = ownValue(values, name);
    return value === undefined ? "" : value;
  };
  const [, whole] = WHOLE.exec(text.trim()) ?? [];
  if (whole !== undefined) return given(whole);
  return text.replaceAll(INSIDE, (_, braced?: string, bare?: string) =>
    textOf(given(braced ?? bare ?? "")),
  );
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** What a run shows of a step's result: the result, or as much of its text as there is room for, with a mark. */
export function shownResult(result: Json, charsMax: number): Json {
  const text = textOf(result);
  const kept = cutText(text, charsMax);
  const dropped = [...text].length - charsMax;
  return kept === text
    ? result
    : `${kept}\n…[truncated ${dropped} chars — this step's full output exceeded the ${charsMax}-char ` +
        "per-step cap; re-run this step's tool standalone to get the complete result]";
}

/** What later steps find of it. */
export function savedText(result: Json, charsMax: number): string {
  const text = textOf(result);
  const kept = cutText(text, charsMax);
  const mark = `\n…[cut: a saved result has ${charsMax} characters at most]`;
  return kept === text ? text : kept + mark;
}

type Flow = Pick<Macro, "steps" | "branches">;

/** Why a macro could not work; `step` counts from 1. */
export interface MacroFault {
  readonly cause: "no-steps" | "saved-twice" | "uses-own-result" | "uses-later-result";
  /** The branch it is in; null for the steps. */
  readonly branch: string | null;
  readonly step: number;
  /** The name that is saved or used. */
  readonly name: string;
}

/** The first fault; results only flow forward, in the steps and within each branch. */
export function macroFault({ steps, branches }: Flow): MacroFault | null {
  if (steps.length === 0) return { cause: "no-steps", branch: null, step: 0, name: "" };
  const inSteps = flowFault(steps, null);
  if (inSteps !== null) return inSteps;
  for (const [name, branch] of Object.entries(branches)) {
    const fault = flowFault(branch, name);
    if (fault !== null) return fault;
  }
  return null;
}

function flowFault(steps: readonly MacroStep[], branch: string | null): MacroFault | null {
  const savedBy = new Map<string, number>();
  for (const [index, { saveAs }] of steps.entries()) {
    if (saveAs === undefined || saveAs === "") continue;
    if (savedBy.has(saveAs)) return { cause: "saved-twice", branch, step: index + 1, name: saveAs };
    savedBy.set(saveAs, index);
  }
  for (const [index, step] of steps.entries()) {
    for (const name of namesIn(step)) {
      const source = savedBy.get(name) ?? -1;
      if (source === index) return { cause: "uses-own-result", branch, step: index + 1, name };
      if (source > index) return { cause: "uses-later-result", branch, step: index + 1, name };
    }
  }
  return null;
}

/** The names that a step's templates hold, in their order. */
const namesIn = ({ params }: MacroStep): readonly string[] =>
  Object.values(params).flatMap((value) =>
    typeof value === "string"
      ? [...value.matchAll(INSIDE)].map(([, braced, bare]) => braced ?? bare ?? "")
      : [],
  );

/** What its caller must give: the names that are used and that no earlier step saves, in alphabetical order. */
export function macroInputs({ steps, branches }: Flow): readonly string[] {
  const saved = new Set(steps.flatMap(({ saveAs }) => (saveAs === undefined ? [] : [saveAs])));
  const needed = [
    ...neededBy(steps, new Set()),
    ...Object.values(branches).flatMap((branch) => neededBy(branch, saved)),
  ];
  return [...new Set(needed.filter((name) => !saved.has(name)))].toSorted();
}

function neededBy(steps: readonly MacroStep[], before: ReadonlySet<string>): readonly string[] {
  const known = new Set(before);
  return steps.flatMap((step) => {
    const missing = namesIn(step).filter((name) => !known.has(name));
    if (step.saveAs !== undefined) known.add(step.saveAs);
    return missing;
  });
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
  /** What is told of each step that was run. */
  readonly told: readonly {
    readonly step: string;
    /** What the step names, and what the engine gave it to; null when that was nothing. */
    readonly tool: string;
    readonly servedBy: string | null;
    readonly success: boolean;
    readonly result?: Json;
    readonly error?: string;
    readonly savedAs?: string;
  }[];
  /** What an answer rests on: what brought the macro, and the ends of its steps. */
  readonly facts: readonly number[];
}

/** Whether agents call tools by name, and so the steps do. */
export type RunPolicy = ValuesOf<typeof runLeaves> & { readonly byName?: boolean };

/** Why a run ends. */
export interface RunEnd {
  readonly ok: boolean;
  readonly reason: string | null;
  /** The delivery that a failure is due to. */
  readonly fact?: number;
}

export const beginRun = ({
  madeBy,
  ...run
}: Omit<MacroRun, "steps" | "told" | "facts"> & { readonly madeBy: number }): MacroRun => ({
  ...run,
  steps: run.macro.steps,
  told: [],
  facts: [madeBy],
});

/** The call of the step under way, or why there is none. */
export function nextCall(
  { macro, steps, values, told }: MacroRun,
  policy: RunPolicy,
):
  | { readonly call: Pick<MailOf<"call.requested">, "intent" | "tool" | "params">; end?: never }
  | { readonly call?: never; readonly end: RunEnd } {
  const [step] = steps;
  if (step === undefined) return { end: { ok: true, reason: null } };
  if (told.length >= policy.stepsMax) {
    const reason = `${macro.name} wants more than ${policy.stepsMax} steps`;
    return { end: { ok: false, reason } };
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
  policy: Pick<RunPolicy, "resultChars" | "savedChars">,
): { readonly run: MacroRun; readonly end?: RunEnd } {
  const [step, ...rest] = run.steps;
  if (step === undefined) return { run };
  const { branchCondition, branchTarget, saveAs } = step;
  const text = savedText(ok ? result : (error ?? ""), policy.savedChars);
  const told: MacroRun["told"][number] = defined({
    step: step.description,
    tool: step.tool,
    servedBy: capability,
    success: ok,
    result: ok ? shownResult(result, policy.resultChars) : undefined,
    error: ok ? undefined : error,
    savedAs: saveAs,
  });
  const branch =
    ok &&
    branchCondition !== undefined &&
    branchTarget !== undefined &&
    text.toLowerCase().includes(branchCondition.toLowerCase())
      ? (ownValue(run.macro.branches, branchTarget) ?? [])
      : [];
  const next: MacroRun = {
    ...run,
    steps: branch.length > 0 ? branch : rest,
    values: saveAs === undefined ? run.values : { ...run.values, [saveAs]: text },
    told: [...run.told, told],
    facts: [...run.facts, at.seq],
  };
  if (ok || step.optional === true) return { run: next };
  const served = capability ?? "no capability";
  const reason = `step ${next.told.length} of ${run.macro.name} (${step.tool}, served by ${served}) failed: ${error ?? "no reason given"}`;
  return { run: next, end: { ok: false, reason, fact: at.seq } };
}

/** What the caller gets: every step, whether the run went well or not. The names are the real system's. */
export const runResult = ({ macro, told }: MacroRun, { ok }: RunEnd): Json => ({
  success: ok,
  steps_completed: told.length,
  total_steps: macro.steps.length,
  results: told.map(
    ({ step, tool, servedBy, success, savedAs, ...outcome }): Json => ({
      step,
      tool,
      served_by: servedBy,
      success,
      ...outcome,
      ...(savedAs !== undefined && { saved_as: savedAs }),
    }),
  ),
});

/** What an answer rests on, the delivery that a failure is due to at last. */
export const restsOn = ({ facts }: MacroRun, { fact }: RunEnd): readonly number[] =>
  fact === undefined ? facts : [...facts.filter((one) => one !== fact), fact];
