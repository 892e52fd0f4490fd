// The golden recordings of this version's rules, and how one is judged.

import { existsSync, readdirSync } from "node:fs";
import { expect } from "vitest";
import { variantOf } from "../src/actors/scenario.ts";
import { judge } from "../src/expect.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import type { Interpreter } from "../src/substrate/statechart.ts";
import { meterOf, policyWith, replay } from "./builtIn.ts";
import { readBundle } from "./builtInScenarios.ts";
import { unlikeCounts } from "./countsAlike.ts";

/** One for each scenario and variant. */
export const goldens: readonly string[] = existsSync("recordings")
  ? readdirSync("recordings").sort()
  : [];

/** The longest of them by far. */
const isIncident = (name: string): boolean => name.startsWith("safe-file-executor");

/** As it was, and the variant that answers every write: what `npm test` replays of the incident. */
const INCIDENTS_TESTED = ["safe-file-executor", "safe-file-executor-through-pipeline-stub"];

/** `npm test` replays these, `npm run goldens` the rest. */
export const goldensTested = goldens.filter(
  (name) => !isIncident(name) || INCIDENTS_TESTED.includes(name),
);
export const goldensLeft = goldens.filter((name) => !goldensTested.includes(name));

/** It replays, shows what its scenario expects, and counts alike in report and metrics. */
export function expectGolden(name: string, interpreter: Interpreter = "tables"): void {
  const bundle = readBundle(`recordings/${name}`);
  const { variant } = bundle.manifest;
  const scenario = variantOf(bundle.scenario, variant);
  const meter = meterOf(scenario);
  const deliveries: Delivery[] = [];
  const { matches, difference, virtualMs } = replay(
    bundle,
    (one) => {
      meter.observe(one);
      deliveries.push(one);
    },
    { interpreter },
  );

  const advice =
    `recordings/${name} no longer replays. If the rules were changed on purpose, raise RULES_VERSION ` +
    "in src/bundle.ts, run `npm run record`, and say in CHANGELOG.md what is different.\n" +
    `First difference: ${JSON.stringify(difference, null, 2)}`;
  expect(matches, advice).toBe(true);
  expect(bundle.manifest.final?.outcome).toBe("ended");
  const verdicts = scenario.expect.map((one) => judge(one, meter, virtualMs));
  expect(verdicts.length).toBeGreaterThan(0);
  expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
  const { inputs, manifest } = bundle;
  const policy = policyWith(manifest.policy);
  expect(unlikeCounts({ scenario, policy, deliveries, inputs })).toEqual([]);
}
