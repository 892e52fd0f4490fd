// Many runs of a scenario on all cores, for their figures alone.
import type { Scenario } from "../src/contract/scenario.ts";
import { cacheFolder } from "../src/edges/play/keptAnswers.ts";
import type { PlayJob } from "../src/edges/pool/playJob.ts";
import type { Played } from "../src/edges/pool/playWork.ts";
import { playAll } from "../src/edges/pool/pool.ts";

export const playedBare = (
  scenario: Scenario,
  jobs: readonly PlayJob[],
): Promise<readonly Played[]> => {
  const cache = cacheFolder(undefined);
  const settings = { set: {}, untilMs: null, level: "bare", sandbox: "pyodide", cache } as const;
  return playAll({ scenario, ...settings }, jobs);
};
