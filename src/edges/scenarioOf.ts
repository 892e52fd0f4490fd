/** From the YAML's fields to the decoded scenario: defaults filled in, times in milliseconds. */

import type { Expectation, OutsideEvent, Scenario, Sections, Variant } from "../actors/scenario.ts";
import type { PolicyValue } from "../policy.ts";
import { scenarioParts } from "../scenarioParts.ts";
import type { Limits } from "../substrate/limits.ts";
import { parseDuration } from "./duration.ts";
import { checkedOverride } from "./policyOverrides.ts";
import { nameOf } from "./scenarioChecks.ts";
import type { EventSource } from "./scenarioPart.ts";
import type { ExpectationSource, ScenarioSource, VariantSource } from "./scenarioSchema.ts";

/** The caller has found nothing wrong with the source. */
export function scenarioOf(source: ScenarioSource, name: string): Scenario {
  const { events = [], files = {}, limits = {}, expect = [], variants = {} } = source;
  return {
    name,
    why: source.why,
    source: source.source,
    startsAt: source.startsAt,
    seed: source.seed,
    runsForMs: msOf(source.runsFor),
    agents: source.agents.map(nameOf),
    files,
    ...sectionsOf(source),
    events: events.map(eventOf),
    policy: policyOf(source.policy),
    limits: limits as Partial<Limits>, // No key is there without a value.
    expect: expect.map(expectationOf),
    variants: Object.fromEntries(
      Object.entries(variants).map(([key, variant]) => [key, variantOf(variant, expect)]),
    ),
  };
}

/** Together the parts give every section there is. */
const sectionsOf = (source: ScenarioSource): Sections =>
  Object.assign({}, ...scenarioParts.map((part) => part.sectionsOf(source)));

const msOf = (text: string): number => parseDuration(text) ?? 0;

function policyOf(written: ScenarioSource["policy"]): { [path: string]: PolicyValue } {
  const values = Object.entries(written ?? {}).flatMap(([path, value]) => {
    const checked = checkedOverride(path, value);
    return "value" in checked ? [[path, checked.value] as const] : [];
  });
  return Object.fromEntries(values);
}

function eventOf({ at, ...event }: EventSource): OutsideEvent {
  const atMs = msOf(at);
  for (const part of scenarioParts) {
    const own = part.eventOf?.(event, atMs);
    if (own !== undefined) return own;
  }
  // What no part changes is written as it is decoded, but for its time.
  return { ...event, atMs } as OutsideEvent;
}

function expectationOf({ actor, at = "end", ...rest }: ExpectationSource): Expectation {
  return { ...rest, actor: actor ?? null, at: at === "end" || at === "ever" ? at : msOf(at) };
}

function variantOf(
  { why, policy, events = [], without = {}, expect = [] }: VariantSource,
  inherited: readonly ExpectationSource[],
): Variant {
  return {
    why,
    policy: policyOf(policy),
    events: events.map(eventOf),
    without: { events: without.events ?? [], choices: without.choices ?? [] },
    expect: (expect === "inherit" ? inherited : expect).map(expectationOf),
  };
}
