/** The worlds of a check: random ones, or those near a scenario. */
import fc from "fast-check";
import type { Worlds } from "../check.ts";
import { withInnerLife } from "../properties/innerLife.ts";
import { nearScenario } from "../properties/nearScenario.ts";
import type { Overrides } from "../properties/policyNeighbours.ts";
import { randomWorld } from "../properties/randomWorld.ts";
import { randomSyntWorld } from "../properties/syntWorld.ts";
import type { WorldEvent, WorldSource } from "../properties/worldSource.ts";
import { parseDuration } from "./duration.ts";
import { scenarioOfSource } from "./scenarioFile.ts";
import { parseYaml } from "./yamlText.ts";

export const randomWorlds = (set: Overrides): Worlds => ({
  drawn: fc.oneof(withInnerLife(randomWorld(set), set), randomSyntWorld(set)),
  compile: (source) => scenarioOfSource(source, "check"),
  cut,
});

/** `text` is a scenario that was read without a fault. */
export function worldsNear(name: string, text: string, set: Overrides): Worlds {
  const parsed = parseYaml(text, name);
  if ("problems" in parsed) throw new Error(`${name} was read before`);
  const source = parsed.value as unknown as WorldSource;
  return {
    drawn: nearScenario(source, msOf(source.runsFor), set),
    compile: (world) => scenarioOfSource(world, name),
    cut,
  };
}

function cut(source: WorldSource, endMs: number): WorldSource {
  const { events = [] } = source;
  const synt = source["synt"] as { readonly turns?: readonly WorldEvent[] } | undefined;
  return {
    ...source,
    ...(synt?.turns && {
      synt: { ...synt, turns: synt.turns.filter(({ at }) => msOf(at) <= endMs) },
    }),
    runsFor: `${endMs}ms`,
    events: events.filter(({ at }) => msOf(at) <= endMs),
  };
}

const msOf = (text: string): number => parseDuration(text) ?? 0;
