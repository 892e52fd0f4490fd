// A run with everything it said, and its bundle in a folder that is gone after the tests.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PolicyValue } from "../src/contract/policyTree.ts";
import { minutes } from "../src/machines/units.ts";
import { type Manifest, sealed } from "../src/run/bundle.ts";
import type { Input } from "../src/substrate/port.ts";
import { RecordingWriter } from "../src/substrate/recording.ts";
import { recordRun } from "./builtInRuns.ts";
import { loadScenario } from "./builtInScenarios.ts";
import { newFolder } from "./folders.ts";

export interface RecordedOptions {
  readonly variant?: string;
  readonly seed?: number;
  readonly set?: { readonly [path: string]: PolicyValue };
  readonly untilMs?: number;
  readonly withLog?: boolean;
  readonly onSlice?: (nowMs: number) => boolean;
}

/** The incident's first minutes, recorded. */
export async function recordedRun(options: RecordedOptions = {}) {
  const { scenario, text } = loadScenario("safe-file-executor");
  const { variant = null, seed = scenario.seed, set = {}, withLog = true, onSlice } = options;
  const folder = newFolder();
  const recorded = await recordRun({
    ...{ scenario, text, variant, seed, set, withLog, folder },
    untilMs: options.untilMs ?? minutes(4),
    ...(onSlice && { onSlice }),
  });
  return { folder, ...recorded };
}

/** Changes the manifest of a bundle and seals it again, as a forger would. */
export function forge(folder: string, change: (manifest: Manifest) => object): void {
  const file = join(folder, "manifest.json");
  const { seal: _, ...manifest } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  const changed = { ...manifest, ...change(manifest as Manifest) };
  // What is undefined is omitted.
  const forged = JSON.parse(JSON.stringify(changed)) as Omit<Manifest, "seal">;
  writeFileSync(file, `${JSON.stringify(sealed(forged), null, 2)}\n`);
}

/** Replaces the inputs of a bundle by others, with chain and seal in order. */
export function rechain(folder: string, inputs: readonly Input[]): void {
  const writer = new RecordingWriter();
  writeFileSync(join(folder, "inputs.jsonl"), inputs.map((one) => writer.line(one)).join(""));
  const { lines, head } = writer;
  forge(folder, ({ final }) => (final ? { final: { ...final, inputs: { lines, head } } } : {}));
}
