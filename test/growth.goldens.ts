// `npm run goldens`: what a delivery costs does not grow with all that was delivered before it.

import { expect, it } from "vitest";
import { builtIn } from "../src/builtIn.ts";
import { loadScenario } from "../src/edges/scenarioFile.ts";
import { parts } from "../src/parts.ts";
import { startRun } from "../src/simulate.ts";

const HOURS = 20;
const PIECE = 30_000;

it("[FS8] ten times as long a run takes ten times as long, not a hundred", () => {
  const { scenario } = loadScenario(builtIn, "safe-file-executor");
  const run = startRun(parts, { ...scenario, runsForMs: HOURS * 3_600_000 });
  const pieces: number[] = [];
  let isOver = false;
  while (!isOver) {
    const before = process.cpuUsage();
    isOver = run.advance(PIECE) !== undefined;
    const { user, system } = process.cpuUsage(before);
    if (!isOver) pieces.push(user + system);
  }
  expect(pieces.length).toBeGreaterThan(10);
  // The first piece runs code that is not compiled yet. Where each change copied its folder, the mean alone was 5 times as high.
  const ratio = median(pieces.slice(-4)) / median(pieces.slice(1, 5));
  expect(ratio).toBeLessThan(3);
});

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
