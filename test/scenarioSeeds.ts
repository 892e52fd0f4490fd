// Scenarios that show on other seeds, too, what they say.

import { metricChecks } from "./builtIn.ts";
import { loadScenario } from "./builtInScenarios.ts";
import { playedBare } from "./playedBare.ts";

/** Seeds on which each of `SHOWN_ON_ALL` shows everything. */
export const SEEDS = 20;

/** By name, seeds on which a scenario as it first was did not: they are tried in every test run. */
export const ONCE_MISSED: { readonly [name: string]: readonly number[] } = {
  "gate-against-fiction": [1],
  "nine-stressors": [7],
  "fallback-rotation": [1, 9],
};

/** Those that show on all these seeds what they say, in each variant. */
export const SHOWN_ON_ALL: readonly string[] = [
  "gate-against-fiction",
  "nine-stressors",
  "fallback-rotation",
  "greece-top-news",
  "tools-by-name",
  "skill-cdata-leak",
  "skill-degrades",
  "skill-weekends",
  "skill-sandbox-wiped",
  "skill-and-tool",
  "lesson-pins",
  "lesson-memorised",
  "playbook-starved",
  "macro-learned",
  "nudge-loop",
  "moltbook-ops",
  "weather-fetcher",
  "install-no-hosts",
  "install-undeclared",
  "install-remote-denied",
  "install-no-record",
  "install-resumed",
  "install-rollback",
  "install-impostor",
  "install-ghost-author",
  "install-missed-threat",
];

/** The expectations that one of these seeds does not meet, each with its variant and seed. */
export async function missedOn(name: string, seeds: readonly number[]): Promise<string[]> {
  const { scenario } = loadScenario(name, metricChecks);
  const variants = [null, ...Object.keys(scenario.variants)];
  const jobs = variants.flatMap((variant) => seeds.map((seed) => ({ variant, seed })));
  const played = await playedBare(scenario, jobs);
  return played.flatMap(({ variant, seed, outcome, verdicts }) => {
    const where = `${variant ?? "as it is"}, seed ${seed}`;
    return [
      ...(outcome === "ended" ? [] : [`${where}: ${outcome}`]),
      ...verdicts.filter(({ ok }) => !ok).map(({ name: what }) => `${where}: ${what}`),
    ];
  });
}
