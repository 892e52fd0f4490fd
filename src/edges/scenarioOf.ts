/** From the YAML's fields to the decoded scenario: defaults filled in, times in milliseconds. */

import { opinionOf, repertoireOf } from "../actors/agents/edge/repertoireOf.ts";
import { worldOf } from "../actors/agents/edge/worldSchema.ts";
import type { PolicyValue } from "../actors/policy.ts";
import type { Expectation, Scenario, Variant } from "../actors/scenario.ts";
import { syntOf } from "../actors/synt/edge/sectionOf.ts";
import type { OutsideEvent } from "../actors/world.ts";
import type { StartingProfile } from "../machines/agents/agent/profile.ts";
import type { Json } from "../machines/letter.ts";
import type { Limits } from "../substrate/limits.ts";
import { parseDuration } from "./duration.ts";
import { checkedOverride } from "./policyOverrides.ts";
import { nameOf } from "./scenarioChecks.ts";
import type {
  AgentSource,
  EventSource,
  ExpectationSource,
  ScenarioSource,
  VariantSource,
} from "./scenarioSchema.ts";

/** The caller has found nothing wrong with the source. */
export function scenarioOf(source: ScenarioSource, name: string): Scenario {
  const { events = [], tools = [], files = {}, limits = {}, expect = [], variants = {} } = source;
  return {
    name,
    why: source.why,
    source: source.source,
    startsAt: source.startsAt,
    seed: source.seed,
    runsForMs: msOf(source.runsFor),
    agents: source.agents.map(nameOf),
    profiles: Object.fromEntries(source.agents.flatMap(profileOf)),
    tools: tools.map((tool) => ({ ...tool, returns: tool.returns as Json })),
    files,
    model: repertoireOf(source.model),
    ...(source.synt && { synt: syntOf(source.synt) }),
    world: worldOf(source.world ?? { answers: [] }),
    events: events.map(eventOf),
    policy: policyOf(source.policy),
    limits: limits as Partial<Limits>, // No key is there without a value.
    expect: expect.map(expectationOf),
    variants: Object.fromEntries(
      Object.entries(variants).map(([key, variant]) => [key, variantOf(variant, expect)]),
    ),
  };
}

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
  if (event.does === "synt.homeostasis") {
    const { lookback, ...rest } = event;
    return { ...rest, atMs, lookbackMs: lookback === undefined ? null : msOf(lookback) };
  }
  if (event.does === "synt.revise") {
    const { feedback = null, target = null } = event;
    return { ...event, atMs, feedback, target };
  }
  return { ...event, atMs };
}

/** Only an agent that a map describes has a profile before it starts. */
function profileOf(agent: AgentSource): [string, StartingProfile][] {
  if (typeof agent === "string") return [];
  const { name, traits = [], opinions = [], questions = [] } = agent;
  return [[name, { traits, opinions: opinions.map(opinionOf), questions }]];
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
