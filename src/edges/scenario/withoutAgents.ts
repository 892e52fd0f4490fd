/** Worlds without agents: what a part peoples need not say that it has none. */
import type { ScenarioPart } from "../../contract/edge/scenarioPart.ts";

/** The fields any of which gives a world an actor, although it has no agents. */
export const peopledBy = (scenarioParts: readonly ScenarioPart[]): readonly string[] =>
  scenarioParts.flatMap((part) => part.peopledBy ?? []);

/** Where agents live, this is demanded; elsewhere it can be left out. */
export const ofNoAgents = (scenarioParts: readonly ScenarioPart[]): object =>
  Object.assign({ agents: [] }, ...scenarioParts.map((part) => part.withoutAgents));

export const demandedOfAgents = (scenarioParts: readonly ScenarioPart[]): readonly string[] =>
  Object.keys(ofNoAgents(scenarioParts));

/** The source of a scenario, with what a world without agents leaves out. */
export function withoutAgents(scenarioParts: readonly ScenarioPart[], source: unknown): unknown {
  if (typeof source !== "object" || source === null) return source;
  if (!peopledBy(scenarioParts).some((field) => Object.hasOwn(source, field))) return source;
  const { agents = [] } = source as { readonly agents?: unknown }; // Whatever it is, it is looked at.
  const isEmpty = Array.isArray(agents) && agents.length === 0;
  return isEmpty ? { ...ofNoAgents(scenarioParts), ...source } : source;
}
