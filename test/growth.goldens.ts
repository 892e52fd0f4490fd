// `npm run goldens`: what a delivery costs does not grow with all that was delivered before it.

import { Session } from "node:inspector/promises";
import { expect, it } from "vitest";
import { builtIn } from "../src/builtIn.ts";
import { loadScenario } from "../src/edges/scenarioFile.ts";
import { parts } from "../src/parts.ts";
import { startRun } from "../src/simulate.ts";

const HOURS = 10;
const PIECE = 4_000;
/** A list of all files in a folder is longer when there are more: looking through it is in the telling. */
const TELLING = "/src/substrate/strictJson.ts";

it("[FS8] ten times as long a run takes ten times as long, not a hundred", async () => {
  const { scenario } = loadScenario(builtIn, "safe-file-executor");
  const options = { level: "bare" } as const;
  const run = startRun(parts, { ...scenario, runsForMs: HOURS * 3_600_000 }, options);
  const early = await callsIn(() => run.advance(PIECE));
  while (run.kernel.nowMs < (HOURS - 1) * 3_600_000) run.advance(PIECE);
  const late = await callsIn(() => run.advance(PIECE));

  expect(run.kernel.delivered).toBeGreaterThan(20 * PIECE);
  expect(late / early).toBeLessThan(1.3);
});

/** How many functions of the product are called: a count that no busy machine changes. */
async function callsIn(work: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  return result
    .filter(({ url }) => url.includes("/src/") && !url.includes(TELLING))
    .flatMap(({ functions }) => functions)
    .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
}
