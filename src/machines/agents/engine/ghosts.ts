/**
 * Ghost tools: what counts as nothing, how failures add up, and what the next prompt says of it.
 * Source: seed 000, "Ghost tools" and "Ghost detection"; rulings T10–T12.
 */
import type { Json, Letter } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { between, choice, flag, integer, type ValuesOf } from "../../policyLeaf.ts";
import { readObject } from "../../readJson.ts";
import {
  BROKEN_TOOLS_FILE,
  type Broken,
  type EngineState,
  entryOf,
  type RoutedCall,
} from "./state.ts";

export const ghostLeaves = {
  preExecutionCheck: flag(true, {
    says: "Blacklist a registered capability without loaded code before it is tried.",
    source: "seed 000, Ghost detection; RULINGS T11, T13",
  }),
  nullIsFailure: flag(true, {
    says: "A call that returns nothing is a failure, like a raised exception.",
    source: "seed 000, Ghost detection; RULINGS T13",
  }),
  okAloneIsNull: flag(false, {
    says: 'A bare {"ok": true} counts as nothing, a quirk of the real system.',
    source: "RULINGS T10",
  }),
  emptyIsNull: flag(false, {
    says: "An empty text, list or map counts as nothing, also where a text holds it as JSON.",
    source: "ours, for what tools of other systems return",
  }),
  crossCycleFailures: integer(3, between(1, 1000, "failures"), {
    says: "Failures over all agents and cycles after which a capability is listed as broken.",
    source: "seed 000, Ghost detection; RULINGS T11 (real system 5)",
  }),
  forgive: choice("on-repair", ["on-repair", "never"], {
    says: "Whether a capability leaves broken_tools.json once it is repaired or archived.",
    source: "RULINGS T12",
  }),
};

export type GhostPolicy = ValuesOf<typeof ghostLeaves>;

/** How an empty value reads as a text. */
const EMPTY = /^\s*(?:null|""|\[\s*\]|\{\s*\})?\s*$/;

/** Whether a call returned nothing: None, {}, {"output": null}; by policy, beside an "ok" too, and anything empty. */
export function isNull(
  result: Json,
  policy: Pick<GhostPolicy, "okAloneIsNull" | "emptyIsNull">,
): boolean {
  if (result === null) return true;
  if (policy.emptyIsNull && typeof result === "string") return EMPTY.test(result);
  if (policy.emptyIsNull && Array.isArray(result)) return result.length === 0;
  if (typeof result !== "object" || Array.isArray(result)) return false;
  const { output = null, ...others } = result as { readonly [key: string]: Json };
  const names = Object.keys(others);
  if (output !== null) return false;
  return (
    names.length === 0 ||
    (policy.okAloneIsNull && names.length === 1 && names[0] === "ok" && others["ok"] !== false)
  );
}

/** Books one failure; at the threshold the capability is listed and the file written. */
export function withFailure(
  state: EngineState,
  { capability: name, kind }: Pick<RoutedCall, "capability" | "kind">,
  reason: string,
  policy: Pick<GhostPolicy, "crossCycleFailures">,
): { state: EngineState; letters: Letter[] } {
  if (!isCounted(state, name, kind)) return { state, letters: [] };
  const failures = (ownValue(state.failures, name) ?? 0) + 1;
  const listed = state.broken.some((entry) => entry.name === name);
  const broken =
    !listed && failures >= policy.crossCycleFailures
      ? [...state.broken, { name, failures, reason }]
      : state.broken;
  const next = { ...state, broken, failures: { ...state.failures, [name]: failures } };
  return { state: next, letters: [brokenToolsLetter(next)] };
}

/** The engine counts tools: an entry of a kind only while it is there, and unless its keeper judges it (K16). */
function isCounted(state: EngineState, name: string, kind: string | undefined): boolean {
  if (kind === undefined || hasOwnCode(state, name)) return true;
  const brought = entryOf(state, name)?.brought;
  return brought?.kind === kind && brought.judged !== true;
}

/** Code of the tools folder serves it, whoever brought the name. */
const hasOwnCode = ({ implementations }: EngineState, name: string): boolean =>
  (ownValue(implementations, name)?.code ?? "") !== "";

/**
 * Forgets what has no entry in the registry any more, unless policy never forgives, or a kind has yet to be listed; and
 * whatever its keeper judges.
 */
export const withoutArchived = <TState extends EngineState>(
  state: TState,
  { forgive }: Pick<GhostPolicy, "forgive">,
) =>
  forgiven(state, (name) => {
    const entry = entryOf(state, name);
    if (entry === undefined) return forgive === "on-repair" && state.unlisted === undefined;
    return entry.brought?.judged === true && !hasOwnCode(state, name);
  });

/** Forgets a listed capability that has just returned something. */
export const withoutRepaired = (
  state: EngineState,
  repaired: string,
  policy: Pick<GhostPolicy, "forgive">,
) => {
  const isListed = state.broken.some(({ name }) => name === repaired);
  const isForgiven = policy.forgive === "on-repair" && isListed;
  return forgiven(state, (name) => isForgiven && name === repaired);
};

function forgiven<TState extends EngineState>(
  state: TState,
  isForgiven: (name: string) => boolean,
): { state: TState; letters: Letter[] } {
  const known = [...Object.keys(state.failures), ...state.broken.map(({ name }) => name)];
  if (!known.some(isForgiven)) return { state, letters: [] };
  const failures = Object.entries(state.failures).filter(([name]) => !isForgiven(name));
  const broken = state.broken.filter(({ name }) => !isForgiven(name));
  const next = { ...state, broken, failures: Object.fromEntries(failures) };
  return { state: next, letters: [brokenToolsLetter(next)] };
}

const brokenToolsLetter = ({ broken, failures }: EngineState): Letter => ({
  to: "files",
  event: {
    type: "files.write",
    path: BROKEN_TOOLS_FILE,
    text: `${JSON.stringify({ broken, cross_cycle_failures: failures })}\n`,
  },
});

/** Reads broken_tools.json back after a restart; damaged text counts as an empty file. */
export function readBrokenTools(
  text: string | undefined,
): Pick<EngineState, "broken" | "failures"> {
  const { broken, cross_cycle_failures: counts } = readObject(text ?? "") ?? {};
  const listed = (Array.isArray(broken) ? broken : []).filter(isBroken);
  const failures = Object.entries((counts ?? {}) as object).filter(([, count]) => isCount(count));
  return {
    broken: listed.map(({ name, failures, reason }) => ({ name, failures, reason })),
    failures: Object.fromEntries(failures),
  };
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isBroken = (entry: unknown): entry is Broken => {
  const { name, failures, reason } = (entry ?? {}) as Partial<Broken>;
  return typeof name === "string" && isCount(failures) && typeof reason === "string";
};
