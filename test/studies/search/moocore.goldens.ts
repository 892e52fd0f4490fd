// Hypervolumes beside moocore's own, where Python has it.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { hypervolume } from "../../../src/studies/search/hypervolume.ts";
import { uniforms } from "../statistics/testFunctions.ts";

const next = uniforms(4, "fronts");
const sets = [2, 3, 4, 5, 6].map((goals) =>
  Array.from({ length: 25 }, () => Array.from({ length: goals }, () => next())),
);
const asked = spawnSync("python3", ["tools/besideHypervolume.py"], {
  input: JSON.stringify({ sets }),
  encoding: "utf8",
});

describe.skipIf(asked.status !== 0)("(skipped where Python has no moocore)", () => {
  it("[ST235] of two to six goals are moocore's", () => {
    const known = JSON.parse(asked.stdout);
    for (const [at, points] of sets.entries()) {
      const goals = points[0]?.map(() => "maximise" as const) ?? [];
      const box = { worst: goals.map(() => 0), best: goals.map(() => 1) };

      expect(hypervolume(points, goals, box)).toBeCloseTo(known[at], 12);
    }
  });
});
