/**
 * Prints `scenario variant seed digest` for every scenario and variant: what must be the same in
 * every process, thread, time zone, locale and Node. `--worker` plays them in a worker thread,
 * `--until 35m` ends them earlier, `--deliveries N` after so many deliveries, `--only NAME`
 * (repeatable) leaves the other scenarios out, `--plain` the variants. `--recorded` plays nothing, and
 * prints what the golden recordings ended with.
 */

import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { builtIn } from "../src/builtIn/lists.ts";
import type { Scenario } from "../src/contract/scenario.ts";
import { readManifest } from "../src/edges/bundle/bundleReader.ts";
import { DURATION_ALLOWED, parseDuration } from "../src/edges/duration.ts";
import { playJob } from "../src/edges/pool/playJob.ts";
import { lazySandbox } from "../src/edges/python/sandboxPort.ts";
import { loadScenario } from "../src/edges/scenario/scenarioFile.ts";
import { listScenarios } from "../src/edges/scenario/scenarioFolder.ts";
import { lazyShell } from "../src/edges/shell/shellProcess.ts";

interface Order {
  readonly until: string;
  readonly deliveries?: string;
  readonly only: readonly string[];
  readonly plain: boolean;
}

async function digests({ until, deliveries, only, plain }: Order): Promise<string[]> {
  const untilMs = parseDuration(until);
  if (untilMs === undefined) throw new Error(`--until: ${DURATION_ALLOWED}`);
  const sandbox = lazySandbox({ kind: "pyodide" });
  const shell = lazyShell();
  const lines: string[] = [];
  for (const { name: listed, file } of listScenarios()) {
    if (only.length > 0 && !only.includes(listed)) continue;
    const scenario = shortened(loadScenario(builtIn, file).scenario, deliveries);
    const { name, seed } = scenario;
    const variants = plain ? [] : Object.keys(scenario.variants);
    for (const variant of [null, ...variants]) {
      const settings = { scenario, set: {}, untilMs, level: "recorded" } as const;
      const { result } = await playJob(builtIn, settings, { variant, seed }, sandbox, shell);
      lines.push(`${name} ${variant ?? "-"} ${seed} ${result.outcome} ${result.digest}`);
    }
  }
  await Promise.all([sandbox.close(), shell.close()]);
  return lines;
}

/** The same of the goldens. */
function recordedDigests({ only, plain }: Order): string[] {
  const wanted = listScenarios().filter(({ name }) => only.length === 0 || only.includes(name));
  return wanted.flatMap(({ file }) => {
    const { name, variants } = loadScenario(builtIn, file).scenario;
    return [null, ...(plain ? [] : Object.keys(variants))].map((variant) => {
      const golden = variant === null ? name : `${name}-${variant}`;
      const { seed, final } = readManifest(builtIn.parts, `recordings/${golden}`);
      return `${name} ${variant ?? "-"} ${seed} ${final?.outcome} ${final?.digest}`;
    });
  });
}

/** A bound of its own ends a run exactly there, and changes nothing before. */
const shortened = (scenario: Scenario, deliveries: string | undefined): Scenario =>
  deliveries === undefined
    ? scenario
    : { ...scenario, limits: { ...scenario.limits, envelopes: Number(deliveries) } };

if (!isMainThread) {
  parentPort?.postMessage(await digests(workerData));
} else {
  const {
    worker = false,
    recorded = false,
    ...order
  } = parseArgs({
    options: {
      until: { type: "string", default: "3650d" },
      deliveries: { type: "string" },
      worker: { type: "boolean" },
      only: { type: "string", multiple: true, default: [] },
      plain: { type: "boolean", default: false },
      recorded: { type: "boolean", default: false },
    },
  }).values;
  if (recorded) console.log(recordedDigests(order).join("\n"));
  else if (worker) {
    const thread = new Worker(new URL(import.meta.url), { workerData: order });
    thread.once("message", (lines: string[]) => console.log(lines.join("\n")));
    thread.once("error", (error) => {
      throw error;
    });
  } else console.log((await digests(order)).join("\n"));
}
