// How probable each value of a design is, counted.
import { expect, it } from "vitest";
import { naturalLog } from "../../../src/machines/naturalLog.ts";
import { pointsOf } from "../../../src/studies/sample/points.ts";
import type { Constraint, DrawnDesign, NumberFactor } from "../../../src/studies/study.ts";

const number = (name: string, low: number, high: number, step: number): NumberFactor => ({
  ...{ kind: "number", name, low, high, step, isLog: false },
});

function counts(design: DrawnDesign, factors: NumberFactor[], where: Constraint[] = []) {
  const made = pointsOf(design, factors, where, 5);
  if ("refused" in made) throw new Error(made.refused);
  const found = new Map<string, number>();
  for (const row of made.rows) {
    const { values = {} } = made.points[row] ?? {};
    const key = factors.map(({ name }) => values[name]).join(" ");
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  return found;
}

/** Pearson's statistic, less its mean, in its standard deviations: even draws are within a few. */
function unevenness(
  found: ReadonlyMap<string, number>,
  shares: ReadonlyMap<string, number>,
): number {
  const rows = [...found.values()].reduce((sum, one) => sum + one, 0);
  let sum = 0;
  for (const [key, share] of shares) {
    sum += ((found.get(key) ?? 0) - rows * share) ** 2 / (rows * share);
  }
  const freedom = shares.size - 1;
  return (sum - freedom) / Math.sqrt(2 * freedom);
}

const even = (keys: readonly string[]) => new Map(keys.map((key) => [key, 1 / keys.length]));
const designs = (points: number): readonly DrawnDesign[] => [
  { kind: "random", points },
  { kind: "lhs", points },
  { kind: "sobol", points, isScrambled: true },
];

it("[ST132] weights that sum to .9 are drawn evenly among all combinations, though their bounds differ", () => {
  const bounds = { a: [0, 600], b: [100, 400], c: [200, 900] } as const;
  const factors = Object.entries(bounds).map(([name, [low, high]]) => number(name, low, high, 100));
  const where = [{ weights: { a: 1, b: 1, c: 1 }, least: 900, most: 900 }];
  const steps = (low: number, high: number) =>
    Array.from({ length: (high - low) / 100 + 1 }, (_, at) => low + 100 * at);
  const keys = steps(0, 600).flatMap((a) =>
    steps(100, 400).flatMap((b) => {
      const c = 900 - a - b;
      return c >= 200 && c <= 900 ? [`${a} ${b} ${c}`] : [];
    }),
  );

  expect(keys).toHaveLength(22);
  for (const design of designs(2048)) {
    const found = counts(design, factors, where);
    expect([...found.keys()].toSorted()).toEqual(keys.toSorted());
    expect(unevenness(found, even(keys)), design.kind).toBeLessThan(4);
  }
});

it("[ST131] what a constraint leaves is drawn evenly as well", () => {
  const factors = [number("a", 0, 9, 1), number("b", 0, 9, 1)];
  const where = [{ weights: { a: 1, b: -1 }, least: 0, most: 9 }];
  const keys = Array.from({ length: 10 }, (_, a) =>
    Array.from({ length: a + 1 }, (_one, b) => `${a} ${b}`),
  ).flat();

  const found = counts({ kind: "random", points: 4096 }, factors, where);

  expect(unevenness(found, even(keys))).toBeLessThan(4);
  expect(found.size).toBe(55);
});

it("[ST129] steps, whole numbers and logarithms have the probabilities that are said, the ends among them", () => {
  const stepped = number("a", 3, 31, 4);
  const log: NumberFactor = { ...number("a", 1, 8, 1), isLog: true };
  const widths = new Map(
    Array.from({ length: 8 }, (_, at) => [
      `${at + 1}`,
      naturalLog((at + 2) / (at + 1)) / naturalLog(9),
    ]),
  );

  for (const design of designs(1024)) {
    const steps = ["3", "7", "11", "15", "19", "23", "27", "31"];
    expect(unevenness(counts(design, [stepped]), even(steps)), design.kind).toBeLessThan(4);
    expect(unevenness(counts(design, [log]), widths), design.kind).toBeLessThan(4);
  }
});
