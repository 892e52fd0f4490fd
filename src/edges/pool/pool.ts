/** Threads that share the jobs of one kind of work: many runs of a scenario, the worlds of a check, or folders of logs. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Sharing, Tried } from "../../run/check/check.ts";
import { endedEarly } from "../exit.ts";
import type { CheckWork } from "./checkWork.ts";
import type { FindWork, FolderFindings } from "./findWork.ts";
import type { PlayJob } from "./playJob.ts";
import type { Played, PlayWork } from "./playWork.ts";
import type { Done, Share, Work } from "./poolWorker.ts";

/** In a checkout Node runs the TypeScript; in the package it is compiled. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./poolWorker.ts" : "./poolWorker.js",
  import.meta.url,
);

/** Ours: each holds a whole world and all code. */
const THREADS_MAX = 8;
/** Ours: a thread takes longer to start than most checks of few worlds. */
const HELP_AFTER_MS = 400;
/** Ours: how long a thread may take to end its job once it is interrupted, or to close its sandbox. */
const END_MS = 2_000;

export interface PoolOptions {
  /** Ends early: no job is taken any more, and those that take long are given up. */
  readonly signal?: AbortSignal | undefined;
  /** How many threads; as many as there are cores for when absent. */
  readonly threads?: number;
  readonly onDone?: ((done: number) => void) | undefined;
}

/** Plays all of them on all cores. Results are in the order of the jobs, whichever thread was faster. */
export const playAll = (
  work: PlayWork,
  jobs: readonly PlayJob[],
  options: PoolOptions = {},
): Promise<readonly Played[]> => doneBy({ kind: "play", ...work, jobs }, jobs.length, options);

/** Reads all folders on all cores, and what is found in each, in their order. */
export const findAll = (
  work: FindWork,
  options: PoolOptions = {},
): Promise<readonly FolderFindings[]> =>
  doneBy({ kind: "find", ...work }, work.folders.length, options);

async function doneBy<T>(
  work: Work,
  count: number,
  { threads = cores(), ...options }: PoolOptions,
): Promise<readonly T[]> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => {
    errors.push(error);
    shared.stop();
  };
  const shared = pool<T>(work, count, options, onError);
  shared.start(Math.min(threads, count));
  const done = await shared.rest();
  for (const error of errors) throw error;
  // A thread that neither failed nor did its job was ended from within, by a part.
  if (done.size < count && !options.signal?.aborted) throw endedEarly();
  return Array.from({ length: count }, (_, at) => done.get(at)).filter((one) => one !== undefined);
}

/**
 * Threads that play worlds of a check beside this one, once it turns out to take some time. A world that fails in
 * one is left to the caller, who plays it again and meets the same error.
 */
export function helpers(
  work: CheckWork,
  {
    threads = cores() - 1,
    afterMs = HELP_AFTER_MS,
    ...options
  }: PoolOptions & { readonly afterMs?: number } = {},
): Sharing {
  const { runs } = work;
  const shared = pool<Tried>({ kind: "check", ...work }, runs, options);
  const startedMs = performance.now();
  return {
    ...shared,
    take: () => {
      const at = shared.take();
      const isLong = at + threads < runs && performance.now() - startedMs >= afterMs;
      if (isLong) shared.start(threads);
      return at;
    },
  };
}

const cores = (): number => Math.min(THREADS_MAX, availableParallelism());

function pool<T>(
  work: Work,
  count: number,
  { signal, onDone }: PoolOptions,
  onError: (error: unknown) => void = () => {},
) {
  const next = new Int32Array(new SharedArrayBuffer(4));
  const results = new Map<number, T>();
  const workers: Worker[] = [];
  const ends: Promise<unknown>[] = [];
  let ownTaken = 0;
  const stop = (): void => {
    const taken = Math.min(Atomics.exchange(next, 0, count), count);
    // Threads that are still starting: to wait until they see that nothing is left takes a second.
    if (taken === ownTaken) for (const worker of workers) void worker.terminate();
  };
  signal?.addEventListener("abort", stop, { once: true });
  const startOne = (): void => {
    const share: Share = { work, count, next };
    const worker = new Worker(workerFile, { workerData: share });
    const endSoon = (): void => void setTimeout(() => void worker.terminate(), END_MS).unref();
    signal?.addEventListener("abort", endSoon, { once: true });
    worker.on("message", (done: Done<T>) => {
      if (done === null) return endSoon();
      results.set(...done);
      onDone?.(results.size);
    });
    worker.on("error", onError);
    workers.push(worker);
    ends.push(new Promise((resolve) => worker.on("exit", resolve)));
  };
  return {
    /** The first time that it is asked. */
    start(threads: number): void {
      const isNeeded = workers.length === 0 && !signal?.aborted;
      for (let more = isNeeded ? threads : 0; more > 0; more--) startOne();
    },
    /** The number of the next job that nobody has taken, for the caller itself. */
    take(): number {
      const at = Atomics.add(next, 0, 1);
      if (at < count) ownTaken++;
      return at;
    },
    done: () => results.size,
    stop,
    /** What was done in other threads, once they are through. */
    rest: () => Promise.all(ends).then((): ReadonlyMap<number, T> => results),
  };
}
