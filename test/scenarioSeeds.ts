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
  "fallback-rotation": [9],
};

/** What of a scenario is played: `fallback-rotation` shows in its variants what it says on most seeds only. */
type Which = "as it is" | "in each variant";

/** Those that show on all these seeds what they say. */
export const SHOWN_ON_ALL: { readonly [name: string]: Which } = {
  "gate-against-fiction": "in each variant",
  "nine-stressors": "in each variant",
  "fallback-rotation": "as it is",
  "greece-top-news": "in each variant",
  "skill-cdata-leak": "in each variant",
  "skill-degrades": "in each variant",
  "skill-sandbox-wiped": "in each variant",
  "skill-and-tool": "in each variant",
  "lesson-pins": "in each variant",
  "lesson-memorised": "in each variant",
  "playbook-starved": "in each variant",
  "macro-learned": "in each variant",
  "nudge-loop": "in each variant",
  "moltbook-ops": "in each variant",
  "weather-fetcher": "in each variant",
  "install-no-hosts": "in each variant",
  "install-undeclared": "in each variant",
  "install-remote-denied": "in each variant",
  "install-no-record": "in each variant",
  "install-resumed": "in each variant",
  "install-rollback": "in each variant",
  "install-impostor": "in each variant",
  "install-ghost-author": "in each variant",
  "install-missed-threat": "in each variant",
};

/** The expectations that one of these seeds does not meet, each with its variant and seed. */
export async function missedOn(
  name: string,
  seeds: readonly number[],
  which: Which,
): Promise<string[]> {
  const { scenario } = loadScenario(name, metricChecks);
  const variants = which === "as it is" ? [null] : [null, ...Object.keys(scenario.variants)];
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
