import fc from "fast-check";
import { expect, it } from "vitest";
import { latinHypercube } from "../../../src/studies/sample/cubePoints.ts";
import { SEED_MAX } from "../../../src/substrate/random.ts";

it("[ST123] a Latin hypercube hits each stratum of each dimension once", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 6 }),
      fc.nat(SEED_MAX),
      (count, dimensions, seed) => {
        const points = latinHypercube(count, dimensions, seed);

        for (let at = 0; at < dimensions; at += 1) {
          const strata = points.map((point) => Math.floor((point[at] ?? 0) * count));
          expect(strata.sort((a, b) => a - b)).toEqual([...points.keys()]);
        }
      },
    ),
  );
});

it("[ST123] dimensions are shuffled by themselves: one more shifts none of the others", () => {
  const three = latinHypercube(20, 3, 5);

  expect(latinHypercube(20, 2, 5)).toEqual(three.map((point) => point.slice(0, 2)));
  expect(three.map(([one]) => one)).not.toEqual(three.map(([, other]) => other));
  expect(three.map(([, one]) => one)).not.toEqual(three.map(([, , other]) => other));
});
