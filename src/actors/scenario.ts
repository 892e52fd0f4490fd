/** A scenario, decoded: it sets the stage; rules produce the ending. Times are virtual milliseconds. */

import type { StartingProfile } from "../machines/agents/agent/profile.ts";
import type { Json } from "../machines/letter.ts";
import type { Limits } from "../substrate/limits.ts";
import type { Repertoire } from "./agents/repertoire.ts";
import type { World } from "./agents/scriptedWorld.ts";
import type { PolicyValue } from "./policy.ts";
import type { SyntWorld } from "./synt/syntStage.ts";
import type { OutsideEvent } from "./world.ts";

/** A world and what happens to it from outside, decoded and checked. */
export interface Scenario {
  readonly name: string;
  readonly why: string;
  readonly source: string;
  /** ISO instant with Z: what virtual time 0 is called in reports. */
  readonly startsAt: string;
  readonly seed: number;
  readonly runsForMs: number;
  readonly agents: readonly string[];
  /** Who they are before they start, by name; nobody in particular if absent. */
  readonly profiles?: { readonly [agent: string]: StartingProfile };
  readonly tools: readonly Tool[];
  /** Texts by absolute virtual path. */
  readonly files: { readonly [path: string]: string };
  readonly model: Repertoire;
  /** A pool of executors and its user, beside or in place of agents. */
  readonly synt?: SyntWorld;
  /** What somebody outside answers when a tool reaches them. */
  readonly world: World;
  readonly events: readonly OutsideEvent[];
  readonly policy: { readonly [path: string]: PolicyValue };
  readonly limits: Partial<Limits>;
  readonly expect: readonly Expectation[];
  readonly variants: { readonly [name: string]: Variant };
}

/** A synthesized tool that is there from the start: both of its files are written. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** What the scripted sandbox answers. */
  readonly returns: Json;
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
  readonly without: Without;
  readonly expect: readonly Expectation[];
}

/** What is taken out of a run: outside events by id, and options of the model's repertoire. */
export interface Without {
  readonly events: readonly string[];
  /** `goal:<slug>`, `plan:<slug>/<id>` or `answer:<id>`. */
  readonly choices: readonly string[];
}

/** The scenario that a variant describes. Throws nothing: the caller checked that it exists. */
export function variantOf(
  scenario: Scenario,
  name: string | null,
): Scenario & { without: Without } {
  const isKnown = name !== null && Object.hasOwn(scenario.variants, name);
  const variant = isKnown ? scenario.variants[name] : undefined;
  if (variant === undefined) return { ...scenario, without: { events: [], choices: [] } };
  return {
    ...scenario,
    policy: { ...scenario.policy, ...variant.policy },
    events: [...scenario.events, ...variant.events],
    expect: variant.expect,
    without: variant.without,
  };
}
