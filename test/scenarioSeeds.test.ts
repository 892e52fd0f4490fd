import { expect, it } from "vitest";
import { missedOn, ONCE_MISSED } from "./scenarioSeeds.ts";

it.each(Object.entries(ONCE_MISSED))(
  "[VB19] %s shows what it says on seeds that once missed it",
  async (name, seeds) => {
    expect(await missedOn(name, seeds)).toEqual([]);
  },
);
