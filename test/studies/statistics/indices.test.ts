import { describe, expect, it } from "vitest";
import type { IndexQuestion } from "../../../src/studies/statistics/bootstrap.ts";
import { meanInterval } from "../../../src/studies/statistics/intervals.ts";
import { morrisIndices } from "../../../src/studies/statistics/morrisIndices.ts";
import { sobolIndices } from "../../../src/studies/statistics/sobolIndices.ts";
import { isOracleThere, statisticsOracle } from "./statisticsOracle.ts";
import {
  gFunction,
  gIndices,
  ISHIGAMI,
  ishigami,
  saltelliRows,
  toNineDigits,
  uniforms,
} from "./testFunctions.ts";

const G = [0, 1, 4.5, 9];

function asked(
  of: (unit: readonly number[]) => number,
  factors: number,
  n: number,
  more: Partial<IndexQuestion> = {},
) {
  const values = saltelliRows(1, n, factors).map((unit) => [of(unit)]);
  const question = {
    factors,
    values,
    seeds: "common",
    seed: 7,
    outcome: "y",
    resamples: 40,
  } as const;
  const found = sobolIndices({ ...question, ...more });
  if (found === null) throw new Error("this outcome varies");
  return found;
}

/** Within twice the half widths, which no more than a few in ten thousand are not. */
function hold(found: readonly number[], conf: readonly number[], truth: readonly number[]) {
  truth.forEach((one, j) => {
    expect(Math.abs((found[j] ?? 0) - one)).toBeLessThan(2 * (conf[j] ?? 0) + 1e-12);
    expect(conf[j]).toBeLessThan(0.13);
  });
}

describe.skipIf(!isOracleThere)("(skipped where shared/oracles/statistics.json is absent)", () => {
  it("[ST32] knows the closed forms of its test functions", () => {
    const { ishigami: known, sobol_g } = statisticsOracle().analytic;

    expect(known).toMatchObject({ S1: ISHIGAMI.S1, ST: ISHIGAMI.ST });
    gIndices(sobol_g.a).S1.forEach((one, j) => {
      expect(one).toBeCloseTo(sobol_g.S1[j] ?? Number.NaN, 12);
    });
    gIndices(sobol_g.a).ST.forEach((one, j) => {
      expect(one).toBeCloseTo(sobol_g.ST[j] ?? Number.NaN, 12);
    });
  });
});

describe("Sobol indices", () => {
  it("[ST32] come near Ishigami's, all three kinds of them", () => {
    const found = asked(ishigami, 3, 4096);

    hold(found.S1, found.S1_conf, ISHIGAMI.S1);
    hold(found.ST, found.ST_conf, ISHIGAMI.ST);
    // The first and the last of them act together, no others do.
    const pairs = (
      [
        [0, 1],
        [0, 2],
        [1, 2],
      ] as const
    ).map(
      ([j, k]) => [found.S2[j]?.[k] ?? Number.NaN, found.S2_conf[j]?.[k] ?? Number.NaN] as const,
    );
    hold(
      pairs.map(([one]) => one),
      pairs.map(([, conf]) => conf),
      [0, ISHIGAMI.S2, 0],
    );
    expect(found.S2[2]).toEqual([null, null, null]);
    expect(found).toMatchObject({ noise: null, rows: 4096, left: 0 });
  });

  it("[ST32, ST33, ST140] of 64 rows of the g-function are these, as the goldens hold them to SALib's", async () => {
    await expect(toNineDigits(asked(gFunction(G), G.length, 64))).toMatchFileSnapshot(
      "indices.txt",
    );
  });

  it("[ST32] come near the g-function's", () => {
    const found = asked(gFunction(G), G.length, 4096);

    hold(found.S1, found.S1_conf, gIndices(G).S1);
    hold(found.ST, found.ST_conf, gIndices(G).ST);
  });

  it("[ST33] are the same from the same seed, and of another scale and place", () => {
    const rows = saltelliRows(1, 64, 3);
    const moved = rows.map((unit) => [1000 + 8 * ishigami(unit)]);
    const [found, again, elsewhere] = [
      asked(ishigami, 3, 64),
      asked(ishigami, 3, 64),
      asked(ishigami, 3, 64, { values: moved }),
    ];

    expect(again).toEqual(found);
    expect(found.noise).toBeNull();
    elsewhere.S1.forEach((one, j) => {
      expect(one).toBeCloseTo(found.S1[j] ?? 0, 9);
    });
    expect(asked(ishigami, 3, 64, { seed: 8 }).S1_conf).not.toEqual(found.S1_conf);
  });

  it("[ST33] are of the mean over seeds; the noise that is left is said, and seeds are drawn again", () => {
    const chance = uniforms(3, "noise");
    const rows = saltelliRows(1, 256, 2);
    const shifts = Array.from({ length: 8 }, () => 100 * chance());
    // The factors make a variance of 5/12 in all; each run adds one of 1/12, each seed a shift of all rows.
    const noisy = rows.map(([x = 0, y = 0]) => shifts.map((shift) => 2 * x + y + shift + chance()));
    const found = asked(ishigami, 2, 256, { values: noisy, seeds: "common" });
    const independent = asked(ishigami, 2, 256, { values: noisy, seeds: "independent" });

    hold(found.S1, found.S1_conf, [0.8, 0.2]);
    expect(found.noise).toBeCloseTo(1 / 8 / (5 + 1 / 8), 2);
    expect(independent.noise).toBe(1);
    expect(found.S1_conf).not.toEqual(independent.S1_conf);
  });

  it("[ST34] leaves out the base rows of which a run gave nothing, and says how many", () => {
    const values = saltelliRows(1, 65, 3).map((unit, row): [number | null] =>
      row === 17 ? [null] : [ishigami(unit)],
    );

    expect(asked(ishigami, 3, 65, { values })).toMatchObject({ rows: 64, left: 1 });
  });

  it("[ST34] are none where nothing varies", () => {
    const values = saltelliRows(1, 8, 3).map(() => [5, 5]);
    const question = { factors: 3, values, seeds: "common", seed: 1, outcome: "y" } as const;

    expect(sobolIndices(question)).toBeNull();
  });
});

describe("Morris's indices", () => {
  /** Of three trajectories in two factors: y = 3a − 2b + 4ab, first a by half, then b by half. */
  const unit = [
    [0, 0],
    [0.5, 0],
    [0.5, 0.5],
    [0.5, 0.5],
    [0, 0.5],
    [0, 0],
    [0, 1],
    [0.5, 1],
    [0.5, 0.5],
  ];
  const y = ([a = 0, b = 0]: readonly number[]) => 3 * a - 2 * b + 4 * a * b;
  const question = {
    factors: 2,
    unit,
    groupOf: [0, 1],
    seeds: "common",
    seed: 1,
    outcome: "y",
  } as const;

  it("[ST35][ST36] are the mean effect, its size and its spread, with Student's width", () => {
    const found = morrisIndices({ ...question, values: unit.map((row) => [y(row)]) });

    // Effects of a: 3, 5, 7; of b: 0, −2, 0.
    expect(found?.mu).toEqual([5, -2 / 3]);
    expect(found?.mu_star).toEqual([5, 2 / 3]);
    expect(found?.sigma[0]).toBeCloseTo(2, 12);
    expect(found?.sigma[1]).toBeCloseTo(Math.sqrt(4 / 3), 12);
    // Effects that go up and down have a size, whatever their mean: −.5, 0 and .5.
    const bent = morrisIndices({
      ...{ ...question, values: unit.map(([a = 0, b = 0]) => [a * (b - 0.5)]) },
    });
    expect([bent?.mu[0], bent?.mu_star[0]]).toEqual([0, expect.closeTo(1 / 3, 12)]);
    // Student's interval of the mean of the three sizes, but for what 500 resamples leave to chance.
    const student = (sizes: readonly number[]) => {
      const { high, estimate } = meanInterval(sizes);
      return (high ?? 0) - estimate;
    };
    expect((found?.mu_star_conf[0] ?? 0) / student([3, 5, 7])).toBeCloseTo(1, 1);
    expect((found?.mu_star_conf[1] ?? 0) / student([0, 2, 0])).toBeCloseTo(1, 1);

    // Two seeds that move no effect take nothing from its freedom; two that do, make it wide.
    const [still, moving] = [(one: number) => [one - 6, one + 6], (one: number) => [0, 2 * one]];
    const width = (seeds: typeof still) =>
      morrisIndices({ ...question, values: unit.map((row) => seeds(y(row))) })?.mu_star_conf[0] ??
      0;
    expect(width(still)).toBeLessThan(1.2 * student([3, 5, 7]));
    expect(width(moving)).toBeGreaterThan(5 * width(still));
  });

  it("[ST34, ST35] are of the mean over seeds, and leave out what gave nothing", () => {
    const values = unit.map((row, index) => (index === 4 ? [null, 1] : [y(row) / 2, y(row) * 1.5]));

    expect(morrisIndices({ ...question, values })).toMatchObject({
      mu: [5, 0],
      trajectories: 2,
      left: 1,
    });
    expect(
      morrisIndices({ ...question, unit: [...unit, ...unit], values: [...values, ...values] }),
    ).toMatchObject({
      ...{ mu: [5, 0], trajectories: 4, left: 2 },
    });
    expect(morrisIndices({ ...question, values: unit.map(() => [null]) })).toBeNull();
  });
});
