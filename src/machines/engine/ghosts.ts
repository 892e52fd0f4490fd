/**
 * Ghost tools: what counts as nothing, how failures add up, and what the next prompt says of it.
 * Source: seed 000, "Ghost tools" and "Ghost detection"; rulings T10–T12.
 */
import type { Json, Letter } from "../letter.ts";
import { choice, flag, integer, type ValuesOf } from "../policyLeaf.ts";
import { BROKEN_TOOLS_FILE, type Broken, type EngineState } from "./state.ts";

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
  crossCycleFailures: integer(3, {
    unit: "failures",
    min: 1,
    max: 1000,
    says: "Failures over all agents and cycles after which a capability is listed as broken.",
    source: "seed 000, Ghost detection; RULINGS T11 (real system 5)",
  }),
  forgive: choice("on-repair", ["on-repair", "never"], {
    says: "Whether a capability leaves broken_tools.json when it is archived.",
    source: "RULINGS T12",
  }),
};

export type GhostPolicy = ValuesOf<typeof ghostLeaves>;

/** Whether a call returned nothing: None, {}, {"output": null}. */
export function isNull(result: Json, policy: Pick<GhostPolicy, "okAloneIsNull">): boolean {
  if (result === null) return true;
  if (typeof result !== "object" || Array.isArray(result)) return false;
  const members = result as { readonly [key: string]: Json };
  const keys = Object.keys(members);
  if (keys.length === 0) return true;
  if (keys.length > 1) return false;
  return (
    ("output" in members && members["output"] === null) ||
    (policy.okAloneIsNull && members["ok"] === true)
  );
}

/** Books one failure; at the threshold the capability is listed and the file written. */
export function withFailure(
  state: EngineState,
  name: string,
  reason: string,
  policy: Pick<GhostPolicy, "crossCycleFailures">,
): { state: EngineState; letters: Letter[] } {
  const failures = (state.failures[name] ?? 0) + 1;
  const listed = state.broken.some((entry) => entry.name === name);
  const broken =
    !listed && failures >= policy.crossCycleFailures
      ? [...state.broken, { name, failures, reason }]
      : state.broken;
  const next = { ...state, broken, failures: { ...state.failures, [name]: failures } };
  return { state: next, letters: [brokenToolsLetter(next)] };
}

/** Forgets an archived capability, unless policy never forgives. */
export function forgiven(
  state: EngineState,
  name: string,
  policy: Pick<GhostPolicy, "forgive">,
): { state: EngineState; letters: Letter[] } {
  if (policy.forgive === "never" || state.failures[name] === undefined)
    return { state, letters: [] };
  const { [name]: _, ...failures } = state.failures;
  const broken = state.broken.filter((entry) => entry.name !== name);
  const next = { ...state, broken, failures };
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
  const empty = { broken: [], failures: {} };
  if (text === undefined) return empty;
  try {
    const file = JSON.parse(text) as {
      broken?: readonly Broken[];
      cross_cycle_failures?: { readonly [name: string]: number };
    };
    const broken = (Array.isArray(file.broken) ? file.broken : []).filter(isBroken);
    const failures = Object.entries(file.cross_cycle_failures ?? {}).filter(([, count]) =>
      Number.isSafeInteger(count),
    );
    return { broken, failures: Object.fromEntries(failures) };
  } catch {
    return empty;
  }
}

const isBroken = (entry: unknown): entry is Broken => {
  const { name, failures, reason } = (entry ?? {}) as Partial<Broken>;
  return typeof name === "string" && Number.isSafeInteger(failures) && typeof reason === "string";
};
