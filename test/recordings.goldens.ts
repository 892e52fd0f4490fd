// `npm run goldens`: the goldens that `npm test` leaves out, so that both together replay them all.
import { expect, it } from "vitest";
import { expectGolden, goldensLeft } from "./golden.ts";

it("[VB10] there are such", () => {
  expect(goldensLeft.length).toBeGreaterThan(0);
});

it.each(goldensLeft)(
  "[VB10] [VB19] [VB28] %s replays, shows what it says, and counts alike",
  expectGolden,
);
