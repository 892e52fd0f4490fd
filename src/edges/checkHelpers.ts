/** Other threads that play worlds of a check beside this one, which plays some itself. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Tried } from "../check.ts";
import type { Sharing } from "../checkLines.ts";
import type { CheckShare, CheckWork, TriedWorld } from "./checkWorker.ts";
import { THREADS_MAX } from "./playPool.ts";

/** In a checkout Node runs the TypeScript; in the package it is compiled. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./checkWorker.ts" : "./checkWorker.js",
  import.meta.url,
);

/** Ours: a thread takes longer to start than most checks of few worlds. */
const HELP_AFTER_MS = 400;
/** Ours: how long, once the check is interrupted, a thread may take to end its world. */
const END_MS = 2_000;

export interface HelpOptions {
  /** Ends early: worlds that are being played elsewhere are given up. */
  readonly signal?: AbortSignal;
  /** Besides this thread; one for each other core when absent. */
  readonly threads?: number;
  readonly afterMs?: number;
}

/** Threads start once the check turns out to take some time. A world that fails in one is left to the caller. */
export function helpers(
  work: CheckWork,
  {
    signal,
    threads = Math.min(THREADS_MAX, availableParallelism()) - 1,
    afterMs = HELP_AFTER_MS,
  }: HelpOptions = {},
): Sharing {
  const next = new Int32Array(new SharedArrayBuffer(4));
  const tried = new Map<number, Tried>();
  const startedMs = performance.now();
  let ends: readonly Promise<void>[] | undefined;
  const workers: Worker[] = [];
  let ownTaken = 0;
  const start = (): Promise<void> => {
    const share: CheckShare = { ...work, next };
    const worker = new Worker(workerFile, { workerData: share });
    workers.push(worker);
    worker.on("message", ([at, one]: TriedWorld) => tried.set(at, one));
    const stop = (): void => void setTimeout(() => void worker.terminate(), END_MS).unref();
    signal?.addEventListener("abort", stop, { once: true });
    return new Promise((resolve) => {
      worker.on("error", () => {}); // The caller plays its world again, and meets the same error.
      worker.on("exit", () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      });
    });
  };
  return {
    take: () => {
      const at = Atomics.add(next, 0, 1);
      const isLong = at + threads < work.runs && performance.now() - startedMs >= afterMs;
      if (isLong) ends ??= Array.from({ length: threads }, start);
      if (at < work.runs) ownTaken++;
      return at;
    },
    done: () => tried.size,
    stop: () => {
      const taken = Math.min(Atomics.exchange(next, 0, work.runs), work.runs);
      // Threads that are still starting: to wait until they see that nothing is left takes a second.
      if (taken === ownTaken) for (const worker of workers) void worker.terminate();
    },
    rest: async () => {
      await Promise.all(ends ?? []);
      return tried;
    },
  };
}
