// The level never changes what happens: some scenarios and worlds. `npm run goldens` has all of them.
import { expect, it } from "vitest";
import { goldens } from "./golden.ts";
import { expectBareAlike, expectWorldAlike } from "./levels.ts";

/** Short ones: agents, Python in the sandbox, and synt with its money. */
const SOME = ["lock-feedback", "null-stub", "synt-budget-soft-cap"];

it.each(goldens.filter((name) => SOME.includes(name)))(
  "[KN26] %s played bare is the run of its golden",
  async (golden) => {
    await expectBareAlike(golden);
  },
);

it("[KN26] there are such", () => {
  expect(goldens).toEqual(expect.arrayContaining(SOME));
});

it("[KN26] random worlds are the same full and bare", () => {
  for (let seed = 0; seed < 6; seed++) expectWorldAlike(seed);
});
