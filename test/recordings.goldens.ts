// `npm run goldens`: every golden under XState in place of tables. Under tables: levels.goldens.ts.
import { expect, it } from "vitest";
import { expectGolden, goldens, goldensTested } from "./golden.ts";

it("[VB10] there are more than `npm test` replays", () => {
  expect(goldens.length).toBeGreaterThan(goldensTested.length);
});

it.each(goldens)("[KN20] [VB10] %s replays under XState itself", (name) => {
  expectGolden(name, "xstate");
});
