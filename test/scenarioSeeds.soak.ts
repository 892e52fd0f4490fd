// `npm run soak`: each seed of those that SPEC VB19 names.
import { expect, it } from "vitest";
import { missedOn, ONCE_MISSED, SEEDS } from "./scenarioSeeds.ts";

it.each(Object.keys(ONCE_MISSED))("[VB19] %s shows what it says on every seed", async (name) => {
  const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);

  expect(await missedOn(name, seeds)).toEqual([]);
});
