/** From the YAML's fields to the decoded scenario: defaults filled in, times in milliseconds. */

import type { EventSource, ScenarioPart } from "../../contract/edge/scenarioPart.ts";
import type { Part } from "../../contract/part.ts";
import type { PolicyValue } from "../../contract/policyTree.ts";
import type {
  Expectation,
  OutsideEvent,
  Scenario,
  Sections,
  Variant,
} from "../../contract/scenario.ts";
import type { Fault } from "../../faults/faults.ts";
import type { Limits } from "../../substrate/limits.ts";
import { parseDuration } from "../duration.ts";
import type { ReadingLists } from "../parts/partLists.ts";
import { checkedOverride } from "./policyOverrides.ts";
import { nameOf } from "./scenarioChecks.ts";
import type {
  ExpectationSource,
  FaultSource,
  ScenarioSource,
  VariantSource,
} from "./scenarioSchema.ts";
import { ofNoAgents } from "./withoutAgents.ts";

/** The caller has found nothing wrong with the source. */
export function scenarioOf(lists: ReadingLists, source: ScenarioSource, name: string): Scenario {
  const { parts, scenarioParts } = lists;
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
    ...sectionsOf(scenarioParts, source),
    events: events.map((event) => eventOf(scenarioParts, event)),
    ...(source.faults && { faults: source.faults.map(faultOf) }),
    policy: policyOf(parts, source.policy),
    limits: limits as Partial<Limits>, // No key is there without a value.
    expect: expect.map(expectationOf),
    variants: Object.fromEntries(
      Object.entries(variants).map(([key, variant]) => [key, variantOf(lists, variant, expect)]),
    ),
  };
}

/** A world with nothing in it. */
export function emptyScenario(lists: ReadingLists): Scenario {
  const startsAt = "2000-01-01T00:00:00Z";
  const head = { why: "", source: "", startsAt, seed: 0, runsFor: "1ms", agents: [] };
  // A part says what stands for its fields where no agents live.
  const source = { ...ofNoAgents(lists.scenarioParts), ...head };
  return scenarioOf(lists, source as unknown as ScenarioSource, "empty");
}

/** What a file said of a section or an event, where its part does not say that itself. */
const sources = new WeakMap<object, object>();

/** Nothing of what no file said. */
export const sourceSaid = (decoded: unknown): object | undefined =>
  typeof decoded === "object" && decoded !== null ? sources.get(decoded) : undefined;

/** Together the parts give every section there is. */
function sectionsOf(scenarioParts: readonly ScenarioPart[], source: ScenarioSource): Sections {
  const sections = scenarioParts.map((part) => {
    const own = part.sectionsOf(source);
    if (part.sourceOf !== undefined) return own;
    const fields = Object.keys({ ...part.fields.before, ...part.fields.behind });
    const said = Object.entries(source).filter(([field]) => fields.includes(field));
    for (const one of Object.values(own)) {
      if (typeof one === "object" && one !== null) sources.set(one, Object.fromEntries(said));
    }
    return own;
  });
  return Object.assign({}, ...sections);
}

const msOf = (text: string): number => parseDuration(text) ?? 0;

function policyOf(
  parts: readonly Part[],
  written: ScenarioSource["policy"],
): { [path: string]: PolicyValue } {
  const values = Object.entries(written ?? {}).flatMap(([path, value]) => {
    const checked = checkedOverride(parts, path, value);
    return "value" in checked ? [[path, checked.value] as const] : [];
  });
  return Object.fromEntries(values);
}

function eventOf(
  scenarioParts: readonly ScenarioPart[],
  { at, ...event }: EventSource,
): OutsideEvent {
  const atMs = msOf(at);
  for (const part of scenarioParts) {
    const own = part.eventOf?.(event, atMs);
    if (own === undefined) continue;
    if (part.eventSourceOf === undefined) sources.set(own, { ...event, at });
    return own;
  }
  // What no part changes is written as it is decoded, but for its time.
  return { ...event, atMs } as OutsideEvent;
}

const faultOf = ({ id, does, tool, from, to, perMille, times, by, calls }: FaultSource): Fault => ({
  ...{ id, does, tool: tool ?? null, fromMs: from === undefined ? 0 : msOf(from) },
  ...{ toMs: to === undefined ? null : msOf(to), perMille: perMille ?? 1_000 },
  ...{ times: times ?? null, byMs: by === undefined ? null : msOf(by) },
  ...(calls && { calls }),
});

function expectationOf({ actor, at = "end", ...rest }: ExpectationSource): Expectation {
  return { ...rest, actor: actor ?? null, at: at === "end" || at === "ever" ? at : msOf(at) };
}

function variantOf(
  { parts, scenarioParts }: ReadingLists,
  { why, policy, events = [], faults, without = {}, expect = [] }: VariantSource,
  inherited: readonly ExpectationSource[],
): Variant {
  return {
    why,
    policy: policyOf(parts, policy),
    events: events.map((event) => eventOf(scenarioParts, event)),
    ...(faults && { faults: faults.map(faultOf) }),
    without: { events: without.events ?? [], choices: without.choices ?? [] },
    expect: (expect === "inherit" ? inherited : expect).map(expectationOf),
  };
}
