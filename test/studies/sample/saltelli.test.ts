import { expect, it } from "vitest";
import { saltelliPoints, sobolSequence, taken } from "../../../src/studies/sample/cubePoints.ts";

it("[ST128] for each row of a scrambled sequence in 2D dimensions: A, each of B put into A, each of A put into B, B", () => {
  const points = saltelliPoints(8, [0, 1], 11);
  const rows = taken(sobolSequence(4, 11), 8);

  expect(points.length).toBe(8 * 6);
  expect(points).toEqual(
    rows.flatMap(([a1, a2, b1, b2]) => [
      [a1, a2],
      [b1, a2],
      [a1, b2],
      [a1, b2],
      [b1, a2],
      [b1, b2],
    ]),
  );
});

it("[ST128] with three factors, one coordinate at a time is crossed", () => {
  const [row = []] = taken(sobolSequence(6, 2), 1);
  const [a1, a2, a3, b1, b2, b3] = row;

  expect(saltelliPoints(1, [0, 1, 2], 2)).toEqual([
    [a1, a2, a3],
    [b1, a2, a3],
    [a1, b2, a3],
    [a1, a2, b3],
    [a1, b2, b3],
    [b1, a2, b3],
    [b1, b2, a3],
    [b1, b2, b3],
  ]);
});

it("[ST260] with two groups of three factors, one group at a time is crossed", () => {
  const [row = []] = taken(sobolSequence(6, 2), 1);
  const [a1, a2, a3, b1, b2, b3] = row;

  expect(saltelliPoints(1, [0, 1, 0], 2)).toEqual([
    [a1, a2, a3],
    [b1, a2, b3],
    [a1, b2, a3],
    [a1, b2, a3],
    [b1, a2, b3],
    [b1, b2, b3],
  ]);
});
