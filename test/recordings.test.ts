// Golden recordings: all are there and of the scenarios as they stand; those that `npm test` has time
// for are replayed. `npm run goldens` replays all of them.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { listScenarios, scenarioText } from "../src/edges/scenario/scenarioFolder.ts";
import { loadScenario } from "./builtInScenarios.ts";
import { expectGolden, goldens, goldensTested } from "./golden.ts";

it("[VB10] every scenario and every variant has a golden recording", () => {
  const wanted = listScenarios().flatMap(({ name, file }) => [
    name,
    ...Object.keys(loadScenario(file).scenario.variants).map((variant) => `${name}-${variant}`),
  ]);

  expect(goldens, "npm run record makes what is missing").toEqual(wanted.sort());
});

it("[VB10] every golden was made from the scenario as it stands", () => {
  const texts = new Map(listScenarios().map(({ name, file }) => [name, scenarioText(file).text]));

  const stale = goldens.filter((golden) => {
    const { scenario } = JSON.parse(readFileSync(`recordings/${golden}/manifest.json`, "utf8"));
    return scenario.text !== texts.get(scenario.name);
  });

  expect(stale, "npm run record makes them again").toEqual([]);
});

it("[VB10] most scenarios are replayed here, and some are longer", () => {
  expect(goldensTested.length).toBeGreaterThan(40);
  expect(goldensTested.length).toBeLessThan(listScenarios().length);
});

it.each(goldensTested)(
  "[VB10] [VB19] [VB28] %s replays, shows what it says, and counts alike in report and metrics",
  (name) => {
    expectGolden(name);
  },
);
