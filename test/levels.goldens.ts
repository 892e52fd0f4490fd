// `npm run goldens`: every golden bare and with everything, and by what heads its report; scenarios under XState in place of tables.
// Variants under XState, too: `npm run soak`.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { why } from "./builtIn.ts";
import { goldens, goldensTested, isScenario } from "./golden.ts";
import { expectBareAlike, expectWorldAlike } from "./levels.ts";
import { carrying } from "./mail.ts";

/** What went wrong first and mattered, in words, by golden. */
const headlines = JSON.parse(readFileSync("test/headlines.json", "utf8")) as {
  readonly [golden: string]: string;
};
const CHARS_MAX = 140;

it("[VB10] there are more than `npm test` replays", () => {
  expect(goldens.length).toBeGreaterThan(goldensTested.length);
});

it.each(goldens)(
  "[VB10] [VB19] [VB28] [VB56] [KN20] [KN26] %s replays, shows what it says, counts alike, is the same bare, and is headed by what went wrong first",
  async (golden) => {
    const { deliveries, inputs } = await expectBareAlike(
      golden,
      isScenario(golden) ? "xstate" : "tables",
    );

    const told = why(deliveries, inputs);
    const says = told?.first?.says ?? told?.chain[0]?.says ?? "";
    expect(says.slice(0, CHARS_MAX)).toBe(headlines[golden]);
    const ended = carrying(deliveries, "goal.ended");
    const isSymptom = told?.question.startsWith("stressor:") ?? false;
    expect(isSymptom && ended.some(({ event }) => event.status === "abandoned")).toBe(false);
  },
);

it("[KN26] thirty random worlds are the same full and bare; `npm run soak` has a thousand", () => {
  for (let seed = 0; seed < 30; seed++) expectWorldAlike(seed);
});
