/** A scenario, decoded: it sets the stage; rules produce the ending. Times are virtual milliseconds. */
import type { Fault } from "../faults/faults.ts";
import { ownValue } from "../machines/ownValue.ts";
import type { Limits } from "../substrate/limits.ts";
import type { PolicyValue } from "./policy.ts";

/** What a scenario says of each part. Each part adds its own fields by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface Sections {}

/** The fields of what the outside may do, by `does`. Each part adds its own by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface OutsideEvents {}

/** What the outside does, and when. */
export type OutsideEvent = {
  [Does in keyof OutsideEvents]: {
    readonly id: string;
    readonly atMs: number;
    readonly does: Does;
  } & OutsideEvents[Does];
}[keyof OutsideEvents];

/** Who and what lives in a world. */
export interface Inhabited extends Partial<Sections> {
  readonly agents: readonly string[];
}

/** A world and what happens to it from outside, decoded and checked. */
export interface Scenario extends Sections {
  readonly name: string;
  readonly why: string;
  readonly source: string;
  /** ISO instant with Z: what virtual time 0 is called in reports. */
  readonly startsAt: string;
  readonly seed: number;
  readonly runsForMs: number;
  /** The agents that can be named as the actor of a metric. */
  readonly agents: readonly string[];
  /** Texts by absolute virtual path. */
  readonly files: { readonly [path: string]: string };
  readonly events: readonly OutsideEvent[];
  /** What goes wrong with the answers of tools; of several that fit a call the first. None when absent. */
  readonly faults?: readonly Fault[];
  readonly policy: { readonly [path: string]: PolicyValue };
  readonly limits: Partial<Limits>;
  readonly expect: readonly Expectation[];
  readonly variants: { readonly [name: string]: Variant };
}

export const OPERATORS = ["=", "!=", "<", "<=", ">", ">="] as const;

export interface Expectation {
  readonly name: string;
  readonly metric: string;
  /** An agent's name; the whole world when null. */
  readonly actor: string | null;
  readonly op: (typeof OPERATORS)[number];
  readonly value: number;
  /** `end`, `ever` (at some moment), or a virtual time. */
  readonly at: "end" | "ever" | number;
}

/** A named counterfactual: what is different, and what must be seen then instead. */
export interface Variant {
  readonly why: string;
  readonly policy: { readonly [path: string]: PolicyValue };
  /** Added to the scenario's events. */
  readonly events: readonly OutsideEvent[];
  /** Before the scenario's faults. */
  readonly faults?: readonly Fault[];
  readonly without: Without;
  readonly expect: readonly Expectation[];
}

/** What is taken out of a run: outside events by id, and options of the model's repertoire. */
export interface Without {
  readonly events: readonly string[];
  /** `goal:<slug>`, `plan:<slug>/<id>`, `answer:<id>`, `fault:<id>`, or a name of mail (`isOfMail`). */
  readonly choices: readonly string[];
}

/** Whether what the user set makes a leaf something else than a variant does: the user's value wins. */
export function isOverruled(
  set: { readonly [path: string]: PolicyValue },
  path: string,
  value: PolicyValue,
): boolean {
  const own = ownValue(set, path);
  return own !== undefined && `${own}` !== `${value}`;
}

/** Undefined for the scenario itself, which is null. */
export const variantNamed = (
  { variants }: Pick<Scenario, "variants">,
  name: string | null,
): Variant | undefined => (name === null ? undefined : ownValue(variants, name));

/** What a run is set beside: the scenario itself and its variants, in its order, but the one that is played. */
export const besideOf = (
  { variants }: Pick<Scenario, "variants">,
  played: string | null,
): readonly (string | null)[] => [null, ...Object.keys(variants)].filter((name) => name !== played);

/** The scenario that a variant describes. Throws nothing: the caller checked that it exists. */
export function variantOf(
  scenario: Scenario,
  name: string | null,
): Scenario & { without: Without } {
  const variant = variantNamed(scenario, name);
  if (variant === undefined) return { ...scenario, without: { events: [], choices: [] } };
  return {
    ...scenario,
    policy: { ...scenario.policy, ...variant.policy },
    events: [...scenario.events, ...variant.events],
    faults: [...(variant.faults ?? []), ...(scenario.faults ?? [])],
    expect: variant.expect,
    without: variant.without,
  };
}
