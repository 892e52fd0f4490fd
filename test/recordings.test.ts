// Golden recordings of this version's rules, one for each scenario and variant: each is replayed, and
// judged by what its scenario expects.
import { existsSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { readBundle } from "../src/edges/bundleReader.ts";
import { listScenarios, loadScenario } from "../src/edges/scenarioFile.ts";
import { judge } from "../src/expect.ts";
import { Meter } from "../src/metrics.ts";
import { replay } from "../src/replay.ts";
import { variantOf } from "../src/scenario.ts";

const goldens = existsSync("recordings") ? readdirSync("recordings").sort() : [];

it("[VB10] every scenario and every variant has a golden recording", () => {
  const wanted = listScenarios().flatMap(({ name, file }) => [
    name,
    ...Object.keys(loadScenario(file).scenario.variants).map((variant) => `${name}-${variant}`),
  ]);

  expect(goldens, "npm run record makes what is missing").toEqual(wanted.sort());
});

it("[VB10] every golden was made from the scenario as it stands", () => {
  const texts = new Map(listScenarios().map(({ name, file }) => [name, loadScenario(file).text]));

  const stale = goldens.filter((golden) => {
    const { name, text } = readBundle(`recordings/${golden}`).manifest.scenario;
    return text !== texts.get(name);
  });

  expect(stale, "npm run record makes them again").toEqual([]);
});

it.each(goldens)(
  "[VB10] [VB19] %s replays, and shows what it says",
  { timeout: 120_000 },
  (name) => {
    const bundle = readBundle(`recordings/${name}`);
    const { variant } = bundle.manifest;
    const scenario = variantOf(bundle.scenario, variant);
    const meter = new Meter(scenario.agents, scenario.synt?.labels);
    const { matches, difference, virtualMs } = replay(bundle, (one) => meter.observe(one));

    const advice =
      `recordings/${name} no longer replays. If the rules were changed on purpose, raise RULES_VERSION ` +
      "in src/bundle.ts, run `npm run record`, and say in CHANGELOG.md what is different.\n" +
      `First difference: ${JSON.stringify(difference, null, 2)}`;
    expect(matches, advice).toBe(true);
    expect(bundle.manifest.final?.outcome).toBe("ended");
    const verdicts = scenario.expect.map((one) => judge(one, meter, virtualMs));
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
  },
);
