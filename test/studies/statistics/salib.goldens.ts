// The indices beside SALib's own, on the same rows, where Python has it.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { morrisPoints, saltelliPoints } from "../../../src/studies/sample/cubePoints.ts";
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

const ALONE = [0, 1, 2];
/** The first and the last factor together. */
const GROUPED = [0, 1, 0];
const rowsOf = (groupOf: readonly number[], sobol: readonly (readonly number[])[]) => ({
  ...{ groupOf, rows: sobol, sobol: sobol.map(ishigami) },
});
const alone = rowsOf(ALONE, saltelliRows(1, 512, FACTORS));
const grouped = rowsOf(GROUPED, saltelliPoints(512, GROUPED, 1));
const unit = trajectories(20);
const groupedUnit = morrisPoints({ trajectories: 20, levels: 4 }, GROUPED, 1);
const theirs = spawnSync("python3", ["tools/salib.py"], {
  input: JSON.stringify({
    ...{ ...alone, factors: FACTORS, unit, morris: unit.map(ishigami) },
    grouped: {
      ...{ ...grouped, groups: GROUPED.map((group) => `g${group}`) },
      ...{ unit: groupedUnit, morris: groupedUnit.map(ishigami) },
    },
  }),
  encoding: "utf8",
});

function indices(
  { groupOf, sobol }: typeof alone,
  trajectory: readonly (readonly number[])[],
): { readonly [name: string]: readonly (number | null)[] | undefined } {
  const factors = new Set(groupOf).size;
  const common = { factors, seeds: "common", seed: 1, outcome: "y", resamples: 2 } as const;
  const found = sobolIndices({ ...common, values: sobol.map((one) => [one]) });
  const morris = morrisIndices({
    ...{ ...common, groupOf, unit: trajectory },
    values: trajectory.map((row) => [ishigami(row)]),
  });
  return {
    ...{ S1: found?.S1, ST: found?.ST, S2: found?.S2.flat().filter((one) => one !== null) },
    ...{ mu: morris?.mu, mu_star: morris?.mu_star, sigma: morris?.sigma },
  };
}

function expectAlike(
  ours: { readonly [name: string]: readonly (number | null)[] | undefined },
  known: { readonly [name: string]: readonly unknown[] },
) {
  for (const [name, values = []] of Object.entries(ours)) {
    const others = (known[name] ?? []).flat();
    expect(others, name).toHaveLength(values.length);
    values.forEach((one, index) => {
      // Of several factors SALib tells a mean of mu over them, which averages out.
      if (one === null && name === "mu") return;
      if (one === null) expect(others[index], `${name} ${index}`).toBeNull();
      else expect(one, `${name} ${index}`).toBeCloseTo(Number(others[index]), 9);
    });
  }
}

describe.skipIf(theirs.status !== 0)("(skipped where Python has no SALib)", () => {
  it("[ST32][ST234] Sobol, Morris and PAWN indices are SALib's", () => {
    const { median, maximum } = pawnIndices(alone.rows, alone.sobol, { seed: 1, outcome: "y" });

    expectAlike({ ...indices(alone, unit), median, maximum }, JSON.parse(theirs.stdout));
  });

  it("[ST260][ST261] those of groups are, too", () => {
    expectAlike(indices(grouped, groupedUnit), JSON.parse(theirs.stdout).grouped);
  });

  it("[ST260] SALib's own designs of groups move what ours move, in the same order", () => {
    const { saltelli, trajectories: drawn } = JSON.parse(theirs.stdout);
    const size = 2 * new Set(GROUPED).size + 2;
    const cross = (into: number[], from: number[], group: number) =>
      into.map((own, at) => (GROUPED[at] === group ? from[at] : own));

    for (let at = 0; at < saltelli.length; at += size) {
      const [a, b] = [saltelli[at], saltelli[at + size - 1]];
      expect(saltelli.slice(at, at + size)).toEqual([
        ...[a, cross(a, b, 0), cross(a, b, 1), cross(b, a, 0), cross(b, a, 1), b],
      ]);
    }
    const movedBy = (rows: readonly (readonly number[])[]) =>
      rows.flatMap((row, at) => {
        if (at % 3 === 0) return [];
        const moved = row.map((one, j) => one !== rows[at - 1]?.[j]);
        return moved.map(Number).join("");
      });
    expect(new Set(movedBy(drawn))).toEqual(new Set(["101", "010"]));
    expect(new Set(movedBy(groupedUnit))).toEqual(new Set(["101", "010"]));
    expect(drawn).toHaveLength(4 * 3);
  });
});
