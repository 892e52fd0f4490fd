/** Plays runs that a queue hands out, until it is told to stop: each in a thread, so that leases are renewed meanwhile. */
import { packed } from "../packedText.ts";
import { type StudyHost, sha256 } from "../runKey.ts";
import { StudyThread, WorkerDied } from "../studyPool.ts";
import { queueAddress } from "./queueAddress.ts";
import { QueueDatabase, type Taken } from "./queueDatabase.ts";
import { DEATHS_MAX, differs } from "./queuedRuns.ts";
import { jobOf, type QueueJob } from "./queueJob.ts";

export interface QueueWorkOptions extends StudyHost {
  readonly queue: string;
  /** Of the code of this process: see codeHash.ts. */
  readonly code: string;
  readonly workers: number;
  /** Ends after the runs that are being played. */
  readonly signal: AbortSignal;
  /** Ends where there was nothing to play for so long. */
  readonly idleMs?: number | undefined;
  readonly onDone: (played: number) => void;
  readonly onTrouble: (text: string) => void;
}

/** Ours: how long a queue may fail before it is given up, and how often it is tried. */
const FAILS_MAX = 300;
const TRY_AFTER_MS = 1_000;

/** How many runs it played. Throws Divergence, BadInput, and what keeps a thread from playing any run. */
export async function workQueue(options: QueueWorkOptions): Promise<number> {
  const database = await QueueDatabase.open(queueAddress(options.queue), options.onTrouble);
  const worker = new QueueWorker(database, options);
  try {
    return await worker.work();
  } finally {
    await database.close();
  }
}

class QueueWorker {
  readonly #database: QueueDatabase;
  readonly #options: QueueWorkOptions;
  readonly #stop = new AbortController();
  #failure: { readonly error: unknown } | undefined;
  #played = 0;
  #busy = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(database: QueueDatabase, options: QueueWorkOptions) {
    this.#database = database;
    this.#options = options;
  }

  async work(): Promise<number> {
    const { signal, workers } = this.#options;
    const stop = (): void => this.#stop.abort();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    this.#mayIdle();
    await Promise.all(Array.from({ length: workers }, () => this.#lane()));
    signal.removeEventListener("abort", stop);
    clearTimeout(this.#idle);
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#played;
  }

  async #lane(): Promise<void> {
    const thread = new WorldThread(this.#options);
    const { signal } = this.#stop;
    let fails = 0;
    while (!signal.aborted) {
      const waiting = new AbortController();
      const endWaiting = (): void => waiting.abort();
      signal.addEventListener("abort", endWaiting, { once: true });
      const work = async (taken: Taken): Promise<void> => {
        signal.removeEventListener("abort", endWaiting);
        await this.#playOne(thread, taken);
      };
      try {
        await this.#database.take(this.#options.code, work, waiting.signal);
        fails = 0;
      } catch (error) {
        if (!(await this.#goesOn(++fails, error))) break;
      } finally {
        signal.removeEventListener("abort", endWaiting);
      }
    }
    await thread.close();
  }

  /** After what the queue, or a run, threw. */
  async #goesOn(fails: number, error: unknown): Promise<boolean> {
    if (this.#failure !== undefined) return false;
    if (fails > FAILS_MAX) {
      this.#failed(error);
      return false;
    }
    if (fails === 1)
      this.#options.onTrouble(error instanceof Error ? error.message : String(error));
    await new Promise((resolve) => setTimeout(resolve, TRY_AFTER_MS));
    return true;
  }

  async #playOne(thread: WorldThread, { text }: Taken): Promise<void> {
    const job = jobOf(text, this.#options.code);
    if (job === undefined) throw new Error("A job that its key does not vouch for was left out.");
    this.#busy += 1;
    clearTimeout(this.#idle);
    try {
      await this.#keep(thread, job);
    } finally {
      this.#busy -= 1;
      this.#mayIdle();
    }
  }

  async #keep(thread: WorldThread, job: QueueJob): Promise<void> {
    const { key, run } = job;
    try {
      // An earlier worker may have kept it just before it was killed.
      const isKnown = (await this.#database.results([key], 1)).length > 0;
      if (isKnown) return;
      const result = JSON.stringify(await thread.play(job));
      if (!(await this.#database.keep(key, packed(result), sha256(result)))) {
        this.#failed(differs(key));
        return;
      }
      this.#played += 1;
      this.#options.onDone(this.#played);
    } catch (error) {
      if (error instanceof WorkerDied) {
        await this.#database.died(key, error.message);
        const isGivenUp = (await this.#database.deaths(key)).length >= DEATHS_MAX;
        const { point, replicate, seed } = run;
        const which = `the run of point ${point}, replicate ${replicate}, seed ${seed}`;
        if (isGivenUp)
          this.#options.onTrouble(`given up: ${which} ends its thread: ${error.message}`);
        if (isGivenUp) return;
      } else {
        this.#failed(error);
      }
      throw error;
    }
  }

  #failed(error: unknown): void {
    this.#failure ??= { error };
    this.#stop.abort();
  }

  #mayIdle(): void {
    const { idleMs } = this.#options;
    if (idleMs === undefined || this.#busy > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#stop.abort(), idleMs);
  }
}

/** A thread that starts anew where the next run is of another study's world. */
class WorldThread {
  readonly #host: StudyHost;
  #thread: StudyThread | undefined;
  #world = "";

  constructor({ sandbox, cache, partFiles, interpreter }: StudyHost) {
    this.#host = { sandbox, cache, partFiles, interpreter };
  }

  async play({ world, run }: QueueJob) {
    const text = JSON.stringify(world);
    if (this.#thread === undefined || text !== this.#world) {
      await this.#thread?.close();
      this.#thread = new StudyThread({ ...world, ...this.#host });
      this.#world = text;
    }
    return await this.#thread.play(run);
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}
