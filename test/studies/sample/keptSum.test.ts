import fc from "fast-check";
import { expect, it } from "vitest";
import { randomSequence, taken } from "../../../src/studies/sample/cubePoints.ts";
import { keptSum } from "../../../src/studies/sample/keptSum.ts";

const place = fc.integer({ min: 0, max: 0xffffffff }).map((bits) => bits / 0x1_0000_0000);

it("[ST132] each number is within its bound, and the sum is exact", () => {
  const bounded = fc
    .array(fc.nat(2000), { minLength: 1, maxLength: 12 })
    .chain((bounds) =>
      fc.tuple(fc.constant(bounds), fc.nat(bounds.reduce((a, b) => a + b, 0)), fc.array(place)),
    );

  fc.assert(
    fc.property(bounded, ([bounds, sum, places]) => {
      const numbers = keptSum(bounds, sum)(places);

      expect(numbers.reduce((a, b) => a + b, 0)).toBe(sum);
      numbers.forEach((number, at) => {
        expect(number >= 0 && number <= (bounds[at] ?? 0)).toBe(true);
      });
    }),
  );
});

it.each([
  { bounds: [3, 4, 2, 5], sum: 6 },
  { bounds: [3, 4, 2, 5], sum: 11 },
  { bounds: [1, 9, 1], sum: 8 },
])("[ST132] each combination is equally likely: $bounds with the sum $sum", ({ bounds, sum }) => {
  const draw = keptSum(bounds, sum);
  const counts = new Map<string, number>();
  for (const places of taken(randomSequence(bounds.length - 1, 1), 40_000)) {
    const name = draw(places).join();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  expect(counts.size).toBe(combinations(bounds, sum));
  const even = 40_000 / counts.size;
  // Five standard deviations.
  for (const count of counts.values()) expect(Math.abs(count - even)).toBeLessThan(5 * even ** 0.5);
});

const combinations = ([bound = 0, ...rest]: readonly number[], sum: number): number =>
  rest.length === 0
    ? Number(sum >= 0 && sum <= bound)
    : Array.from({ length: bound + 1 }, (_, own) => combinations(rest, sum - own)).reduce(
        (a, b) => a + b,
        0,
      );
