// Golden recordings of this version's rules, one for each scenario and variant.
import { existsSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { readBundle } from "../src/edges/bundleReader.ts";
import { listScenarios, loadScenario } from "../src/edges/scenarioFile.ts";
import { replay } from "../src/replay.ts";

const goldens = existsSync("recordings") ? readdirSync("recordings").sort() : [];

it("[VB10] every scenario and every variant has a golden recording", () => {
  const wanted = listScenarios().flatMap(({ name, file }) => [
    name,
    ...Object.keys(loadScenario(file).scenario.variants).map((variant) => `${name}-${variant}`),
  ]);

  expect(goldens, "npm run record makes what is missing").toEqual(wanted.sort());
});

it.each(goldens)("[VB10] %s replays", { timeout: 120_000 }, (name) => {
  const { matches, difference } = replay(readBundle(`recordings/${name}`));

  const advice =
    `recordings/${name} no longer replays. If the rules were changed on purpose, raise RULES_VERSION ` +
    "in src/bundle.ts, run `npm run record`, and say in CHANGELOG.md what is different.\n" +
    `First difference: ${JSON.stringify(difference, null, 2)}`;
  expect(matches, advice).toBe(true);
});
