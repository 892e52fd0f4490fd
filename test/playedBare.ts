// Many runs of a scenario on all cores, for their figures alone.
import type { Scenario } from "../src/actors/scenario.ts";
import { cacheFolder } from "../src/edges/keptAnswers.ts";
import { playAll } from "../src/edges/playPool.ts";
import type { Played, PlayJob } from "../src/edges/playWorker.ts";

export const playedBare = (
  scenario: Scenario,
  jobs: readonly PlayJob[],
): Promise<readonly Played[]> => {
  const cache = cacheFolder(undefined);
  const settings = { set: {}, untilMs: null, level: "bare", sandbox: "pyodide", cache } as const;
  return playAll({ scenario, ...settings }, jobs);
};
