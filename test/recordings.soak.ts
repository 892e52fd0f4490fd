// `npm run soak`: every golden under what levels.goldens.ts does not replay it: variants under XState itself, scenarios under tables.
import { it } from "vitest";
import { expectGolden, goldens, isScenario } from "./golden.ts";

it.each(goldens)("[VB10] [KN20] %s replays under the other interpreter", (name) => {
  expectGolden(name, isScenario(name) ? "tables" : "xstate");
});
