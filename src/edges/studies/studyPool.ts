/**
 * Threads that play the runs of a study, each a few at a time, as they are handed out: unlike the jobs of pool.ts
 * they have leases, and a run that ends its thread must be known by name.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { RunFacts } from "../../studies/study.ts";
import { PartThrew, SandboxFailed } from "../errors.ts";
import type { Family } from "../play/family.ts";
import type { StudyHost, StudyWorld } from "./runKey.ts";
import type { Threw, Told } from "./servedRuns.ts";
import type { FamilyRuns } from "./studyPlayer.ts";

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

/** One thread, which starts when it is first to be ready, and again after a run that ended it. */
export class PlayThread<Run, Facts> {
  readonly #file: URL;
  readonly #share: object;
  #worker: Worker | undefined;
  #started: Promise<Worker> | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  /** `file` calls `serveRuns`; `share` is what all its runs have in common, as plain data. */
  constructor(file: URL, share: object) {
    this.#file = file;
    this.#share = share;
  }

  /** Once all code is loaded. Throws what keeps the thread from playing any run. */
  async ready(): Promise<void> {
    this.#started ??= this.#start();
    await this.#started;
  }

  /** One at a time. Throws WorkerDied where the run ended its thread, and what keeps the thread from playing any. */
  async play(run: Run): Promise<Facts> {
    this.#started ??= this.#start();
    const worker = await this.#started;
    const told = await answerOf<Facts>(worker, () => worker.postMessage(run)).catch(
      (error: unknown) => {
        // It says why before it is gone; the next run is not to be given to it.
        this.#started = undefined;
        throw new WorkerDied(error instanceof Error ? error.message : String(error));
      },
    );
    if (told === "ready") throw new Error("a thread is ready once");
    if ("threw" in told) throw errorOf(told.threw);
    return told.facts;
  }

  /** At once, whatever it plays. */
  async close(): Promise<void> {
    void this.#worker?.terminate();
    await this.#ended;
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#file, { workerData: this.#share });
    this.#worker = worker;
    // One that fails between two runs must not end the process.
    worker.on("error", () => {});
    this.#ended = new Promise((resolve) =>
      worker.on("exit", () => {
        if (this.#worker === worker) this.#started = undefined;
        resolve(undefined);
      }),
    );
    await answerOf(worker, () => {});
    return worker;
  }
}

/** A thread that plays the runs of one study, a family at a time. */
export class StudyThread extends PlayThread<FamilyRuns, Family<RunFacts>> {
  constructor(share: StudyWorld & StudyHost) {
    super(workerFile, share);
  }
}

/** The next thing that a thread says to what it is asked. Rejects where it ends instead. */
const answerOf = <Facts>(worker: Worker, ask: () => void): Promise<Told<Facts>> =>
  new Promise((resolve, reject) => {
    const over = (): void =>
      void worker.off("message", onMessage).off("error", onError).off("exit", onExit);
    const onMessage = (told: Told<Facts>): void => {
      over();
      resolve(told);
    };
    const onError = (error: unknown): void => {
      over();
      reject(error);
    };
    const onExit = (code: number): void => onError(new Error(`its thread ended, code ${code}`));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    ask();
  });

function errorOf({ message, tag, facts }: Threw): Error {
  if (facts === undefined) return new Error(message);
  return new (tag === "SandboxFailed" ? SandboxFailed : PartThrew)(facts);
}
