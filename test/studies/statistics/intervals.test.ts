import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/studies/outcomes/outcome.ts";
import {
  inFoldingOrder,
  momentsOf,
  type Pair,
  pairedBySeed,
} from "../../../src/studies/statistics/fold.ts";
import { confidenceOfEach, holmAdjusted } from "../../../src/studies/statistics/holm.ts";
import {
  type Estimate,
  meanInterval,
  pairedInterval,
  plainInterval,
  quantileInterval,
} from "../../../src/studies/statistics/intervals.ts";
import {
  kindOf,
  missedBelow,
  pairsInterval,
  plainDifference,
  proportionInterval,
  runsFor,
  valuesInterval,
  violationBound,
} from "../../../src/studies/statistics/proportions.ts";
import { tBothTails, tQuantile } from "../../../src/studies/statistics/quantiles.ts";
import { outcomeKind } from "../../../src/studies/sweep.ts";
import { summarise } from "../../../src/studies/sweepSummary.ts";
import { numberStudy } from "../numberStudy.ts";
import { isOracleThere, statisticsOracle } from "./statisticsOracle.ts";

const bounds = ({ estimate, low, high }: Estimate) => [estimate, low, high];
const times = (n: number, pair: Pair): Pair[] => Array.from({ length: n }, () => pair);
/** In Newcombe's order: both, only the baseline, only the point, neither. */
const table = (both: number, first: number, second: number, neither: number): Pair[] => [
  ...times(both, [1, 1]),
  ...times(first, [1, 0]),
  ...times(second, [0, 1]),
  ...times(neither, [0, 0]),
];
function near(found: readonly (number | null)[], expected: readonly number[], digits = 9) {
  expect(found).toHaveLength(expected.length);
  expected.forEach((one, index) => {
    expect(found[index]).toBeCloseTo(one, digits);
  });
}

describe.skipIf(!isOracleThere)("(skipped where shared/oracles/statistics.json is absent)", () => {
  it("[ST20] has scipy's quantiles of Student's t", () => {
    for (const [freedom, quantile] of Object.entries(statisticsOracle().t_quantile_975)) {
      expect(tQuantile(0.975, Number(freedom))).toBeCloseTo(quantile, 8);
    }
  });

  it("[ST21] has scipy's interval of a paired difference", () => {
    const { x, y, mean_diff, ci95 } = statisticsOracle().paired;
    const pairs = x.map((one, index) => [one, y[index] ?? Number.NaN] as const);

    near(bounds(pairedInterval(pairs)), [mean_diff, ...ci95], 8);
  });
});

describe("quantiles", () => {
  it("[ST20] are those of scipy, for freedoms that are not whole too", () => {
    expect(tQuantile(0.975, 29)).toBeCloseTo(2.045229642132703, 10);
    expect(tQuantile(0.975, 7.3)).toBeCloseTo(2.345066736150929, 8);
    expect(tQuantile(0.6, 7.3)).toBeCloseTo(0.26275680525071526, 9);
    expect(tQuantile(0.025, 7.3)).toBeCloseTo(-tQuantile(0.975, 7.3), 12);
    expect(tQuantile(0.5, 7.3)).toBe(0);
    expect(tBothTails(2.1, 7.3)).toBeCloseTo(0.07224671342485328, 10);
  });
});

describe("differences", () => {
  it("[ST21] pairs the seeds that both have, whatever ran first", () => {
    const result = (seed: number, value: number | null, replicate = seed) => ({
      point: 0,
      replicate,
      seed,
      value,
    });

    expect(
      pairedBySeed(
        [result(1, 10), result(2, 20), result(3, null), result(4, 40)],
        [result(4, 41), result(3, 31), result(2, 22), result(9, 90)],
      ),
    ).toEqual([
      [40, 41],
      [20, 22],
    ]);
  });

  it("[ST21] has a t interval for pairs, and Welch's where they are not wanted", () => {
    const baseline = [1.2, 3.4, 2.2, 5.9, 4.4];
    const point = [2.0, 8.1, 7.7, 3.0, 9.5, 6.6];
    const plain = plainInterval(baseline, point);

    near(bounds(plain), [2.73, -0.6380271494955791, 6.098027149495577]);
    expect(plain.p).toBeCloseTo(0.09912601121471439, 9);
    expect(bounds(plainDifference(baseline, point, "number"))).toEqual(bounds(plain));
    expect(plain.method).toBe("plain difference, Welch");
    // Differences 1, 2, 3: mean 2, error 1/√3, t of 2 degrees 4.3026527.
    near(
      bounds(
        pairedInterval([
          [0, 1],
          [0, 2],
          [5, 8],
        ]),
      ),
      [2, 2 - 2.4841377, 2 + 2.4841377],
      6,
    );
  });

  it("[ST22] claims no interval of nothing: too few values, or all of them equal", () => {
    const none = { low: null, high: null, p: null };

    expect(meanInterval([3])).toMatchObject({ ...none, estimate: 3, doubt: "tooFew" });
    expect(meanInterval([3, 3, 3])).toMatchObject({ ...none, estimate: 3, doubt: "noVariance" });
    expect(pairedInterval(table(0, 0, 40, 0))).toMatchObject({ ...none, doubt: "noVariance" });
    expect(proportionInterval(0, 0)).toMatchObject({ ...none, doubt: "tooFew" });
    expect(quantileInterval([1, 2, 3], 0.5)).toMatchObject({ ...none, doubt: "tooFew" });
    const same = Array.from({ length: 12 }, () => 3);
    expect(quantileInterval(same, 0.5)).toMatchObject({
      ...{ ...none, estimate: 3, doubt: "noVariance" },
    });
    expect(plainInterval(same, same)).toMatchObject({ ...none, doubt: "noVariance" });
    expect(plainInterval([3], [1, 2])).toMatchObject({ ...none, doubt: "tooFew" });
  });

  it("[ST22] claims one of the fewest values that it can be claimed of", () => {
    expect(meanInterval([3, 4]).doubt).toBeNull();
    expect(pairedInterval([[0, 1]]).doubt).toBe("tooFew");
    expect(plainInterval([3, 3], [1, 2]).doubt).toBeNull();
    expect(quantileInterval([1, 2, 3, 4, 5], 0.5).doubt).toBe("tooFew");
    expect(quantileInterval([1, 2, 3, 4, 5, 6], 0.5)).toMatchObject({
      low: 1,
      high: 6,
      doubt: null,
    });
  });
});

describe("proportions", () => {
  it("[ST23] are Wilson's", () => {
    near(bounds(proportionInterval(81, 263)), [81 / 263, 0.2552885198782742, 0.3662095769828]);
    near(bounds(proportionInterval(0, 20)), [0, 0, 0.16112515805281935]);
    near(bounds(proportionInterval(30, 30)), [1, 0.8864866068260312, 1]);
    expect(bounds(valuesInterval([0, 0, 1, 1], "share"))).toEqual(bounds(proportionInterval(2, 4)));
  });

  it("[ST24] differ, in pairs, by Newcombe's method 10", () => {
    // Ours is point less baseline, theirs the first less the second.
    const ours = (pairs: Pair[]) =>
      bounds(
        pairsInterval(
          pairs.map(([one, other]) => [other, one] as const),
          "share",
        ),
      );

    near(ours(table(20, 12, 2, 16)), [0.2, 0.056156424841748265, 0.3292069954001405]);
    near(ours(table(36, 12, 2, 0)), [0.2, 0.05692958400323869, 0.3404276029749407]);
    near(ours(table(29, 0, 1, 0)), [-1 / 30, -0.16670390991409179, 0.08344597543254344]);
    near(ours(table(10, 5, 10, 5)), [-1 / 6, -0.38636497003150727, 0.07903935277212357]);
  });

  it("[ST24] differ by an interval with a width, even where every pair is alike", () => {
    near(
      bounds(pairsInterval(table(30, 0, 0, 0), "share")),
      [0, -0.1135133931739688, 0.1135133931739688],
    );
    expect(pairsInterval(table(9, 2, 12, 7), "share").p).toBeCloseTo(0.012939453125, 10);
    expect(pairsInterval(table(9, 0, 0, 7), "share").p).toBe(1);
    expect(plainDifference([0, 1], [1, 1], "share").method).toContain("Newcombe");
  });

  it("[ST23] are no metrics, whose values may be 0 and 1 by chance", () => {
    const results = [0, 1].map((value) => ({ point: 0, replicate: value, seed: value, value }));
    const [metric] = numberStudy({}).outcomes;
    if (metric === undefined) throw new Error("a study asks for something");
    const expression = { kind: "expression", name: "y", text: "1", expression: { number: 1 } };
    const of = (outcome: unknown) =>
      outcomeKind(numberStudy({ outcomes: [outcome as Outcome] }), "y", results);

    const kinds = ["spiral", "promise"].map((kind) => ({ ...metric, kind }));
    expect([metric, ...kinds, expression].map(of)).toEqual(["number", "share", "share", "share"]);
  });

  it("[ST23] are in each run a share, or a load, whose mean lies within 0 … 1 as all values do", () => {
    const of = (unit: string, ...values: readonly number[]) =>
      outcomeKind(
        numberStudy({ units: { leaves: {}, outcomes: { y: unit } } }),
        "y",
        values.map((value, replicate) => ({ point: 0, replicate, seed: replicate, value })),
      );

    expect([of("share", 0, 1), of("load", 0.5)]).toEqual(["within", "within"]);
    expect([of("ms", 0, 1), of("load", 0.5, 1.1), of("load", -0.1)]).toEqual(
      new Array(3).fill("number"),
    );
  });

  it("[ST23] are told from numbers by all the values of a study", () => {
    expect([kindOf([0, 1, 1]), kindOf([0, 1, 2]), kindOf([])]).toEqual([
      "share",
      "number",
      "number",
    ]);
    // At the first point they are 0 and 1 by chance.
    const expression = { kind: "expression", name: "y", text: "1", expression: { number: 1 } };
    const study = numberStudy({ outcomes: [expression as unknown as Outcome] });
    const points = [0, 1].map((index) => ({ index, values: {} }));
    const runs = [0, 1, 2, 3].map((at) => {
      const made = { point: at >> 1, replicate: at % 2, seed: at % 2, variant: null };
      return { ...made, outcome: "ended", values: { y: at }, faults: [], censored: [] };
    });
    const swept = summarise(study, { points, baseline: null }, [], runs, "paired");
    expect(swept.map(({ outcomes }) => outcomes["y"]?.kind)).toEqual(["number", "number"]);
  });
});

describe("quantiles of an outcome", () => {
  it("[ST25] have intervals by rank", () => {
    // Of 10 values, the second and the ninth hold the median with 97.9 %.
    const values = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

    expect(bounds(quantileInterval(values, 0.5))).toEqual([55, 20, 90]);
  });
});

describe("many at once", () => {
  it("[ST26] adjusts probabilities by Holm's steps, in the order given", () => {
    near(holmAdjusted([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
    expect(holmAdjusted([0.5, null, 0.9])).toEqual([1, null, 1]);
  });

  it("[ST26] counts comparisons without a probability into the family, and what was not compared not", () => {
    near(holmAdjusted([0.01, null, undefined]).slice(0, 1), [0.02]);
    near(holmAdjusted([0.01, undefined, undefined]).slice(0, 1), [0.01]);
    expect(holmAdjusted([null, undefined])).toEqual([null, null]);
  });

  it("[ST26] adjusts over all points that an outcome was compared at, each outcome by itself", () => {
    const { outcomes } = numberStudy();
    const study = numberStudy({
      outcomes: ["y", "z"].flatMap((name) => outcomes.map((one) => ({ ...one, name }))),
    });
    const points = [0, 1, 2].map((index) => ({ index, values: {} }));
    const runs = points.flatMap(({ index: point }) =>
      [0, 1, 2, 3, 4].map((replicate) => {
        const y = point * (1 + replicate / 10);
        const made = { point, replicate, seed: replicate, variant: null, outcome: "ended" };
        return { ...made, values: { y, z: y }, faults: [], censored: [] };
      }),
    );
    const swept = summarise(study, { points, baseline: 0 }, [], runs, "paired");

    for (const name of ["y", "z"]) {
      const [base, ...others] = swept.map(({ outcomes: at }) => at[name]);
      expect(base).toMatchObject({ difference: null, adjustedP: null });
      expect(others.map((one) => one?.adjustedP)).toEqual(
        holmAdjusted(others.map((one) => one?.difference?.p ?? null)),
      );
      expect(others[0]?.adjustedP).toBeGreaterThan(others[0]?.difference?.p ?? 1);
    }
  });

  it("[ST26] widens intervals so that all of them hold at once", () => {
    expect(confidenceOfEach(5, 0.95)).toBeCloseTo(0.99, 12);
    expect(confidenceOfEach(0, 0.95)).toBe(0.95);
  });
});

describe("violations", () => {
  it("[ST27] bounds the probability of what never happened", () => {
    near(
      [violationBound(0, 30), violationBound(0, 100)],
      [0.09503385285530411, 0.02951304960703993],
      12,
    );
    expect(violationBound(2, 30)).toBeCloseTo(0.19532604365492595, 12);
    expect(violationBound(3, 3)).toBe(1);
    expect(violationBound(0, 1000)).toBeLessThan(3 / 1000);
  });
});

describe("folding", () => {
  it("[ST28] folds by point and replicate, so that whoever finished first changes no bit", () => {
    const results = Array.from({ length: 60 }, (_, index) => ({
      point: index % 3,
      replicate: Math.floor(index / 3),
      value: Math.sin(index) * 1e6,
    }));
    const moments = (order: typeof results) =>
      momentsOf(inFoldingOrder(order).map(({ value }) => value));

    expect(moments(results.toReversed())).toEqual(moments(results));
    const first = inFoldingOrder(results.toReversed()).slice(0, 21).at(-1);
    // Of the first point come all twenty replicates before another point.
    expect(first).toMatchObject({ point: 1, replicate: 0 });
    expect(momentsOf([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])).toEqual({
      n: 4,
      mean: 1e9 + 10,
      squares: 90,
    });
  });
});

describe("means of shares", () => {
  const high = [1, 1, 1, 1, 1, 1, 1, 0.9, 1, 0.8];

  it("[ST23] have intervals within 0 … 1, and their differences within -1 … 1", () => {
    const mean = valuesInterval(high, "within");
    expect(valuesInterval(high, "number").high).toBeGreaterThan(1);
    expect(mean).toMatchObject({ high: 1, doubt: null, method: "mean of shares, t" });
    expect(mean.low).toBe(valuesInterval(high, "number").low);

    const pairs = high.map((value, at): [number, number] => [at % 9 === 0 ? 1 : 0, value]);
    expect(pairsInterval(pairs, "number").high).toBeGreaterThan(1);
    expect(pairsInterval(pairs, "within").high).toBe(1);
    const back = pairs.map(([one, other]): [number, number] => [other, one]);
    expect(pairsInterval(back, "within").low).toBe(-1);
    const [base, point] = [pairs.map(([one]) => one), high];
    expect(plainDifference(base, point, "within").high).toBeLessThanOrEqual(1);
  });

  it("[ST23] have one where all values are alike: what happens seldom is missed by so many runs", () => {
    const none = new Array(10).fill(0);
    const pairs = none.map((value): [number, number] => [value, value]);

    expect(valuesInterval(none, "number")).toMatchObject({ doubt: "noVariance", high: null });
    const wilson = proportionInterval(0, 10);
    expect(bounds(valuesInterval(none, "within"))).toEqual([0, wilson.low, wilson.high]);
    expect(pairsInterval(pairs, "within")).toMatchObject({ doubt: null, estimate: 0 });
    expect(bounds(pairsInterval(pairs, "within"))).toEqual(bounds(pairsInterval(pairs, "share")));
    expect(valuesInterval([0.5], "within").doubt).toBe("tooFew");
  });

  it("[ST22] so many runs make a share so sure, and one fewer does not", () => {
    const half = (share: number, n: number) => {
      const { low, high: most } = proportionInterval(share * n, n);
      return ((most ?? 0) - (low ?? 0)) / 2;
    };
    for (const share of [0.5, 0.25]) {
      const n = runsFor(share, 0.05);
      expect(half(share, n)).toBeLessThanOrEqual(0.05);
      expect(half(share, n - 1)).toBeGreaterThan(0.05);
    }
    expect(runsFor(0.5, 0.05)).toBe(381);
    expect(missedBelow(10)).toBeCloseTo(1 - 0.05 ** 0.1, 12);
    expect(missedBelow(59)).toBeLessThan(0.05);
    expect(missedBelow(58)).toBeGreaterThan(0.05);
  });
});

it.each([
  // Of scipy 1.17, stats.t.ppf.
  [1 - 1e-7, 1e5, 5.199701988462917],
  [1e-8, 1e6, -5.6120468343692815],
  [0.975, 1e7, 1.959964221767205],
  [1e-12, 1e9, -7.034483914083288],
])(
  "[ST20] Student's t at %d with %d degrees of freedom is near the normal one",
  (at, freedom, t) => {
    expect(tQuantile(at, freedom)).toBeCloseTo(t, 12);
    // Where both forms hold they agree.
    expect(tQuantile(0.975, 1e5)).toBeCloseTo(tQuantile(0.975, 1e5 - 1), 8);
  },
);
