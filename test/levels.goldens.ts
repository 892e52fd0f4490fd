// `npm run goldens`: the level never changes what happens, in any scenario and variant, and in a hundred worlds.
import { it } from "vitest";
import { goldens } from "./golden.ts";
import { expectBareAlike, expectWorldAlike } from "./levels.ts";

it.each(goldens)("[KN26] %s played bare is the run of its golden", expectBareAlike);

it("[KN26] a hundred random worlds are the same full and bare", () => {
  for (let seed = 0; seed < 100; seed++) expectWorldAlike(seed);
});
