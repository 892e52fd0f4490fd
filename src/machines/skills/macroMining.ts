/**
 * What recurs in the calls by which agents completed their goals, as macros. Steps that failed, or returned nothing, are left
 * out. Source: seed 001, "Composed skills"; dossier 1.10.
 */
import type { Json, Mail } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { between, integer, type ValuesOf } from "../policyLeaf.ts";
import { sortedJson } from "../sortedJson.ts";
import { type Macro, type MacroStep, macroName } from "./macro.ts";

const AS_DOSSIER = "RULINGS K15: dossier 1.10, as the seed is silent";

export const miningLeaves = {
  support: integer(3, between(1, 1_000, "goals"), {
    says: "In so many completed goals a sequence of calls recurs.",
    source: AS_DOSSIER,
  }),
  windowMax: integer(4, between(2, 20, "steps"), {
    says: "Most calls of a sequence; two are the least.",
    source: AS_DOSSIER,
  }),
  minedMax: integer(3, between(0, 100, "macros"), {
    says: "Most macros that are learned at once.",
    source: AS_DOSSIER,
  }),
  goalsMax: integer(200, between(1, 10_000, "goals"), {
    says: "Most completed goals whose calls are remembered; one more pushes out the oldest.",
    source: "ours",
  }),
};

export type MiningPolicy = ValuesOf<typeof miningLeaves>;

/** A step that went well. */
interface TracedStep {
  readonly tool: string;
  /** Of an entry that a part brought: its kind. */
  readonly kind?: string;
  readonly intent: string;
  readonly params: { readonly [name: string]: Json };
}

/** A completed goal, and the steps that led there. */
interface Trajectory {
  /** As `cedar/3`. */
  readonly goal: string;
  readonly endedMs: number;
  /** The delivery that told of its end. */
  readonly fact: number;
  readonly steps: readonly TracedStep[];
}

export interface Traces {
  /** Of goals that have not ended, by goal. */
  readonly open: { readonly [goal: string]: readonly TracedStep[] };
  /** In the order of their ends. */
  readonly completed: readonly Trajectory[];
}

export function traceStep(traces: Traces, step: Mail["step.reported"]): Traces {
  const { ok, nothing, capability: tool, kind, intent, params, agent, n } = step;
  if (!ok || nothing || tool === null) return traces;
  const goal = `${agent}/${n}`;
  const known = ownValue(traces.open, goal) ?? [];
  const traced: TracedStep = { tool, intent, params, ...(kind !== undefined && { kind }) };
  return { ...traces, open: { ...traces.open, [goal]: [...known, traced] } };
}

/** Of an abandoned goal nothing is kept. */
export function traceGoal(
  traces: Traces,
  { agent, n, status }: Mail["goal.reported"],
  { nowMs, seq }: { readonly nowMs: number; readonly seq: number },
  { goalsMax }: MiningPolicy,
): Traces {
  const goal = `${agent}/${n}`;
  const { [goal]: steps = [], ...open } = traces.open;
  if (status !== "completed" || steps.length === 0) return { ...traces, open };
  const trajectory: Trajectory = { goal, endedMs: nowMs, fact: seq, steps };
  return { open, completed: [...traces.completed, trajectory].slice(-goalsMax) };
}

/** The names of what the steps call, as one text. */
export const sequenceOf = (tools: readonly string[]): string => tools.join(" → ");

/** The kind of entries that are macros: a macro runs no macro. */
export const MACRO_KIND = "macro";

/**
 * What recurs and is no macro yet. Of a sequence that has left the book only those goals count that were
 * completed since: `leftMs`, by sequence.
 */
export function proposeMacros(
  completed: readonly Trajectory[],
  book: readonly Macro[],
  leftMs: { readonly [sequence: string]: number },
  policy: MiningPolicy,
) {
  const known = new Set(book.map(({ steps }) => sequenceOf(steps.map(({ tool }) => tool))));
  const tools = completed.map(({ goal, steps }) =>
    // No window recurs that holds a macro.
    steps.map(({ tool, kind }, index) => (kind === MACRO_KIND ? `${goal} ${index}` : tool)),
  );
  const names = new Set(book.map(({ name }) => name));
  const everything = { ...policy, minedMax: Number.MAX_SAFE_INTEGER };
  const found: { macro: Macro; goals: readonly string[]; facts: readonly number[] }[] = [];
  for (const mined of mineSequences(tools, everything)) {
    const sequence = sequenceOf(mined.tools);
    const sinceMs = ownValue(leftMs, sequence) ?? -1;
    const at = mined.at.flatMap(({ trajectory, start }) => {
      const one = completed[trajectory];
      return one === undefined || one.endedMs <= sinceMs ? [] : [{ ...one, start }];
    });
    if (known.has(sequence) || at.length < policy.support) continue;
    const name = freeName(mined.tools, names);
    names.add(name);
    const description = minedDescription(sequence, at.length);
    const steps = templateSteps(
      at.map((one) => one.steps.slice(one.start, one.start + mined.tools.length)),
    );
    found.push({
      macro: { name, description, steps, branches: {} },
      goals: at.map(({ goal }) => goal),
      facts: at.map(({ fact }) => fact),
    });
  }
  return found.slice(0, policy.minedMax);
}

export const minedDescription = (sequence: string, goals: number): string =>
  `Auto-discovered recurring sequence (${sequence}) seen in ${goals} past goals.`;

/** As the engine's registry takes it. */
const NAME_MAX = 60;

function freeName(tools: readonly string[], taken: ReadonlySet<string>): string {
  const name = macroName(`auto_${tools.join("_")}`).toLowerCase();
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? "" : `_${number}`;
    const free = `${name.slice(0, NAME_MAX - end.length)}${end}`;
    if (!taken.has(free)) return free;
  }
}

interface MinedSequence {
  readonly tools: readonly string[];
  /** Where it first occurs in each of the trajectories that have it, by their number. */
  readonly at: readonly { readonly trajectory: number; readonly start: number }[];
}

/**
 * `trajectories` are the tools that each called, in order, of those that ended well. One tool again and again
 * is no sequence, nor is one of nothing but `meta` tools. A part of a longer sequence is told only when it
 * recurs more often. The most frequent come first, of equals the longest, then the first.
 */
export function mineSequences(
  trajectories: readonly (readonly string[])[],
  by: Pick<MiningPolicy, "support" | "windowMax" | "minedMax">,
  meta: ReadonlySet<string> = new Set(),
): readonly MinedSequence[] {
  const frequent = [...windowsIn(trajectories, by.windowMax)].filter(
    ({ tools, at }) =>
      at.length >= by.support && new Set(tools).size > 1 && tools.some((tool) => !meta.has(tool)),
  );
  return frequent
    .filter((one) => !frequent.some((other) => covers(other, one)))
    .toSorted((a, b) => b.at.length - a.at.length || b.tools.length - a.tools.length)
    .slice(0, by.minedMax);
}

const WINDOW_MIN = 2;

function windowsIn(
  trajectories: readonly (readonly string[])[],
  windowMax: number,
): Iterable<MinedSequence> {
  const found = new Map<string, { tools: readonly string[]; at: MinedSequence["at"][number][] }>();
  for (const [trajectory, tools] of trajectories.entries()) {
    for (let size = WINDOW_MIN; size <= windowMax; size += 1) {
      for (let start = 0; start + size <= tools.length; start += 1) {
        const window = tools.slice(start, start + size);
        const key = JSON.stringify(window);
        const known = found.get(key) ?? { tools: window, at: [] };
        if (known.at.at(-1)?.trajectory !== trajectory) known.at.push({ trajectory, start });
        found.set(key, known);
      }
    }
  }
  return found.values();
}

/** Whether the other is longer, contains this one, and recurs as often. */
const covers = (other: MinedSequence, one: MinedSequence): boolean =>
  other.tools.length > one.tools.length &&
  other.at.length >= one.at.length &&
  other.tools.some((_, start) =>
    one.tools.every((tool, index) => other.tools[start + index] === tool),
  );

/**
 * What was the same each time stands in the step, what was not is asked of the caller: one name for values
 * that were the same as one another each time.
 */
function templateSteps(occurrences: readonly (readonly TracedStep[])[]): readonly MacroStep[] {
  const [first = []] = occurrences;
  const names = new Map<string, string>();
  return first.map(({ tool }, index): MacroStep => {
    const steps = occurrences.flatMap((one) => one[index] ?? []);
    const keys = Object.keys(steps[0]?.params ?? {}).filter((key) =>
      steps.every(({ params }) => Object.hasOwn(params, key)),
    );
    const params = keys.map((key): [string, Json] => {
      const values = steps.map((step) => step.params[key] ?? null);
      return [key, templateOf(key, values, names)];
    });
    const description = mostFrequent(steps.map(({ intent }) => intent));
    return { tool, description, params: Object.fromEntries(params) };
  });
}

function templateOf(key: string, values: readonly Json[], names: Map<string, string>): Json {
  const [first = null] = values;
  const text = sortedJson([...values]);
  const isSame = values.every((value) => sortedJson(value) === sortedJson(first));
  // A text that looks like a template would be filled in.
  if (isSame && !(typeof first === "string" && first.includes("$"))) return first;
  const known = names.get(text);
  if (known !== undefined) return `$${known}`;
  const taken = new Set(names.values());
  const base = macroName(key);
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}_${number}`;
  names.set(text, name);
  return `$${name}`;
}

function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [most = ["", 0]] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most[0];
}
