/**
 * Threads that play the runs of a study, each one run at a time, as they are handed out: unlike the jobs of pool.ts
 * they have leases, and a run that ends its thread must be known by name.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { RunFacts, RunOf } from "../../studies/study.ts";
import { PartThrew, SandboxFailed } from "../errors.ts";
import type { StudyHost, StudyWorld } from "./runKey.ts";
import type { Threw, Told } from "./studyWorker.ts";

const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./studyWorker.ts" : "./studyWorker.js",
  import.meta.url,
);

/** Ours: each holds a whole world and all code. */
export const WORKERS_MAX = 64;

/** What is used where nobody says how many. */
export const workersHere = (): number => Math.min(8, availableParallelism());

/** Thrown where a run ended its thread. */
export class WorkerDied extends Error {
  override readonly name = "WorkerDied";
}

/** One thread, which starts with its first run, and again after a run that ended it. */
export class StudyThread {
  readonly #share: StudyWorld & StudyHost;
  #worker: Worker | undefined;
  #isReady = false;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(share: StudyWorld & StudyHost) {
    this.#share = share;
  }

  /** One at a time. Throws WorkerDied where the run ended its thread, and what keeps the thread from playing any. */
  play(run: RunOf): Promise<RunFacts> {
    const worker = this.#worker ?? this.#start();
    return new Promise<RunFacts>((resolve, reject) => {
      const over = (): void =>
        void worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      const onMessage = (told: Told): void => {
        if (told === "ready") {
          this.#isReady = true;
          return;
        }
        over();
        if ("facts" in told) resolve(told.facts);
        else reject(errorOf(told.threw));
      };
      const onError = (error: unknown): void => {
        over();
        this.#worker = undefined;
        const why = error instanceof Error ? error.message : String(error);
        reject(this.#isReady ? new WorkerDied(why) : error);
      };
      const onExit = (code: number): void => onError(new Error(`its thread ended, code ${code}`));
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      worker.postMessage(run);
    });
  }

  /** At once, whatever it plays. */
  async close(): Promise<void> {
    void this.#worker?.terminate();
    await this.#ended;
  }

  #start(): Worker {
    const worker = new Worker(workerFile, { workerData: this.#share });
    this.#isReady = false;
    // One that fails between two runs must not end the process.
    worker.on("error", () => {});
    this.#ended = new Promise((resolve) =>
      worker.on("exit", () => {
        if (this.#worker === worker) this.#worker = undefined;
        resolve(undefined);
      }),
    );
    this.#worker = worker;
    return worker;
  }
}

function errorOf({ message, tag, facts }: Threw): Error {
  if (facts === undefined) return new Error(message);
  return new (tag === "SandboxFailed" ? SandboxFailed : PartThrew)(facts);
}
