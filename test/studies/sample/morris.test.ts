import fc from "fast-check";
import { expect, it } from "vitest";
import { morrisPoints } from "../../../src/studies/sample/cubePoints.ts";
import { factorGroups } from "../../../src/studies/sample/factorGroups.ts";
import { SEED_MAX } from "../../../src/substrate/random.ts";

/** How far one step of a trajectory leads, as a share of the range: p/(2(p − 1)). */
const morrisDelta = (levels: number): number => levels / (2 * (levels - 1));
const alone = (dimensions: number) => Array.from({ length: dimensions }, (_, at) => at);

it("[ST127] each step of a trajectory moves one factor by delta, and each factor moves once", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 8 }),
      fc.nat(SEED_MAX),
      (half, trajectories, dimensions, seed) => {
        const levels = 2 * half;
        const points = morrisPoints({ trajectories, levels }, alone(dimensions), seed);

        expect(points.length).toBe(trajectories * (dimensions + 1));
        for (let from = 0; from < points.length; from += dimensions + 1) {
          const trajectory = points.slice(from, from + dimensions + 1);
          const moved = trajectory.slice(1).flatMap((point, row) =>
            point.flatMap((x, at) => {
              const step = Math.abs(x - (trajectory[row]?.[at] ?? 0));
              if (step === 0) return [];
              expect(Math.abs(step - morrisDelta(levels))).toBeLessThan(1e-12);
              return [at];
            }),
          );
          expect(moved.length).toBe(dimensions);
          expect(new Set(moved).size).toBe(dimensions);
        }
        for (const x of points.flat()) {
          const level = x * (levels - 1);
          expect(Math.abs(level - Math.round(level))).toBeLessThan(1e-9);
          expect(x >= 0 && x <= 1).toBe(true);
        }
      },
    ),
  );
});

it("[ST127] all levels, directions and orders are drawn, evenly", () => {
  const points = morrisPoints({ trajectories: 4000, levels: 4 }, alone(2), 3);
  const at = (row: number) => points.filter((_, index) => index % 3 === row);
  const levels = [0, 1, 2, 3].map((level) => at(0).filter(([x = 0]) => x * 3 === level).length);
  const firstMoves = at(1).filter(([x], index) => x !== at(0)[index]?.[0]).length;

  const starts = at(0);
  const steps = at(1).map(([x = 0, y = 0], index) => {
    const [fromX = 0, fromY = 0] = starts[index] ?? [];
    return Math.abs(x - fromX) + Math.abs(y - fromY);
  });
  expect(Math.max(...steps.map((step) => Math.abs(step - 2 / 3)))).toBeLessThan(1e-12);
  // Five standard deviations.
  for (const count of levels) expect(Math.abs(count - 1000)).toBeLessThan(140);
  expect(Math.abs(firstMoves - 2000)).toBeLessThan(160);
});

it("[ST260] a factor in no group is one by itself, however many there are", () => {
  const factors = ["a", "b", "c", "d"].map(
    (name) => ({ kind: "number", name, low: 0, high: 1, isLog: false, step: 1 }) as const,
  );
  const groups = { both: ["a", "c"] };

  expect(
    factorGroups({ design: { kind: "morris", trajectories: 2, levels: 4, groups }, factors }),
  ).toEqual({ names: ["both", "b", "d"], groupOf: [0, 1, 0, 2] });
});

it("[ST260] a step moves all factors of a group by delta, each up or down by itself", () => {
  const points = morrisPoints({ trajectories: 500, levels: 4 }, [0, 1, 0, 2], 3);
  const steps = points.flatMap((point, index) =>
    index % 4 === 3
      ? []
      : [point.map((x, at) => Math.round(3 * ((points[index + 1]?.[at] ?? 0) - x)) / 2)],
  );
  const moved = steps.map((step) => step.flatMap((by, at) => (by === 0 ? [] : [at])).join());
  const opposed = steps.filter(([a = 0, , c = 0]) => a * c < 0).length;

  expect(points).toHaveLength(2000);
  expect(new Set(steps.flat())).toEqual(new Set([0, -0, 1, -1]));
  for (const group of ["0,2", "1", "3"]) {
    expect(moved.filter((one) => one === group)).toHaveLength(500);
    // Any of them may move first.
    const firsts = moved.filter((one, at) => at % 3 === 0 && one === group).length;
    expect(Math.abs(firsts - 500 / 3)).toBeLessThan(53);
  }
  // Five standard deviations.
  expect(Math.abs(opposed - 250)).toBeLessThan(56);
});
