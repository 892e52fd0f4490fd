// `npm run soak`: the level never changes what happens in a thousand worlds.
import { it } from "vitest";
import { expectWorldAlike } from "./levels.ts";

it("[KN26] a thousand random worlds are the same full and bare", () => {
  for (let seed = 1_000; seed < 2_000; seed++) expectWorldAlike(seed);
});
