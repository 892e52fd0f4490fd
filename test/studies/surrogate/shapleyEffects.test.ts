// How the variance of a function is shared out among its factors.
import { expect, it } from "vitest";
import { shapleyValues } from "../../../src/studies/statistics/shapley.ts";
import { shapleyEffects } from "../../../src/studies/surrogate/shapleyEffects.ts";

/** Places from −1 to 1, whose variance is a third. */
const even = Array.from({ length: 200 }, (_, at) => (2 * at + 1) / 200 - 1);
/** What 256 pairs of rows leave to chance. */
const NEAR = 0.02;
const columns = (count: number) => Array.from({ length: count }, () => even);

it("[ST265] of an additive function they are the shares of its variance", () => {
  const found = shapleyEffects(columns(3), ([a = 0, b = 0, c = 0]) => 3 * a - 2 * b + c, 1);

  [9 / 14, 4 / 14, 1 / 14].forEach((share, at) => {
    expect(Math.abs((found?.[at] ?? 9) - share)).toBeLessThan(NEAR);
  });
  expect(found?.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
});

it("[ST265] what two make together they share alike, and what does nothing has nothing", () => {
  // Variances of 1/3 and, of the product, 1/9.
  const found = shapleyEffects(columns(4), ([a = 0, b = 0, c = 0]) => a + b * c, 1);

  [3 / 4, 1 / 8, 1 / 8].forEach((share, at) => {
    expect(Math.abs((found?.[at] ?? 9) - share)).toBeLessThan(NEAR);
  });
  expect(found?.[3]).toBe(0);
  expect(shapleyEffects(columns(2), () => 5, 1)).toBeNull();
});

it("[ST265] of many factors drawn orders come to the same, of kinds too", () => {
  const kinds = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? "calm" : "wild"));
  const weights = [3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0];
  const found = shapleyEffects<number | string>(
    [...columns(11), kinds],
    (row) =>
      weights.reduce((sum, weight, at) => sum + weight * Number(row[at]), 0) +
      (row[11] === "wild" ? 2 : 0),
    1,
  );
  // A kind's variance is 1, a place's a third.
  const whole = (9 + 4 + 1) / 3 + 1;

  [9, 4, 1].forEach((square, at) => {
    expect(Math.abs((found?.[at] ?? 9) - square / 3 / whole)).toBeLessThan(NEAR);
  });
  expect(Math.abs((found?.[11] ?? 9) - 1 / whole)).toBeLessThan(NEAR);
  expect(found?.slice(3, 11)).toEqual(weights.slice(3));
});

it("[ST265] over all sets they are the mean over all orders", () => {
  const worth = [0, 3, 1, 7, 2, 4, 9, 12];
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  const gained = (player: number): number =>
    orders.reduce((sum, order) => {
      const before = order
        .slice(0, order.indexOf(player))
        .reduce((set, one) => set | (1 << one), 0);
      return sum + (worth[before | (1 << player)] ?? 0) - (worth[before] ?? 0);
    }, 0) / orders.length;

  shapleyValues(3, worth).forEach((share, player) => {
    expect(share).toBeCloseTo(gained(player), 12);
  });
});

it("[ST265] of ten factors all sets are asked for, of eleven not", () => {
  const asked = (count: number): number => {
    let calls = 0;
    shapleyEffects(
      columns(count),
      ([a = 0]) => {
        calls += 1;
        return a;
      },
      1,
    );
    return calls / 256;
  };

  expect(asked(10)).toBeGreaterThanOrEqual(2 ** 10 - 1);
  expect(asked(11)).toBeLessThan(2 ** 10 - 1);
});
