import { expect, it } from "vitest";
import { cosine } from "../../src/machines/cosine.ts";

it("[SN6] a cosine is 1 in the same direction, −1 in the other, and 0 where there is none", () => {
  expect(cosine([3, 4], [6, 8])).toBe(1);
  expect(cosine([3, 4], [-3, -4])).toBe(-1);
  expect(cosine([1, 0], [0, 2])).toBe(0);
  expect(cosine([3, 4], [4, 3])).toBeCloseTo(0.96, 12);
  expect([cosine([0, 0], [1, 2]), cosine([1, 2], [0, 0]), cosine([], [])]).toEqual([0, 0, 0]);
  expect(() => cosine([1], [1, 2])).toThrow("two embeddings of different lengths");
});
