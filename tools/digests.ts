/**
 * Prints `scenario variant seed digest` for every scenario and variant: what must be the same in
 * every process, thread, time zone, locale and Node. `--worker` plays them in a worker thread.
 */
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { listScenarios, loadScenario } from "../src/edges/scenarioFile.ts";
import { simulate } from "../src/simulate.ts";

function digests(): string[] {
  return listScenarios().flatMap(({ file }) => {
    const { scenario } = loadScenario(file);
    return [null, ...Object.keys(scenario.variants)].map((variant) => {
      const { digest, outcome } = simulate(scenario, { variant });
      return `${scenario.name} ${variant ?? "-"} ${scenario.seed} ${outcome} ${digest}`;
    });
  });
}

if (!isMainThread) {
  parentPort?.postMessage(digests());
} else if (process.argv.includes("--worker")) {
  const worker = new Worker(new URL(import.meta.url));
  worker.once("message", (lines: string[]) => console.log(lines.join("\n")));
  worker.once("error", (error) => {
    throw error;
  });
} else {
  console.log(digests().join("\n"));
}
