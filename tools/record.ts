/**
 * `npm run record`: makes every golden recording again, one for each scenario and each variant, and
 * says what changed. A golden is what `run` leaves, without what can be derived from it.
 */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { builtIn } from "../src/builtIn/lists.ts";
import { readBundle } from "../src/edges/bundle/bundleReader.ts";
import { FILES } from "../src/edges/bundle/bundleWriter.ts";
import { recordRun } from "../src/edges/play/recordRun.ts";
import { loadScenario } from "../src/edges/scenario/scenarioFile.ts";
import { listScenarios } from "../src/edges/scenario/scenarioFolder.ts";
import { type Manifest, RULES_VERSION } from "../src/run/bundle.ts";

const KEPT: readonly string[] = [FILES.manifest, FILES.inputs];

async function recordAll(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const made: string[] = [];
  for (const { file } of listScenarios()) {
    const { scenario, text } = loadScenario(builtIn, file);
    for (const variant of [null, ...Object.keys(scenario.variants)]) {
      const name = variant === null ? scenario.name : `${scenario.name}-${variant}`;
      const { seed } = scenario;
      const rest = { seed, set: {}, untilMs: null, withLog: false };
      await replace(join(folder, name), (fresh) =>
        recordRun(builtIn, { scenario, text, variant, ...rest, folder: fresh }),
      );
      made.push(name);
    }
  }
  for (const name of readdirSync(folder).filter((one) => !made.includes(one))) {
    rmSync(join(folder, name), { recursive: true });
    console.log(`${name}: removed, there is no such scenario or variant any more`);
  }
}

/** Records beside the old golden and swaps the two, so that a kill leaves one of them whole. */
async function replace(golden: string, record: (folder: string) => Promise<unknown>) {
  const before = existsSync(golden) ? finalOf(golden) : undefined;
  const fresh = mkdtempSync(`${golden}.new-`);
  await record(fresh);
  for (const file of readdirSync(fresh)) if (!KEPT.includes(file)) rmSync(join(fresh, file));
  rmSync(golden, { recursive: true, force: true });
  renameSync(fresh, golden);
  console.log(`${golden}: ${changed(before, finalOf(golden))}`);
}

type Summary = Pick<Manifest, "rulesVersion"> & Partial<Manifest["final"]> & { text?: string };

function finalOf(golden: string): Summary {
  try {
    const { rulesVersion, final, scenario } = readBundle(builtIn, golden).manifest;
    return { rulesVersion, text: scenario.sha256, ...final };
  } catch {
    return { rulesVersion: 0 };
  }
}

function changed(before: Summary | undefined, now: Summary): string {
  const counts = `${now.envelopes} deliveries, ${now.inputs?.lines} inputs, ${now.outcome}`;
  if (before === undefined) return `new, ${counts}`;
  if (before.digest === undefined) return `in place of one that could not be read, ${counts}`;
  if (before.digest === now.digest) {
    if (before.text !== now.text) return "goes as it went, the scenario's text changed";
    const isAlike = isDeepStrictEqual(before.checkpoints, now.checkpoints);
    return isAlike ? "as it was" : "goes as it went, what its actors remember changed";
  }
  const forgot =
    before.rulesVersion === RULES_VERSION && before.text === now.text
      ? "; the scenario is the same, so raise RULES_VERSION in src/run/bundle.ts and record again"
      : "";
  return `goes differently: ${before.envelopes} deliveries then, now ${counts}${forgot}`;
}

const { values } = parseArgs({ options: { to: { type: "string", default: "recordings" } } });
await recordAll(values.to);
