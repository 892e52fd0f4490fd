// Factors of which some values are likelier than others.
import { describe, expect, it } from "vitest";
import { drawnValue } from "../../../src/studies/sample/factorValues.ts";
import { pointsOf } from "../../../src/studies/sample/points.ts";
import type {
  DrawnDesign,
  Factor,
  ListFactor,
  NumberFactor,
  Shape,
} from "../../../src/studies/study.ts";

const shaped = (shape: Shape, step = 1): NumberFactor => ({
  ...{ kind: "number", name: "x", low: 0, high: 1_000, step, isLog: false, shape },
});
const { shape: _, ...number } = shaped({ kind: "triangular", mode: 0 });
const SOBOL: DrawnDesign = { kind: "sobol", points: 1_024, isScrambled: true };

function drawn(factor: Factor, design = SOBOL): readonly number[] {
  const made = pointsOf(design, [factor], [], 3, {});
  if ("refused" in made) throw new Error(made.refused);
  return made.rows.map((row) => Number(made.points[row]?.values["x"]));
}
const shareBelow = (values: readonly number[], bound: number) =>
  values.filter((one) => one < bound).length / values.length;

describe("numbers", () => {
  it("[ST230] are drawn from a normal distribution that both bounds cut off", () => {
    const values = drawn(shaped({ kind: "normal", mean: 500, deviation: 100 }));
    const cut = drawn(shaped({ kind: "normal", mean: 0, deviation: 500 }));

    // Φ(−1) and Φ(1.96); then (Φ(.5) − Φ(0)) over (Φ(2) − Φ(0)).
    expect(shareBelow(values, 400)).toBeCloseTo(0.159, 2);
    expect(shareBelow(values, 696)).toBeCloseTo(0.975, 2);
    expect(shareBelow(cut, 250)).toBeCloseTo(0.401, 2);
    expect([Math.min(...cut) >= 0, Math.max(...cut) <= 1_000]).toEqual([true, true]);
  });

  it("[ST230] are drawn from a triangular one, with its mode anywhere, each the nearest step", () => {
    const values = drawn(shaped({ kind: "triangular", mode: 250 }));
    const steps = drawn(shaped({ kind: "triangular", mode: 0 }, 300));

    expect(shareBelow(values, 250)).toBeCloseTo(0.25, 2);
    expect(shareBelow(values, 500)).toBeCloseTo(2 / 3, 2);
    expect([...new Set(steps)].sort((a, b) => a - b)).toEqual([0, 300, 600, 900]);
    // What is drawn below 150 is nearest to 0.
    expect(shareBelow(steps, 300)).toBeCloseTo(1 - 0.85 ** 2, 2);
  });

  it("[ST233] stand at even levels in a grid all the same", () => {
    const morris = { kind: "morris", trajectories: 40, levels: 4 } as const;
    const shapes = [
      { kind: "normal", mean: 500, deviation: 100 },
      { kind: "triangular", mode: 250 },
    ] as const;

    for (const shape of shapes) {
      expect(drawn(shaped(shape), { kind: "grid", levels: 3 })).toEqual([0, 500, 1_000]);
      expect(new Set(drawn(shaped(shape), morris))).toEqual(new Set([0, 333, 667, 1_000]));
    }
    // Of a list each value, also one that is never drawn.
    const list = { kind: "list", name: "x", values: [1, 2, 3], isOrdered: true } as const;
    expect(drawn({ ...list, weights: [0, 1, 3] }, { kind: "grid", levels: 3 })).toEqual([1, 2, 3]);
  });

  it("[ST232] with a distribution keep no exact sum", () => {
    const sum = { weights: { x: 1, y: 1 }, least: 900, most: 900 };
    const shapes = [
      { kind: "triangular", mode: 10 },
      { kind: "normal", mean: 500, deviation: 100 },
    ] as const;
    for (const shape of shapes) {
      const factors = [shaped(shape), { ...number, name: "y" }];
      const made = (most: number) => pointsOf(SOBOL, factors, [{ ...sum, most }], 3, {});

      expect(made(900)).toMatchObject({
        refused: expect.stringContaining("x has a distribution"),
      });
      // Of a sum that has room it is none.
      expect(made(1_800)).toHaveProperty("points");
    }
  });
});

it("[ST231] values of a list are drawn as often as their weights say, and one of no weight never", () => {
  const list: ListFactor = {
    ...{ kind: "list", name: "x", values: [1, 2, 3, 4], isOrdered: true, weights: [3, 0, 1, 0] },
  };
  const values = drawn(list);
  const count = (wanted: number) => values.filter((one) => one === wanted).length;

  expect([1, 2, 3, 4].map(count)).toEqual([768, 0, 256, 0]);
  expect(drawnValue({ ...list, weights: [0, 3, 1, 0] }, 0)).toBe(2);
  expect(drawnValue({ ...list, values: [1, 2], weights: [3, 1] }, 0.7)).toBe(1);
});
