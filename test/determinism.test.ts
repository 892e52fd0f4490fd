// The same scenario, seed and policy give the same digests wherever they are played.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { readBundle } from "../src/edges/bundleReader.ts";
import { listScenarios, loadScenario } from "../src/edges/scenarioFile.ts";
import type { PolicyValue } from "../src/machines/policy.ts";
import { minutes } from "../src/machines/units.ts";
import { simulate } from "../src/simulate.ts";
import { recordedRun } from "./recordedRun.ts";

const timeout = 240_000;
const run = promisify(execFile);

interface Place {
  readonly node?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** The digests of every scenario and variant, from a process of its own. */
async function digestsIn({ node = [], args = [], env = {} }: Place): Promise<string[]> {
  const { stdout } = await run(process.execPath, [...node, "tools/digests.ts", ...args], {
    env: { ...process.env, ...env },
  });
  return stdout.trim().split("\n");
}

const far = { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };
const development = ["--conditions=development"];

it("[VB11] whole runs: XState's development build, far away, gives the digests of the goldens", {
  timeout,
}, async () => {
  // Variants are played afresh in the test below, and all of them from their goldens.
  const there = await digestsIn({ node: development, args: ["--plain"], env: far });

  const goldens = listScenarios().map(({ name }) => {
    const { final } = readBundle(`recordings/${name}`).manifest;
    return final?.digest;
  });
  expect(there.map((line) => line.split(" ").at(-1)).sort()).toEqual(goldens.sort());
  expect(new Set(goldens).size).toBe(goldens.length);
  expect(goldens.length).toBeGreaterThan(5);
});

it("[VB11] first 32 minutes: fresh, in a worker thread, and again with another locale", {
  timeout,
}, async () => {
  // One with files only, one in which agents write real Python.
  const args = ["--until", "32m", "--only", "safe-file-executor", "--only", "reload-window"];
  const fresh = digestsIn({ args });
  const inWorker = digestsIn({ args: [...args, "--worker"], env: { TZ: "America/St_Johns" } });
  await Promise.all([fresh, inWorker]);
  const env = { LANG: "ar_EG.UTF-8", TZ: "Asia/Kathmandu" };
  const elsewhere = digestsIn({ args, env });

  expect([await inWorker, await elsewhere]).toEqual([await fresh, await fresh]);
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
