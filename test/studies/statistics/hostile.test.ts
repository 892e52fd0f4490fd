// What an unfriendly statistician tries: values that only rounding tells apart, ties, one pair, none, the edges.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holmAdjusted } from "../../../src/studies/statistics/holm.ts";
import {
  meanInterval,
  pairedInterval,
  plainInterval,
} from "../../../src/studies/statistics/intervals.ts";
import {
  pairsInterval,
  plainProportionInterval,
  proportionInterval,
  violationBound,
} from "../../../src/studies/statistics/proportions.ts";
import { normalQuantile } from "../../../src/studies/statistics/quantiles.ts";
import { stopState } from "../../../src/studies/statistics/stopRule.ts";

const SHIFTED = Array.from({ length: 60 }, (_, r) => [3 * r + 0.7, 3 * r + 0.7 + 0.1] as const);
const none = { low: null, high: null, p: null };

describe("values that only rounding tells apart", () => {
  it("[ST37] have no variance, and so no interval and no probability of zero", () => {
    const noVariance = { ...none, doubt: "noVariance" };
    const thirds = Array.from({ length: 30 }, (_, r) => (r % 2 === 0 ? 0.3 : 0.1 + 0.2));

    expect(new Set(SHIFTED.map(([a, b]) => b - a)).size).toBeGreaterThan(1);
    expect(pairedInterval(SHIFTED)).toMatchObject(noVariance);
    expect(meanInterval(thirds)).toMatchObject({ low: null, high: null, doubt: "noVariance" });
    expect(plainInterval(thirds, thirds)).toMatchObject(noVariance);
  });

  it("[ST37] end no replicates early", () => {
    const rule = { halfWidth: 1, kind: "number", batch: 10, most: 60 } as const;
    const side = (point: 0 | 1) =>
      SHIFTED.map((pair, r) => ({ point, replicate: r, seed: r, value: pair[point] }));

    const most = { replicates: 60, ended: "most" };
    expect(stopState(rule, side(0), [side(1)]).points).toEqual([most]);
    // A share has an interval even where nothing varies.
    const share = { ...rule, kind: "share" } as const;
    const zeros = side(0).map((one) => ({ ...one, value: 0 }));
    expect(stopState(share, zeros, [zeros]).points).toEqual([most]);
    expect(stopState(share, zeros, []).baseline).toEqual(most);
  });

  it("[ST37] are apart by at most 2⁻⁴⁰ of the largest", () => {
    expect(meanInterval([1, 1 - 2 ** -40]).doubt).toBe("noVariance");
    expect(meanInterval([1, 1 - 2 ** -39]).doubt).toBeNull();
    expect(
      pairedInterval([
        [0, 8],
        [0, 8 - 2 ** -37],
      ]).doubt,
    ).toBe("noVariance");
    // Of the largest value, which no difference is.
    expect(
      pairedInterval([
        [2 ** 40, 2 ** 40 + 1],
        [2 ** 40, 2 ** 40 + 1.5],
      ]).doubt,
    ).toBe("noVariance");
    expect(
      pairedInterval([
        [0, 8],
        [0, 8 - 2 ** -36],
      ]).doubt,
    ).toBeNull();
  });

  it("[ST37] are told from small differences that are there", () => {
    const pairs = SHIFTED.map(([a, b], r) => [a, b + (r % 2) * 1e-6] as const);

    expect(pairedInterval(pairs).doubt).toBeNull();
    expect(meanInterval([0, 1e-300]).doubt).toBeNull();
    expect(meanInterval([1e9, 1e9 + 1]).doubt).toBeNull();
  });
});

describe("paired differences", () => {
  it("[ST22] of one pair or none are too few, and of what is no number none are made", () => {
    expect(pairedInterval([[1, 5]])).toMatchObject({ ...none, estimate: 4, doubt: "tooFew" });
    expect(pairedInterval([])).toMatchObject({ ...none, n: 0, doubt: "tooFew" });
    expect(() => pairedInterval([[1, Number.NaN]])).toThrow("a finite number");
    expect(() => meanInterval([1, Number.POSITIVE_INFINITY])).toThrow("a finite number");
  });

  it("[ST21] with ties count them as zeros", () => {
    // Differences 0, 0, 0, 4: mean 1, deviation 2, error 1.
    const found = pairedInterval([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 8],
    ]);

    expect(found.estimate).toBe(1);
    expect((found.high ?? 0) - 1).toBeCloseTo(3.182446305284263, 8);
  });
});

describe("shares at the edges", () => {
  const z = normalQuantile(0.975) ** 2;

  it("[ST23] of none or all of n have Wilson's closed forms", () => {
    for (const n of [1, 2, 30, 1000]) {
      expect(proportionInterval(0, n)).toMatchObject({ estimate: 0, low: 0 });
      expect(proportionInterval(0, n).high).toBeCloseTo(z / (n + z), 12);
      expect(proportionInterval(n, n)).toMatchObject({ estimate: 1, high: 1 });
      expect(proportionInterval(n, n).low).toBeCloseTo(n / (n + z), 12);
    }
  });

  it("[ST24] all against none, Newcombe's bounds are those of both shares together, and at most 1", () => {
    for (const n of [1, 2, 30]) {
      const pairs = Array.from({ length: n }, () => [0, 1] as const);
      const low = 1 - Math.SQRT2 * (z / (n + z));
      const plain = plainProportionInterval(new Array(n).fill(0), new Array(n).fill(1));

      expect(pairsInterval(pairs, "share")).toMatchObject({ estimate: 1, high: 1 });
      expect(pairsInterval(pairs, "share").low).toBeCloseTo(Math.max(-1, low), 12);
      expect(plain.low).toBeCloseTo(Math.max(-1, low), 12);
    }
  });

  it("[ST24] turned about, an interval is the same with its sign changed", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1), fc.nat(1)), { minLength: 1 }), (pairs) => {
        const found = pairsInterval(pairs, "share");
        const turned = pairsInterval(
          pairs.map(([a, b]) => [b, a] as const),
          "share",
        );

        expect(turned.low).toBeCloseTo(-(found.high ?? 0), 12);
        expect(turned.p).toBe(found.p);
        expect(found.low).toBeLessThanOrEqual(found.estimate);
        expect(found.high).toBeGreaterThanOrEqual(found.estimate);
      }),
    );
  });
});

describe("many at once", () => {
  it("[ST26] adjusted probabilities keep the order, are no smaller, and no larger than Bonferroni's", () => {
    const probability = fc.option(fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(fc.array(probability), (ps) => {
        const adjusted = holmAdjusted(ps);
        const tested = ps.flatMap((p, at) =>
          p === null ? [] : [[p, adjusted[at] ?? -1] as const],
        );
        const sorted = tested.toSorted(([a], [b]) => a - b);

        expect(adjusted.map((p) => p === null)).toEqual(ps.map((p) => p === null));
        for (const [at, [p, holm]] of sorted.entries()) {
          expect(holm).toBeGreaterThanOrEqual(sorted[at - 1]?.[1] ?? 0);
          expect(holm).toBeGreaterThanOrEqual(p);
          expect(holm).toBeLessThanOrEqual(Math.min(1, p * ps.length));
        }
      }),
    );
  });
});

describe("violations", () => {
  it("[ST27] the bound of none in n is the closed form, and at it so few are as improbable as said", () => {
    for (const n of [1, 10, 30, 1000]) {
      expect(violationBound(0, n)).toBeCloseTo(1 - 0.05 ** (1 / n), 12);
    }
    // P(at most 1 of 10) at the bound: q¹⁰ + 10 p q⁹ is .05.
    const bound = violationBound(1, 10);
    const rest = 1 - bound;
    expect(rest ** 10 + 10 * bound * rest ** 9).toBeCloseTo(0.05, 10);
    expect(violationBound(0, 0)).toBe(1);
  });
});
