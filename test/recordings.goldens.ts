// `npm run goldens`: the goldens that `npm test` leaves out, so that both together replay them all; and all
// of them once more under XState in place of tables.
import { expect, it } from "vitest";
import { expectGolden, goldens, goldensLeft } from "./golden.ts";

it("[VB10] there are such", () => {
  expect(goldensLeft.length).toBeGreaterThan(0);
});

it.each(goldensLeft)(
  "[VB10] [VB19] [VB28] %s replays, shows what it says, and counts alike",
  (name) => expectGolden(name),
);

it.each(goldens)("[KN20] [VB10] %s replays under XState itself", (name) => {
  expectGolden(name, "xstate");
});
