// How much of a box a front dominates.
import { describe, expect, it } from "vitest";
import { goalBox, hypervolume } from "../../../src/studies/search/hypervolume.ts";
import { uniforms } from "../statistics/testFunctions.ts";

const unit = (goals: number) => ({
  worst: new Array<number>(goals).fill(0),
  best: new Array<number>(goals).fill(1),
});
const greatest = (goals: number) => new Array<"maximise">(goals).fill("maximise");

describe("hypervolume", () => {
  it("[ST235] is the area of steps, whichever way a goal goes, and of one point its box", () => {
    const steps = [
      [0.25, 1],
      [0.5, 0.5],
      [1, 0.25],
    ];
    const least = steps.map(([x = 0, y = 0]) => [x, -y]);

    expect(hypervolume(steps, greatest(2), unit(2))).toBeCloseTo(0.25 + 0.125 + 0.125, 12);
    expect(
      hypervolume(least, ["maximise", "minimise"], { worst: [0, 0], best: [1, -1] }),
    ).toBeCloseTo(0.5, 12);
    expect(hypervolume([[0.5, 0.5, 0.5, 0.5]], greatest(4), unit(4))).toBe(0.0625);
    expect(hypervolume([], greatest(2), unit(2))).toBe(0);
  });

  it("[ST235] a goal that does not vary counts as reached", () => {
    const flat = [
      [0.5, 3],
      [0.25, 3],
    ];

    expect(hypervolume(flat, greatest(2), goalBox(flat, greatest(2)))).toBe(1);
  });

  it("[ST236] what lies outside of the box counts as its edge", () => {
    expect(hypervolume([[2, 0.5]], greatest(2), unit(2))).toBe(0.5);
    expect(
      hypervolume(
        [
          [-1, 0.5],
          [0.5, 0.25],
        ],
        greatest(2),
        unit(2),
      ),
    ).toBe(0.125);
    expect(hypervolume([[-1, -1]], greatest(2), unit(2))).toBe(0);
  });

  it("[ST235] of three and four goals is the share of points at random that some point is beyond", () => {
    const next = uniforms(8, "hypervolume");
    for (const goals of [3, 4]) {
      const points = Array.from({ length: 12 }, () => unit(goals).worst.map(next));
      const drawn = Array.from({ length: 20_000 }, () => unit(goals).worst.map(next));
      const hit = drawn.filter((one) =>
        points.some((point) => point.every((value, at) => value >= (one[at] ?? 0))),
      );
      const share = hypervolume(points, greatest(goals), unit(goals));

      expect(Math.abs(share - hit.length / drawn.length)).toBeLessThan(0.015);
    }
  });

  it("[ST235] has the worst and best of each goal for its box, and counts what lies outside as its edge", () => {
    const goals = ["maximise", "minimise"] as const;
    const box = goalBox(
      [
        [1, 5],
        [3, 2],
      ],
      goals,
    );

    expect(box).toEqual({ worst: [1, 5], best: [3, 2] });
    expect(hypervolume([[9, 3.5]], goals, box)).toBe(0.5);
    expect(hypervolume([[0, 2]], goals, box)).toBe(0);
  });
});
