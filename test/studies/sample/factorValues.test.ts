// Which value of a factor stands at a place between 0 and 1.
import { expect, it } from "vitest";
import {
  drawnValue,
  levelValue,
  levelValues,
  valueAt,
  valueCount,
} from "../../../src/studies/sample/factorValues.ts";
import type { Factor, ListFactor, NumberFactor } from "../../../src/studies/study.ts";

const number = (given: Partial<NumberFactor> = {}): NumberFactor => ({
  ...{ kind: "number", name: "x", low: 1, high: 12, step: 3, isLog: false, ...given },
});
const list = (weights?: readonly number[]): ListFactor => ({
  ...{ kind: "list", name: "x", values: ["a", "b", "c"], isOrdered: false },
  ...(weights && { weights }),
});
const log = number({ high: 1_000, step: 1, isLog: true });
const drawn = (factor: Factor, ...places: readonly number[]) =>
  places.map((place) => drawnValue(factor, place));

it("[ST129] a drawn number is on its steps, from the first to the last within its bounds", () => {
  expect(valueCount(number())).toBe(4);
  expect(valueCount(number({ high: 10 }))).toBe(4);
  expect(valueCount(number({ high: 9 }))).toBe(3);
  expect(drawn(number(), 0, 0.2499, 0.25, 0.75, 0.9999, 1)).toEqual([1, 1, 4, 10, 10, 10]);
});

it("[ST129] a logarithmic one is the last step whose logarithm, to the step after the last, is not beyond", () => {
  // The root of 1,001 is 31.6.
  expect(drawn(log, 0, 0.5, 0.9999, 1)).toEqual([1, 31, 1_000, 1_000]);
  expect(drawn(number({ low: 2, high: 4, step: 2, isLog: true }), 0.63, 0.64)).toEqual([2, 4]);
});

it("[ST130] a value of a list is as likely as any other, or by its weight", () => {
  expect(drawn(list(), 0, 0.33, 0.34, 0.67, 1)).toEqual(["a", "a", "b", "c", "c"]);
  expect(drawn(list([1, 0, 3]), 0, 0.24, 0.25, 0.99, 1)).toEqual(["a", "a", "c", "c", "c"]);
  expect(drawn(list([1, 3, 0]), 1)).toEqual(["b"]);
  expect(() => valueAt(list() as Factor, 3)).toThrow("a list of 3 has no rank 3");
});

it("[ST230] a drawn number with a distribution is the nearest step, within both bounds", () => {
  const mode = number({ shape: { kind: "triangular", mode: 12 } });
  const wide = number({ shape: { kind: "normal", mean: 6, deviation: 1_000 } });

  // The root of a share of the width: 2.46, 2.54.
  expect(drawn(mode, 0, 0.0176, 0.0192, 1)).toEqual([1, 1, 4, 10]);
  expect(drawn(wide, 0, 0.5, 1)).toEqual([1, 7, 10]);
});

it("[ST125] levels are evenly spread, of a logarithmic factor by logarithms, low and high among them", () => {
  expect([0, 0.5, 1].map((level) => levelValue(number(), level))).toEqual([1, 7, 10]);
  expect(levelValues(number(), 3)).toEqual([1, 7, 10]);
  expect(levelValues(number(), 9)).toEqual([1, 4, 7, 10]);
  expect(levelValues(number({ high: 1 }), 3)).toEqual([1]);
  expect(levelValues(log, 4)).toEqual([1, 10, 100, 1_000]);
  expect(levelValue(log, 0.5)).toBe(32);
  expect(levelValues(list(), 2)).toEqual(["a", "b", "c"]);
  expect([0, 0.5, 1].map((level) => levelValue(list(), level))).toEqual(["a", "b", "c"]);
});
