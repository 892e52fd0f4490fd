// The indices beside SALib's own, on the same rows, where Python has it.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { morrisIndices } from "../../../src/studies/statistics/morrisIndices.ts";
import { pawnIndices } from "../../../src/studies/statistics/pawn.ts";
import { sobolIndices } from "../../../src/studies/statistics/sobolIndices.ts";
import { ISHIGAMI, ishigami, saltelliRows, uniforms } from "./testFunctions.ts";

const FACTORS = ISHIGAMI.S1.length;
/** What SALib takes a step for: two thirds of the range, of four levels. */
const STEP = 2 / 3;

/** One factor after another moves up by a step, from the lower half of four levels. */
function trajectories(n: number): number[][] {
  const next = uniforms(5, "trajectories");
  return Array.from({ length: n }, () => {
    const start = Array.from({ length: FACTORS }, () => (next() < 0.5 ? 0 : 1 / 3));
    return Array.from({ length: FACTORS + 1 }, (_, moved) =>
      start.map((value, j) => (j < moved ? value + STEP : value)),
    );
  }).flat();
}

const rows = saltelliRows(1, 512, FACTORS);
const unit = trajectories(20);
const input = {
  factors: FACTORS,
  rows,
  sobol: rows.map(ishigami),
  unit,
  morris: unit.map(ishigami),
};
const theirs = spawnSync("python3", ["tools/salib.py"], {
  input: JSON.stringify(input),
  encoding: "utf8",
});

describe.skipIf(theirs.status !== 0)("(skipped where Python has no SALib)", () => {
  it("[ST32][ST234] Sobol, Morris and PAWN indices are SALib's", () => {
    const known = JSON.parse(theirs.stdout);
    const common = {
      factors: FACTORS,
      seeds: "common",
      seed: 1,
      outcome: "y",
      resamples: 2,
    } as const;
    const sobol = sobolIndices({ ...common, values: rows.map((row) => [ishigami(row)]) });
    const morris = morrisIndices({ ...common, unit, values: unit.map((row) => [ishigami(row)]) });
    const pawn = pawnIndices(rows, rows.map(ishigami), { seed: 1, outcome: "y" });
    const ours = {
      median: pawn.median,
      maximum: pawn.maximum,
      S1: sobol?.S1,
      ST: sobol?.ST,
      S2: sobol?.S2.map((row) => row.filter((one) => one !== null)),
      mu: morris?.mu,
      mu_star: morris?.mu_star,
      sigma: morris?.sigma,
    };

    for (const [name, values] of Object.entries(ours)) {
      (values ?? []).flat().forEach((one, index) => {
        expect(one, `${name} ${index}`).toBeCloseTo(known[name].flat()[index], 9);
      });
    }
  });
});
