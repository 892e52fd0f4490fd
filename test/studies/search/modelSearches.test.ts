// Searches that go by a model of all values so far, on functions whose least value is known.

import { describe, expect, it } from "vitest";
import { chosen, improvementSearch } from "../../../src/studies/search/expectedImprovement.ts";
import { parzenSearch } from "../../../src/studies/search/parzen.ts";
import type { PlaceSearch } from "../../../src/studies/search/placeSearch.ts";
import { namedRandom } from "../../../src/substrate/random.ts";

const bowl = ([a = 0, b = 0]: readonly number[]): number =>
  (a - 0.3) * (a - 0.3) + 100 * (b - 0.7) * (b - 0.7);
/** Two valleys, of which the narrow one is deeper. */
const valleys = ([a = 0]: readonly number[]): number =>
  Math.min(4 * (a - 0.75) * (a - 0.75), 10 * (a - 0.15) * (a - 0.15) - 0.1);

function least(search: PlaceSearch, of: (place: readonly number[]) => number, count: number) {
  let best = Number.POSITIVE_INFINITY;
  for (let at = 0; at < count; ) {
    const values = search.ask().map(of);
    at += values.length;
    best = Math.min(best, ...values);
    search.tell(values);
  }
  return best;
}

const seeds = [1, 2, 3, 4];
const SEARCHES = [
  { name: "expected improvement", begin: improvementSearch, count: 30, near: 1e-3 },
  { name: "Parzen estimators", begin: parzenSearch, count: 100, near: 0.1 },
];

describe.each(SEARCHES)("$name", ({ begin, count, near }) => {
  it("[ST266] finds the bottom of a bowl a hundred times as steep along one coordinate", () => {
    for (const seed of seeds) {
      expect(least(begin({ dimensions: 2, seed }), bowl, count)).toBeLessThan(near);
    }
  });

  it("[ST266] finds the deeper of two valleys", () => {
    for (const seed of seeds) {
      expect(least(begin({ dimensions: 1, seed }), valleys, count)).toBeLessThan(-0.05);
    }
  });

  it("[ST266] begins with places of a sequence, asks the same until it is told, then for one", () => {
    const search = begin({ dimensions: 7, seed: 1 });
    const first = search.ask();

    expect(first).toHaveLength(14);
    expect(begin({ dimensions: 2, seed: 1 }).ask()).toHaveLength(10);
    expect(search.ask()).toBe(first);
    search.tell(first.map(() => null));
    expect(search.ask()).toHaveLength(1);
  });
});

it("[ST266] of more than 200 values a fit takes the best hundred and a hundred that are drawn", () => {
  const known = (count: number) =>
    Array.from({ length: count }, (_, value) => ({ place: [value / count], value }));
  const taken = (count: number) =>
    chosen(known(count), namedRandom(1).at("test", "chosen", 0)).map(({ value }) => value ?? -1);

  expect(taken(200)).toEqual(known(200).map(({ value }) => value));
  expect(taken(201)).toHaveLength(200);
  expect(taken(400).slice(0, 100)).toEqual(known(100).map(({ value }) => value));
  const drawn = taken(400).slice(100);
  expect(new Set(drawn).size).toBe(100);
  expect([Math.min(...drawn) >= 100, Math.max(...drawn) > 250]).toEqual([true, true]);
});
