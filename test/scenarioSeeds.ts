// Scenarios that show on other seeds, too, what they say.

import { metricChecks } from "./builtIn.ts";
import { loadScenario } from "./builtInScenarios.ts";
import { playedBare } from "./playedBare.ts";

/** Seeds on which each of them shows everything. */
export const SEEDS = 20;

/** By name, seeds on which a scenario as it first was did not: they are tried in every test run. */
export const ONCE_MISSED: { readonly [name: string]: readonly number[] } = {
  "gate-against-fiction": [1],
  "nine-stressors": [7],
  "fallback-rotation": [9],
};

/** The expectations that one of these seeds does not meet, each with its seed. */
export async function missedOn(name: string, seeds: readonly number[]): Promise<string[]> {
  const { scenario } = loadScenario(name, metricChecks);
  const jobs = seeds.map((seed) => ({ variant: null, seed }));
  const played = await playedBare(scenario, jobs);
  return played.flatMap(({ seed, outcome, holds }) => [
    ...(outcome === "ended" ? [] : [`seed ${seed}: ${outcome}`]),
    ...scenario.expect.flatMap(({ name: what }, index) =>
      holds[index] ? [] : [`seed ${seed}: ${what}`],
    ),
  ]);
}
