// The incident on seeds that are not its own.

import { expect } from "vitest";
import { metricChecks } from "./builtIn.ts";
import { loadScenario } from "./builtInScenarios.ts";
import { playedBare } from "./playedBare.ts";

/** As it was, everything is seen; without the ghost, not everything. */
export async function expectSeeds(seeds: readonly number[]): Promise<void> {
  const { scenario } = loadScenario("safe-file-executor", metricChecks);
  const jobs = seeds.flatMap((seed) => [
    { variant: null, seed },
    { variant: "no-ghost", seed },
  ]);

  const results = await playedBare(scenario, jobs);

  expect(results).toHaveLength(jobs.length);
  for (const { variant, seed, outcome, holds } of results) {
    expect(outcome).toBe("ended");
    expect(holds.every(Boolean), `variant ${variant}, seed ${seed}: ${holds}`).toBe(
      variant === null,
    );
  }
}
