/** Plays many runs on all cores. Results come in the order of the jobs, whichever worker was faster. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Played, PlayJob, PlayWork } from "./playWorker.ts";

/** In a checkout Node runs the TypeScript; in the package it is compiled. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./playWorker.ts" : "./playWorker.js",
  import.meta.url,
);

/** Ours: each holds a whole world and all code. */
export const THREADS_MAX = 8;

export interface PlayOptions {
  readonly onDone?: (done: number) => void;
  /** Ends early; what is done by then is returned. */
  readonly signal?: AbortSignal;
  /** How many workers; one for each core when absent. */
  readonly threads?: number;
}

export async function playAll(
  work: PlayWork,
  jobs: readonly PlayJob[],
  { onDone, signal, threads = Math.min(THREADS_MAX, availableParallelism()) }: PlayOptions = {},
): Promise<readonly Played[]> {
  const results: (Played | undefined)[] = jobs.map(() => undefined);
  let next = 0;
  let done = 0;
  const play = async (): Promise<void> => {
    if (next >= jobs.length || signal?.aborted) return;
    const worker = new Worker(workerFile, { workerData: work });
    try {
      while (next < jobs.length && !signal?.aborted) {
        const index = next++;
        results[index] = await answerOf(worker, jobs[index] as PlayJob, signal);
        onDone?.(++done);
      }
    } finally {
      await ended(worker);
    }
  };
  await Promise.all(Array.from({ length: threads }, play));
  return results.filter((one) => one !== undefined);
}

/** Ours: how long a worker may take to close its sandbox. */
const END_MS = 2_000;

/** Lets the worker close what it has opened, and ends it in any case. */
async function ended(worker: Worker): Promise<void> {
  const gone = new Promise((resolve) => void worker.once("exit", resolve));
  const late = setTimeout(() => void worker.terminate(), END_MS);
  worker.postMessage(null);
  await gone;
  clearTimeout(late);
}

/** Undefined when the signal came first. */
const answerOf = (
  worker: Worker,
  job: PlayJob,
  signal: AbortSignal | undefined,
): Promise<Played | undefined> =>
  new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    signal?.addEventListener("abort", stop, { once: true });
    worker.once("error", reject);
    worker.once("message", (played: Played) => {
      worker.off("error", reject);
      signal?.removeEventListener("abort", stop);
      resolve(played);
    });
    worker.postMessage(job);
  });
