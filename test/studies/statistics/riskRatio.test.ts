// Koopman's interval against his own example, its definition, and what it must cover.

import fc from "fast-check";
import { expect, it } from "vitest";
import { binomialAtMost } from "../../../src/studies/statistics/quantiles.ts";
import { riskRatio } from "../../../src/studies/statistics/riskRatio.ts";
import { Premise } from "../../premise.ts";

it("[FI30] the ratio of two shares has Koopman's interval, as in his own example", () => {
  const { ratio, low, high } = riskRatio({ hits: 36, n: 40 }, { hits: 16, n: 80 });

  expect(ratio).toBeCloseTo(4.5, 12);
  expect(low).toBeCloseTo(2.94, 2);
  expect(high).toBeCloseTo(7.15, 2);
});

it("[FI30] of many it is that of the logarithm", () => {
  const [a, b] = [
    { hits: 30_000, n: 100_000 },
    { hits: 20_000, n: 100_000 },
  ];
  const half = 1.959964 * Math.sqrt(1 / a.hits - 1 / a.n + 1 / b.hits - 1 / b.n);

  const { low, high } = riskRatio(a, b);

  expect(low).toBeCloseTo(1.5 * Math.exp(-half), 4);
  expect(high).toBeCloseTo(1.5 * Math.exp(half), 4);
});

it("[FI31] where a group has none, one side is open, and where neither has any, nothing is said", () => {
  const none = { hits: 0, n: 20 };
  const some = { hits: 5, n: 30 };

  expect(riskRatio(none, some)).toMatchObject({ ratio: 0, low: 0 });
  expect(riskRatio(none, some).high).toBeGreaterThan(0);
  expect(riskRatio(some, none)).toMatchObject({ ratio: null, high: null });
  expect(riskRatio(some, none).low).toBeGreaterThan(0);
  for (const [a, b] of [
    [none, none],
    [{ hits: 0, n: 0 }, some],
    [some, { hits: 0, n: 0 }],
  ] as const) {
    expect(riskRatio(a, b)).toMatchObject({ ratio: null, low: null, high: null });
  }
});

const hits = fc
  .tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 100 }))
  .map(([n, percent]) => ({ n, hits: Math.round((n * percent) / 100) }));

it("[FI30] the ratio lies within its interval, and the groups exchanged give the inverse", () => {
  const areBoth = new Premise();
  const law = fc.property(hits, hits, (a, b) => {
    const { ratio, low, high } = riskRatio(a, b);
    const back = riskRatio(b, a);
    const isBound = low !== null && high !== null && ratio !== null;
    areBoth.holds(isBound && a.hits > 0 && b.hits > 0);
    if (low !== null && ratio !== null) expect(low).toBeLessThanOrEqual(ratio * (1 + 1e-9));
    if (high !== null && ratio !== null) expect(high).toBeGreaterThanOrEqual(ratio * (1 - 1e-9));
    if (a.hits > 0 && b.hits > 0 && low !== null && high !== null) {
      expect(1 / (back.high ?? 0)).toBeCloseTo(low, 6);
      expect((back.low ?? 0) * high).toBeCloseTo(1, 6);
    }
  });

  fc.assert(law);
  areBoth.expectAtLeast(0.5);
});

it("[FI30] it holds the true ratio about as often as it says, in groups of the size of the airline's", () => {
  const chance = (k: number, n: number, p: number): number =>
    binomialAtMost(k, n, p) - binomialAtMost(k - 1, n, p);
  for (const [p, q] of [
    [0.5, 0.25],
    [0.3, 0.3],
    [0.2, 0.4],
  ] as const) {
    let held = 0;
    let told = 0;
    for (let x = 0; x <= 20; x++) {
      for (let y = 0; y <= 30; y++) {
        const { low, high } = riskRatio({ hits: x, n: 20 }, { hits: y, n: 30 });
        if (low === null) continue;
        const weight = chance(x, 20, p) * chance(y, 30, q);
        told += weight;
        if (low <= p / q && (high === null || high >= p / q)) held += weight;
      }
    }
    expect(held / told).toBeGreaterThan(0.935);
    expect(held / told).toBeLessThan(0.97);
  }
});
