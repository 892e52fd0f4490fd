/** Values of options, checked; every refusal names the option, what was found and what is allowed. */

import type { Part } from "../contract/part.ts";
import type { PolicyValue } from "../contract/policyTree.ts";
import { policyWith, profiles } from "../contract/policyTree.ts";
import type { Scenario } from "../contract/scenario.ts";
import { span } from "../edges/duration.ts";
import { badInput, hintFor, oneOf, quoted } from "../edges/errors.ts";
import { SANDBOX_KINDS, type SandboxKind } from "../edges/processes/sandboxKind.ts";
import { parseOverride, shownOverrides } from "../edges/scenario/policyOverrides.ts";
import { withoutTables } from "../run/cast.ts";
import { defaultLimits, type Limits } from "../substrate/limits.ts";
import { SEED_MAX } from "../substrate/random.ts";
import { INTERPRETERS, type Interpreter } from "../substrate/statechart.ts";
import type { PartFlag } from "./chosenParts.ts";
import { flagError } from "./flags.ts";
import { note } from "./output.ts";

/** The options of `run`, as commander gives them. */
export interface RunFlags extends PartFlag {
  readonly variant?: string;
  readonly compare?: true;
  readonly seed?: string;
  readonly seeds?: string;
  readonly set?: readonly string[];
  readonly profile?: string;
  readonly until?: number;
  readonly limit?: readonly string[];
  readonly out?: string;
  readonly log: boolean;
  readonly sandbox?: string;
  readonly interpreter?: string;
  readonly cache?: string;
  readonly model?: string;
  readonly tier?: readonly string[];
  readonly embed?: string;
  readonly host?: string;
  readonly ask?: true;
  readonly gate?: string;
  readonly dryRun?: true;
  readonly assert?: true;
  readonly json?: true;
}

export function seedOption(text: string, name = "--seed"): number {
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (seed <= SEED_MAX) return seed;
  throw flagError(name, text, `a whole number 0 … ${SEED_MAX}`, "Give another seed.");
}

/** An earlier end than the scenario's. */
export function untilOption(untilMs: number | undefined, { runsForMs }: Scenario): number | null {
  if (untilMs === undefined || untilMs <= runsForMs) return untilMs ?? null;
  throw badInput(
    "--until",
    span(untilMs),
    `up to ${span(runsForMs)}, where the scenario ends`,
    "To go on longer, raise `runsFor:` in a copy: `ghostlight scenarios --copy NAME FILE`.",
  );
}

/** `envelopes=1000` → { envelopes: 1000 }; the last of a name counts. */
export function limitsOption(limits: readonly string[] = []): Partial<Limits> {
  return Object.fromEntries(
    limits.map((text) => {
      const names = Object.keys(defaultLimits);
      const [, name = "", value = ""] = /^(\w+)=([1-9]\d{0,9})$/.exec(text) ?? [];
      if (names.includes(name)) return [name, Number(value)];
      throw badInput(
        "--limit",
        quoted(text),
        `NAME=NUMBER of ${names.join(", ")}`,
        "For example: --limit envelopes=100000",
        hintFor(text.split("=")[0] ?? "", names),
      );
    }),
  );
}

/** `1..100` → [1, 100]. */
export function seedsOption(text: string): [number, number] {
  const [, from = "", to = ""] = /^(\d{1,10})\.\.(\d{1,10})$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to)];
  const isRange = from !== "" && first <= last && last <= SEED_MAX && last - first < 10_000;
  if (isRange) return [first, last];
  throw flagError("--seeds", text, "a range such as 1..100, at most 10000 seeds", "Give a range.");
}

/** Profiles first, then single leaves, so that `--set` wins. */
export function overridesOption(
  parts: readonly Part[],
  set: readonly string[],
  profile: string | undefined,
): { [path: string]: PolicyValue } {
  const known = profiles(parts);
  const todo = "`ghostlight policy` shows what each profile sets.";
  const base =
    profile === undefined ? {} : known[oneOf("--profile", profile, Object.keys(known), todo)];
  return { ...base, ...Object.fromEntries(set.map((one) => parseOverride(parts, one))) };
}

/** Says on stderr how each `--set` was understood. Throws BadInput. */
export function echoSet(parts: readonly Part[], set: readonly string[] = []): void {
  for (const line of shownOverrides(
    parts,
    Object.fromEntries(set.map((one) => parseOverride(parts, one))),
  ))
    note(line);
}

export function variantOption(scenario: Scenario, variant: string): string {
  if (Object.hasOwn(scenario.variants, variant)) return variant;
  const names = Object.keys(scenario.variants);
  throw badInput(
    "--variant",
    quoted(variant),
    names.length === 0 ? "none: the scenario has no variants" : names.join(" | "),
    `\`ghostlight scenarios\` lists every scenario with its variants.`,
    hintFor(variant, names),
  );
}

/** Whether Python runs inside the walls of bubblewrap. */
export const sandboxOption = (kind: string = "auto"): SandboxKind =>
  oneOf("--sandbox", kind, SANDBOX_KINDS, "Omit it for auto, which works everywhere.");

/** What drives the statecharts. */
export const interpreterOption = (name: string = "tables"): Interpreter =>
  oneOf("--interpreter", name, INTERPRETERS, "Omit it for tables, which do the same faster.");

/** Says on stderr which statecharts XState drives although tables were asked for, and why. */
export function echoWithoutTables(
  parts: readonly Part[],
  interpreter: Interpreter,
  set: { readonly [path: string]: PolicyValue },
): void {
  if (interpreter !== "tables") return;
  for (const { name, why } of withoutTables(parts, policyWith(parts, set))) {
    note(`the machine ${name} runs under XState itself, not by tables: ${why}`);
  }
}
