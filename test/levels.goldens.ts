// `npm run goldens`: every golden replays and is the same played bare, and so are a hundred worlds.
import { it } from "vitest";
import { goldens } from "./golden.ts";
import { expectBareAlike, expectWorldAlike } from "./levels.ts";

it.each(goldens)(
  "[VB10] [VB19] [VB28] [KN26] %s replays, shows what it says, counts alike, and is the same played bare",
  expectBareAlike,
);

it("[KN26] a hundred random worlds are the same full and bare", () => {
  for (let seed = 0; seed < 100; seed++) expectWorldAlike(seed);
});
