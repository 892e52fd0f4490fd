// Means of times to an event beside lifelines' own, where Python has it.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { momentsOf, type Result, varianceOf } from "../../../src/studies/statistics/fold.ts";
import { logRank, restrictedMeans } from "../../../src/studies/statistics/survival.ts";
import { uniforms } from "./testFunctions.ts";

const LIMITS = [0.5, 1, 2];
const next = uniforms(3, "times");
const sides = [1, 1.6].map((slower) =>
  Array.from({ length: 120 }, () => {
    const [time, followed] = [-slower * Math.log(next()), 0.3 + 3 * next()];
    // To a tenth, so that events tie with one another and with bounds.
    return [Math.round(Math.min(time, followed) * 10) / 10, time <= followed] as const;
  }),
);
const ours = sides.map((side) =>
  side.map(([value, isSeen], replicate): Result & { readonly value: number } => ({
    ...{ point: 0, replicate, seed: replicate, value },
    ...(isSeen ? {} : { bound: "least" as const }),
  })),
);
const asked = spawnSync("python3", ["tools/besideLifelines.py"], {
  input: JSON.stringify({ sides, limits: LIMITS }),
  encoding: "utf8",
});

describe.skipIf(asked.status !== 0)("(skipped where Python has no lifelines)", () => {
  const known = () => JSON.parse(asked.stdout);

  it("[ST214] means up to a limit are its means, and [ST216] pseudo-values vary as times do, and more by what bounds hide", () => {
    for (const [at, side] of ours.entries()) {
      for (const [place, limit] of LIMITS.entries()) {
        const found = restrictedMeans(side, limit);
        const [mean, variance] = known().means[at][place];
        const own = varianceOf(momentsOf(found?.pseudo ?? []));

        expect(found?.mean).toBeCloseTo(mean, 9);
        expect(own / variance).toBeGreaterThan(0.95);
        expect(own / variance).toBeLessThan(1.4);
      }
    }
  });

  it("[ST216] the log-rank test is its test", () => {
    expect(logRank(ours[0] ?? [], ours[1] ?? [])).toBeCloseTo(known().p, 9);
  });
});
