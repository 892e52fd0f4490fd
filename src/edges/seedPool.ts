/** Plays many seeds on all cores. Results come in the order of the jobs, whoever was faster. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { SeedJob, SeedResult, SeedWork } from "./seedWorker.ts";

/** In a checkout Node runs the TypeScript; in the package it is compiled. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./seedWorker.ts" : "./seedWorker.js",
  import.meta.url,
);

export async function playSeeds(
  work: SeedWork,
  jobs: readonly SeedJob[],
  onDone: (done: number) => void,
): Promise<readonly SeedResult[]> {
  const results = new Array<SeedResult>(jobs.length);
  let next = 0;
  let done = 0;
  const play = async (): Promise<void> => {
    if (next >= jobs.length) return;
    const worker = new Worker(workerFile, { workerData: work });
    try {
      while (next < jobs.length) {
        const index = next++;
        results[index] = await askWorker(worker, jobs[index] as SeedJob);
        onDone(++done);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(8, availableParallelism()) }, play));
  return results;
}

const askWorker = (worker: Worker, job: SeedJob): Promise<SeedResult> =>
  new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (result: SeedResult) => {
      worker.off("error", reject);
      resolve(result);
    });
    worker.postMessage(job);
  });
