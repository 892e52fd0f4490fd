import { expect, it } from "vitest";
import { randomSequence, taken } from "../../../src/studies/sample/cubePoints.ts";

it("[ST124] each dimension is drawn evenly, from a stream of its own", () => {
  const points = taken(randomSequence(3, 9), 4000);

  expect(taken(randomSequence(2, 9), 4000)).toEqual(points.map((point) => point.slice(0, 2)));
  // No dimension tells of another.
  const alike = points.filter(([x = 0, y = 0]) => Math.abs(x - y) < 0.01);
  expect(alike.length).toBeLessThan(160);
  for (const at of [0, 1, 2]) {
    const quarters = [0, 0, 0, 0];
    for (const point of points) {
      const quarter = Math.floor((point[at] ?? 0) * 4);
      quarters[quarter] = (quarters[quarter] ?? 0) + 1;
    }
    // Five standard deviations.
    for (const count of quarters) expect(Math.abs(count - 1000)).toBeLessThan(140);
  }
});
