// `npm run goldens`: what a delivery costs does not grow with all that was delivered before it.

import { Session } from "node:inspector/promises";
import { expect, it } from "vitest";
import { builtIn } from "../src/builtIn/lists.ts";
import { parts } from "../src/builtIn/parts.ts";
import { loadScenario } from "../src/edges/scenario/scenarioFile.ts";
import { days } from "../src/machines/units.ts";
import { startRun } from "../src/run/simulate.ts";

const HOURS = 10;
const PIECE = 4_000;
const NIGHTS = 60;
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

it("[SN110] a night of synt costs as much after fifty others as after five", async () => {
  const { scenario } = loadScenario(builtIn, "synt-chain-choice");
  const { synt: world } = scenario;
  if (world === undefined) throw new Error("there is no synt in it");
  const turns = Array.from({ length: NIGHTS }, (_, day) =>
    world.turns.map((one) => ({
      ...one,
      ...{ turn: `${one.turn}-${day}`, atMs: one.atMs + days(day) },
    })),
  ).flat();
  const synt = { ...world, turns };
  const many = { ...scenario, synt, runsForMs: days(NIGHTS) };
  const run = startRun(parts, many, { level: "bare" });
  /** Function calls for each delivery of a week. */
  const weekFrom = async (day: number): Promise<number> => {
    while (run.kernel.nowMs < days(day)) run.advance(1);
    const before = run.kernel.delivered;
    const calls = await callsIn(() => {
      while (run.kernel.nowMs < days(day + 7)) run.advance(1);
    });
    return calls / (run.kernel.delivered - before);
  };
  const early = await weekFrom(5);
  const late = await weekFrom(NIGHTS - 8);

  expect(run.kernel.delivered).toBeGreaterThan(40_000);
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
