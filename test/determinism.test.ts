// The same scenario, seed and policy give the same digests wherever they are played.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PolicyValue } from "../src/contract/policyTree.ts";
import { minutes } from "../src/machines/units.ts";
import { simulate } from "./builtIn.ts";
import { loadScenario, readBundle } from "./builtInScenarios.ts";
import { digestsIn, ELSEWHERE, FAR } from "./digestsElsewhere.ts";
import { recordedRun } from "./recordedRun.ts";

/** Some of each part that acts, so many deliveries of each. `.ci/run` plays every scenario elsewhere, and whole. */
const SOME = [
  "install-no-hosts",
  "lesson-pins",
  "lock-feedback",
  "null-stub",
  "skill-cdata-leak",
  "synt-format-json",
  "synt-naming",
  "tools-by-name",
];
const DELIVERIES = 200;

it("[VB11] XState's development build far away, and a worker thread elsewhere, give the same digests", async () => {
  const shortened = SOME.flatMap((name) => ["--only", name]);
  shortened.push("--deliveries", String(DELIVERIES));
  const [far, elsewhere] = await Promise.all([
    digestsIn(FAR, ...shortened),
    digestsIn(ELSEWHERE, ...shortened),
  ]);

  expect(far).toEqual(elsewhere);
  expect(far.map(({ name }) => name)).toEqual(SOME);
  expect(new Set(far.map(({ digest }) => digest)).size).toBe(far.length);
  // What is over by then ended as its golden did.
  const whole = far.filter(({ outcome }) => outcome === "ended");
  expect(whole.length).toBeGreaterThan(0);
  for (const { name, digest } of whole) {
    expect(digest).toBe(readBundle(`recordings/${name}`).manifest.final?.digest);
  }
});

it("[VB11] twice in one process", () => {
  const { scenario } = loadScenario("safe-file-executor");
  const options = { untilMs: minutes(5) };

  expect(simulate(scenario, options).digest).toBe(simulate(scenario, options).digest);
});

const digestWith = (set: { readonly [path: string]: PolicyValue }) =>
  simulate(loadScenario("safe-file-executor").scenario, { set, untilMs: minutes(4) }).digest;

it.each([
  ["model.cpuMs", 31_000],
  ["daemon.downMs", 1_000],
  ["ghosts.crossCycleFailures", 7],
])("[VB14] %s plays no role here, and changes nothing but the manifest", async (path, value) => {
  const set = { [path]: value };
  const [plain, changed] = await Promise.all([recordedRun(), recordedRun({ set })]);

  const manifests = [plain, changed].map(({ folder }) =>
    JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")),
  );
  expect(changed.observed.result.digest).toBe(plain.observed.result.digest);
  expect(manifests[1]).toEqual({
    ...manifests[0],
    policy: { ...manifests[0].policy, ...set },
    seal: expect.not.stringMatching(manifests[0].seal),
  });
});

it.each([
  ["model.gpuMs", 7_000],
  ["engine.callMs", 1_001],
])("[VB14] %s plays a role, and changes the digest", (path, value) => {
  expect(digestWith({ [path]: value })).not.toBe(digestWith({}));
});
