// The golden recordings of this version's rules, and how one is judged.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { variantOf } from "../src/contract/scenario.ts";
import { listScenarios } from "../src/edges/scenario/scenarioFolder.ts";
import type { Observed } from "../src/run/compare.ts";
import { judge } from "../src/run/expect.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import type { Input } from "../src/substrate/port.ts";
import type { Interpreter } from "../src/substrate/statechart.ts";
import { meterOf, policyWith, replay, Story } from "./builtIn.ts";
import { readBundle } from "./builtInScenarios.ts";
import { unlikeCounts } from "./countsAlike.ts";

/** One for each scenario and variant. */
export const goldens: readonly string[] = existsSync("recordings")
  ? readdirSync("recordings").sort()
  : [];

const names = new Set(listScenarios().map(({ name }) => name));

/** Whether a golden is of a scenario as it stands, and not of a variant. */
export const isScenario = (golden: string): boolean => names.has(golden);

/** `npm test` replays the scenarios that take a second; longer ones and variants are left to `npm run goldens`. */
const DELIVERIES_TESTED = 8_000;
export const goldensTested = [...names].flatMap((name) => {
  const manifest = JSON.parse(readFileSync(`recordings/${name}/manifest.json`, "utf8"));
  return manifest.final.envelopes > DELIVERIES_TESTED ? [] : [name];
});

/** What is told of a run on every level. */
export type Told = Pick<Observed, "meter" | "story" | "verdicts"> & {
  readonly result: Pick<Observed["result"], "envelopes" | "virtualMs">;
};

interface Replayed extends Told {
  readonly deliveries: readonly Delivery[];
  readonly inputs: readonly Input[];
}

/** It replays, shows what its scenario expects, and counts alike in report and metrics. */
export function expectGolden(name: string, interpreter: Interpreter = "tables"): Replayed {
  const bundle = readBundle(`recordings/${name}`);
  const { inputs, manifest } = bundle;
  const scenario = variantOf(bundle.scenario, manifest.variant);
  const [meter, story] = [meterOf(scenario), new Story(scenario)];
  const deliveries: Delivery[] = [];
  const result = replay(
    bundle,
    (one) => {
      meter.observe(one);
      story.observe(one);
      deliveries.push(one);
    },
    { interpreter },
  );

  const advice =
    `recordings/${name} no longer replays. If the rules were changed on purpose, raise RULES_VERSION ` +
    "in src/run/bundle.ts, run `npm run record`, and say in CHANGELOG.md what is different.\n" +
    `First difference: ${JSON.stringify(result.difference, null, 2)}`;
  expect(result.matches, advice).toBe(true);
  expect(manifest.final?.outcome).toBe("ended");
  const verdicts = scenario.expect.map((one) => judge(one, meter, result.virtualMs));
  expect(verdicts.length).toBeGreaterThan(0);
  expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
  const policy = policyWith(manifest.policy);
  expect(unlikeCounts({ scenario, policy, deliveries, inputs, meter, story })).toEqual([]);
  return { result, meter, story, verdicts, deliveries, inputs };
}
