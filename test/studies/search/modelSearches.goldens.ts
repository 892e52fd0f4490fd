// More values than a Gaussian process takes.
import { expect, it } from "vitest";
import { improvementSearch } from "../../../src/studies/search/expectedImprovement.ts";
import { uniforms } from "../statistics/testFunctions.ts";

it("[ST266] of more than 200 values the best half of so many and drawn ones lead on to the bottom", () => {
  const noise = uniforms(1, "noise");
  const search = improvementSearch({ dimensions: 1, seed: 1 });
  const asked: number[] = [];
  while (asked.length < 225) {
    const places = search.ask().map(([a = 0]) => a);
    asked.push(...places);
    search.tell(places.map((a) => 4 * (a - 0.3) * (a - 0.3) + noise() / 20));
  }

  // By chance a fifth of them would be.
  const near = asked.slice(201).filter((a) => Math.abs(a - 0.3) < 0.1);
  expect(near.length).toBeGreaterThan(18);
});
