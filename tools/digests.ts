/**
 * Prints `scenario variant seed digest` for every scenario and variant: what must be the same in
 * every process, thread, time zone, locale and Node. `--worker` plays them in a worker thread,
 * `--until 35m` ends them earlier.
 */
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { DURATION_ALLOWED, parseDuration } from "../src/edges/duration.ts";
import { listScenarios, loadScenario } from "../src/edges/scenarioFile.ts";
import { simulate } from "../src/simulate.ts";

function digests(until: string): string[] {
  const untilMs = parseDuration(until);
  if (untilMs === undefined) throw new Error(`--until: ${DURATION_ALLOWED}`);
  return listScenarios().flatMap(({ file }) => {
    const { scenario } = loadScenario(file);
    return [null, ...Object.keys(scenario.variants)].map((variant) => {
      const { digest, outcome } = simulate(scenario, { variant, untilMs });
      return `${scenario.name} ${variant ?? "-"} ${scenario.seed} ${outcome} ${digest}`;
    });
  });
}

if (!isMainThread) {
  parentPort?.postMessage(digests(workerData));
} else {
  const { until, worker } = parseArgs({
    options: { until: { type: "string", default: "3650d" }, worker: { type: "boolean" } },
  }).values;
  if (worker) {
    const thread = new Worker(new URL(import.meta.url), { workerData: until });
    thread.once("message", (lines: string[]) => console.log(lines.join("\n")));
    thread.once("error", (error) => {
      throw error;
    });
  } else console.log(digests(until).join("\n"));
}
