import { expect, it, vi } from "vitest";
import { missedOn, ONCE_MISSED } from "./scenarioSeeds.ts";

vi.setConfig({ testTimeout: 120_000 });

it.each(Object.entries(ONCE_MISSED))(
  "[VB19] %s shows what it says on seeds that once missed it",
  async (name, seeds) => {
    expect(await missedOn(name, seeds)).toEqual([]);
  },
);
