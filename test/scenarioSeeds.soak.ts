// `npm run soak`: each seed of those that SPEC VB19 names.
import { expect, it } from "vitest";
import { missedOn, SEEDS, SHOWN_ON_ALL } from "./scenarioSeeds.ts";

it.each(SHOWN_ON_ALL)("[VB19] %s shows on every seed what it says", async (name) => {
  const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);

  expect(await missedOn(name, seeds)).toEqual([]);
});
