// `npm run soak`: every golden, variants too, under tables. Under XState itself: levels.goldens.ts.
import { it } from "vitest";
import { expectGolden, goldens } from "./golden.ts";

it.each(goldens)("[VB10] %s replays under tables", (name) => {
  expectGolden(name);
});
