/** A composed skill: steps with templates, and branches that replace what is left of them. Source: seed 001; dossier 1.10. */
import { cutText } from "../cutText.ts";
import type { Json } from "../letter.ts";
import { ownValue } from "../ownValue.ts";

export interface MacroStep {
  /** What it calls. */
  readonly tool: string;
  readonly description: string;
  /** Texts may hold `$name` or `${name}`; nothing else is looked into. */
  readonly params: { readonly [name: string]: Json };
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
export const resolveParams = (
  params: { readonly [name: string]: Json },
  values: { readonly [name: string]: Json },
): { readonly [name: string]: Json } =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" ? fillIn(value, values) : value,
    ]),
  );

/** A name without a value is filled in as nothing. */
function fillIn(text: string, values: { readonly [name: string]: Json }): Json {
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
  return kept === text ? result : `${kept}\n${cutMark([...text].length - charsMax, charsMax)}`;
}

const cutMark = (dropped: number, charsMax: number): string =>
  `…[truncated ${dropped} chars — this step's full output exceeded the ${charsMax}-char per-step cap; ` +
  "re-run this step's tool standalone to get the complete result]";

/** What later steps find of it. */
export function savedText(result: Json, charsMax: number): string {
  const text = textOf(result);
  const kept = cutText(text, charsMax);
  return kept === text
    ? text
    : `${kept}\n…[cut: a saved result has ${charsMax} characters at most]`;
}

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
export function macroFault({
  steps,
  branches,
}: Pick<Macro, "steps" | "branches">): MacroFault | null {
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
export function macroInputs({
  steps,
  branches,
}: Pick<Macro, "steps" | "branches">): readonly string[] {
  const saved = savedIn(steps);
  const needed = [
    ...neededBy(steps, new Set()),
    ...Object.values(branches).flatMap((branch) => neededBy(branch, saved)),
  ];
  return [...new Set(needed.filter((name) => !saved.has(name)))].toSorted();
}

const savedIn = (steps: readonly MacroStep[]): ReadonlySet<string> =>
  new Set(steps.flatMap(({ saveAs }) => (saveAs === undefined ? [] : [saveAs])));

function neededBy(steps: readonly MacroStep[], before: ReadonlySet<string>): readonly string[] {
  const known = new Set(before);
  return steps.flatMap((step) => {
    const missing = namesIn(step).filter((name) => !known.has(name));
    if (step.saveAs !== undefined) known.add(step.saveAs);
    return missing;
  });
}
