import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BILLION,
  cosineOf,
  nearestInPool,
  similarityPenalty,
} from "../../../../src/machines/synt/score/reward.ts";
import { policyWith } from "../../../builtIn.ts";

const policy = policyWith({}).synt.reward;
const vectors = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
  minLength: 4,
  maxLength: 4,
});

describe("similarity", () => {
  it("[SN6] is the cosine: 1 for the same direction, 0 for none", () => {
    expect(cosineOf([1, 2], [2, 4])).toBe(BILLION);
    expect(cosineOf([1, 0], [0, 3])).toBe(0);
    expect(cosineOf([1, 0], [-2, 0])).toBe(-BILLION);
    expect(cosineOf([0, 0], [1, 1])).toBe(0);
    expect(cosineOf([1, 1], [1, 0])).toBe(707_106_781);
    expect(() => cosineOf([1], [1, 2])).toThrow(RangeError);
  });

  it("[SN6] is symmetric and never beyond one", () => {
    fc.assert(
      fc.property(vectors, vectors, (a, b) => {
        expect(cosineOf(a, b)).toBe(cosineOf(b, a));
        expect(Math.abs(cosineOf(a, b))).toBeLessThanOrEqual(BILLION);
      }),
    );
  });

  it("[SN6] the nearest of the pool decides the penalty, the first of equals", () => {
    const pool = [
      { name: "far", embedding: [0, 1] },
      { name: "near", embedding: [3, 4] },
      { name: "equal", embedding: [6, 8] },
    ];

    const nearest = nearestInPool([4, 3], pool);

    expect(nearest).toEqual({ name: "near", cosine: 960_000_000 });
    expect(similarityPenalty(nearest?.cosine ?? 0, policy)).toEqual([1, 1]);
    expect(nearestInPool([1], [])).toBeNull();
  });
});
