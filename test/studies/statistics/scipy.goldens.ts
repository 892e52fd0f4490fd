// Indices, sequences and intervals beside scipy's own, where Python has it.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  latinHypercube,
  saltelliPoints,
  sobolSequence,
  taken,
} from "../../../src/studies/sample/cubePoints.ts";
import { SOBOL_DIMENSIONS_MAX } from "../../../src/studies/sample/sobolDirections.ts";
import {
  pairedInterval,
  plainInterval,
  quantileInterval,
} from "../../../src/studies/statistics/intervals.ts";
import { proportionInterval, violationBound } from "../../../src/studies/statistics/proportions.ts";
import { tQuantile } from "../../../src/studies/statistics/quantiles.ts";
import { sobolIndices } from "../../../src/studies/statistics/sobolIndices.ts";
import { ISHIGAMI, ishigami, uniforms } from "./testFunctions.ts";

const FACTORS = ISHIGAMI.S1.length;
const ROWS = 512;
const SIZE = 2 * FACTORS + 2;
const COUNT = 256;
const SHARES = [0, 1, 7, 50, 99, 100].map((hits) => [hits, 100] as const);
const PROBABILITIES = [0.025, 0.6, 0.975, 0.9995];
const QUANTILES = [0.2, 0.5, 0.8];
const FREEDOMS = [1, 2.5, 7.3, 29, 99, 1e4];

const values = saltelliPoints(ROWS, [0, 1, 2], 3).map(ishigami);
const blocks = Array.from({ length: ROWS }, (_, row) => values.slice(row * SIZE, (row + 1) * SIZE));
const next = uniforms(9, "pairs");
const pairs = Array.from({ length: 40 }, () => {
  const shared = next();
  return [shared + next(), shared + 2 * next() ** 2] as const;
});
const cube = latinHypercube(64, 5, 4);
const asked = spawnSync("python3", ["tools/besideScipy.py"], {
  input: JSON.stringify({
    ...{ blocks, pairs, cube, shares: SHARES, count: COUNT, dimensions: SOBOL_DIMENSIONS_MAX },
    ...{ probabilities: PROBABILITIES, freedoms: FREEDOMS, quantiles: QUANTILES },
  }),
  encoding: "utf8",
});
const answer = () => JSON.parse(asked.stdout);
const bounds = ({ low, high, p }: ReturnType<typeof pairedInterval>) => [low, high, p];

function near(found: readonly (number | null)[], known: readonly number[], digits: number) {
  expect(found).toHaveLength(known.length);
  found.forEach((one, at) => {
    expect(one).toBeCloseTo(known[at] ?? Number.NaN, digits);
  });
}

it("[ST32] where Python has scipy, asking it ends well", () => {
  expect(asked.stderr ?? "").not.toContain("Traceback");
});

describe.skipIf(asked.status !== 0)("(skipped where Python has no scipy 1.11)", () => {
  const found = sobolIndices({
    ...{ factors: FACTORS, values: values.map((value) => [value]), seeds: "common" },
    ...{ seed: 1, outcome: "y" },
  });

  it("[ST32] ST is scipy's, and S1 but for the mean from which values are taken", () => {
    const { S1, ST } = answer();
    const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
    const ends = blocks.flatMap((block) => [block[0] ?? 0, block.at(-1) ?? 0]);
    const variance = mean(ends.map((one) => (one - mean(ends)) ** 2));
    // scipy's mean is of A and B; ours, as SALib's, of all rows.
    const shift = mean(values) - mean(ends);
    const moved = S1.map((one: number, j: number) => {
      const steps = blocks.map((block) => (block[1 + j] ?? 0) - (block[0] ?? 0));
      return one - (shift * mean(steps)) / variance;
    });

    near(found?.ST ?? [], ST, 12);
    near(found?.S1 ?? [], moved, 12);
  });

  it("[ST36] _conf is about as wide as scipy's bootstrap, which corrects for bias and skew", () => {
    const { S1_low, S1_high } = answer();

    for (const [j, conf] of (found?.S1_conf ?? []).entries()) {
      const half = (S1_high[j] - S1_low[j]) / 2;
      expect(conf / half).toBeGreaterThan(0.85);
      expect(conf / half).toBeLessThan(1.15);
    }
  });

  it("[ST121] the sequence is scipy's in every dimension there is", () => {
    expect(taken(sobolSequence(SOBOL_DIMENSIONS_MAX, null), COUNT)).toEqual(answer().points);
  });

  it("[ST123] a Latin hypercube is as even as scipy measures", () => {
    // Of 64 random points in five dimensions it is about .025, once in a hundred below .013.
    expect(answer().discrepancy).toBeLessThan(0.01);
  });

  it("[ST20][ST21] quantiles, paired and unpaired intervals and their probabilities are scipy's", () => {
    const { paired, welch, t } = answer();
    const [one, other] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];

    near(bounds(pairedInterval(pairs)), paired, 9);
    near(bounds(plainInterval(one, other)), welch, 9);
    for (const [at, probability] of PROBABILITIES.entries()) {
      FREEDOMS.forEach((freedom, place) => {
        expect(tQuantile(probability, freedom) / t[at][place]).toBeCloseTo(1, 7);
      });
    }
  });

  it("[ST25] intervals of quantiles are scipy's", () => {
    for (const [at, share] of QUANTILES.entries()) {
      const { low, high } = quantileInterval(
        pairs.map(([, b]) => b),
        share,
      );
      near([low, high], answer().quantiles[at], 12);
    }
  });

  it("[ST23][ST27] Wilson's interval and Clopper and Pearson's bound are scipy's", () => {
    const { wilson, exact } = answer();

    for (const [at, [hits, n]] of SHARES.entries()) {
      const { low, high } = proportionInterval(hits, n);
      near([low, high], wilson[at], 12);
    }
    const some = SHARES.filter(([hits, n]) => hits < n);
    near(
      some.map(([hits, n]) => violationBound(hits, n)),
      exact,
      9,
    );
  });
});
