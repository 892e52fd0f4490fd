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

interface Ended {
  readonly name: string;
  readonly digest: string | undefined;
}

const byName = (a: Ended, b: Ended): number => (a.name < b.name ? -1 : 1);

/** What every scenario ends with in a process of its own. */
async function digestsIn({ node = [], args = [], env = {} }: Place): Promise<readonly Ended[]> {
  const { stdout } = await run(
    process.execPath,
    [...node, "tools/digests.ts", "--plain", ...args],
    {
      env: { ...process.env, ...env },
    },
  );
  const lines = stdout.trim().split("\n");
  return lines
    .map((line) => line.split(" "))
    .map(([name = "", ...rest]) => ({ name, digest: rest.at(-1) }))
    .sort(byName);
}

const far = { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };
// Neither its digits nor its quarter of an hour are ours.
const elsewhere = { TZ: "Asia/Kathmandu", LANG: "ar_EG.UTF-8", LC_ALL: "ar_EG.UTF-8" };
const development = ["--conditions=development"];

/** What the goldens of the scenarios ended with; their variants are replayed in recordings.test.ts. */
const goldens = (): readonly Ended[] =>
  listScenarios()
    .map(({ name }) => ({ name, digest: readBundle(`recordings/${name}`).manifest.final?.digest }))
    .sort(byName);

it("[VB11] whole runs: XState's development build, far away, gives the digests of the goldens", {
  timeout,
}, async () => {
  expect(await digestsIn({ node: development, env: far })).toEqual(goldens());
  expect(new Set(goldens().map(({ digest }) => digest)).size).toBe(goldens().length);
  expect(goldens().length).toBeGreaterThan(5);
});

it("[VB11] whole runs: a worker thread, elsewhere again, gives them too", {
  timeout,
}, async () => {
  // The longest one is played whole above.
  const shorter = goldens().filter(({ name }) => name !== "safe-file-executor");
  const args = ["--worker", ...shorter.flatMap(({ name }) => ["--only", name])];

  expect(await digestsIn({ args, env: elsewhere })).toEqual(shorter);
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
