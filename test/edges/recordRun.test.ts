import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Divergence } from "../../src/edges/errors.ts";
import { folderName } from "../../src/edges/play/recordRun.ts";
import type { Input } from "../../src/substrate/port.ts";
import { policyLeaves, runChanges, simulate } from "../builtIn.ts";
import { recordRun } from "../builtInRuns.ts";
import { deliveriesOf, parseScenario, readBundle } from "../builtInScenarios.ts";
import { smallScenario } from "../cli/smallScenario.ts";
import { newFolder } from "../folders.ts";
import { forge, recordedRun } from "../recordedRun.ts";

const scenario = parseScenario(smallScenario, "small.yaml");
const options = {
  ...{ scenario, text: smallScenario, variant: null, seed: 1, set: {}, untilMs: null },
  withLog: true,
};

it("[VB1] a bundle holds the run: what it was, what came in, what was delivered, how it ended", async () => {
  const folder = newFolder();

  const { observed, deliveries, inputs } = await recordRun({ ...options, folder });

  const { manifest, ...read } = readBundle(folder);
  const { digest, envelopes, virtualMs } = simulate(scenario);
  expect(manifest).toMatchObject({
    scenario: { name: "small", text: smallScenario },
    ...{ variant: null, seed: 1, untilMs: null, origin: "scripted" },
    final: { outcome: "ended", error: null, digest, envelopes, virtualMs },
  });
  expect(Object.keys(manifest.policy)).toEqual(policyLeaves().map(([path]) => path));
  expect(manifest.final?.checkpoints).toHaveLength(Math.floor(envelopes / 1_000));
  expect(read.inputs).toEqual(inputs);
  expect(read.log).toEqual(deliveries.map((one) => JSON.stringify(one)));
  expect(readFileSync(join(folder, "metrics.csv"), "utf8")).toBe(observed.meter.csv());
});

it("[VB1] the same run leaves the same bytes", async () => {
  const folders = [newFolder(), newFolder()];
  for (const folder of folders) await recordRun({ ...options, folder });

  const [one, other] = folders.map((folder) =>
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]),
  );
  expect(other).toEqual(one);
});

it("[VB1] what people read is written before the bundle is sealed", async () => {
  const folder = newFolder();

  await recordRun({
    ...{ ...options, folder, withLog: false },
    texts: async ({ observed }) => {
      expect(readBundle(folder).manifest.final).toBeUndefined();
      return { "report.md": observed.result.outcome };
    },
  });

  expect(readFileSync(join(folder, "report.md"), "utf8")).toBe("ended");
  expect(readdirSync(folder)).not.toContain("events.jsonl");
});

it("[VB8] a failure after the run leaves a bundle without an end", async () => {
  const folder = newFolder();

  const inputs: Input[] = [];
  const onInput = (input: Input) => inputs.push(input);
  const texts = () => Promise.reject(new Error("no picture"));
  await expect(recordRun({ ...options, folder, texts, onInput })).rejects.toThrow("no picture");

  // To the last line, and with no file left open.
  expect(readBundle(folder)).toMatchObject({ partial: true, inputs });
});

it("[VB9] the log is taken as written, or derived from the inputs", async () => {
  const { folder, deliveries } = await recordedRun();

  expect(deliveriesOf(readBundle(folder))).toEqual(deliveries);
  rmSync(join(folder, "events.jsonl"));
  expect(deliveriesOf(readBundle(folder))).toEqual(deliveries);
});

it("[VB9] where the run no longer goes as recorded, nothing is told", async () => {
  const { folder } = await recordedRun({ withLog: false });
  forge(folder, ({ policy }) => ({ policy: { ...policy, "engine.callMs": 1_001 } }));

  expect(() => deliveriesOf(readBundle(folder))).toThrow(Divergence);
});

it("[CL4] a bundle's folder is named after scenario, variant and seed", () => {
  expect(folderName("small", null, 7)).toBe("small-s7");
  expect(folderName("small", "silent", 0)).toBe("small-silent-s0");
});

it("[SB2] a bundle says who reads Python; that is no change of the scenario", async () => {
  const { seed } = scenario;
  const { observed, providers } = await recordRun({ ...options, seed, folder: null });
  const { result, variant } = observed;

  expect(providers["port/python.parse"]).toBe("code that agents wrote: pyodide");
  expect(runChanges(scenario, { seed, result, variant, providers })).toEqual([]);
});
