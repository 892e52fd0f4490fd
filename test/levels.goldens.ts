// `npm run goldens`: every golden under XState in place of tables, and bare under tables. With both under
// tables: recordings.test.ts for scenarios, `npm run soak` for variants.
import { expect, it } from "vitest";
import { goldens, goldensTested } from "./golden.ts";
import { expectBareAlike, expectWorldAlike } from "./levels.ts";

it("[VB10] there are more than `npm test` replays", () => {
  expect(goldens.length).toBeGreaterThan(goldensTested.length);
});

it.each(goldens)(
  "[VB10] [VB19] [VB28] [KN20] [KN26] %s replays under XState itself, shows what it says, counts alike, and is the same bare under tables",
  (golden) => expectBareAlike(golden, "xstate"),
);

it("[KN26] a hundred random worlds are the same full and bare", () => {
  for (let seed = 0; seed < 100; seed++) expectWorldAlike(seed);
});
