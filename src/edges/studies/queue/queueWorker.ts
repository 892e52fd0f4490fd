/** Plays runs that a queue hands out, until it is told to stop: in threads, so that leases are renewed meanwhile. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Tried } from "../../../run/causes/trial.ts";
import type { RunFacts } from "../../../studies/study.ts";
import type { Family } from "../../play/family.ts";
import type { TrialFamily } from "../../pool/trialPlayer.ts";
import { TrialThread } from "../../pool/trialPool.ts";
import { packed } from "../keptFacts.ts";
import { type StudyHost, sha256 } from "../runKey.ts";
import type { FamilyRuns } from "../studyPlayer.ts";
import { type PlayThread, StudyThread, WorkerDied } from "../studyPool.ts";
import { queueAddress } from "./queueAddress.ts";
import { type Elsewhere, QueueDatabase, type Taken } from "./queueDatabase.ts";
import { DEATHS_MAX, differs } from "./queuedRuns.ts";
import { jobOf, nameOf, type QueuedRun, type QueueJob } from "./queueJob.ts";

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
/** Ours: how long nothing is played until that is said, and how often one looks again for whom runs wait. */
const SAID_AFTER_MS = 2_000;
const SAID_AGAIN_MS = 30_000;

/** Of a code, as messages show it. */
export const CODE_CHARS = 12;

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
  #unasked: NodeJS.Timeout | undefined;
  #said = "";

  constructor(database: QueueDatabase, options: QueueWorkOptions) {
    this.#database = database;
    this.#options = options;
  }

  async work(): Promise<number> {
    const { signal, workers } = this.#options;
    const stop = (): void => this.#stop.abort();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    this.#waits();
    await Promise.all(Array.from({ length: workers }, () => this.#lane()));
    signal.removeEventListener("abort", stop);
    this.#waitsNoMore();
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
        await this.#playJob(thread, taken);
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
    await sleep(TRY_AFTER_MS);
    return true;
  }

  async #playJob(thread: WorldThread, { text }: Taken): Promise<void> {
    const job = jobOf(text, this.#options.code);
    if (job === undefined) throw new Error("A job that its keys do not vouch for was left out.");
    this.#busy += 1;
    this.#waitsNoMore();
    try {
      await this.#play(thread, job);
    } finally {
      this.#busy -= 1;
      this.#waits();
    }
  }

  async #play(thread: WorldThread, job: QueueJob): Promise<void> {
    let missing = job;
    try {
      // An earlier worker may have kept some just before it was killed, and another study may have asked for them.
      const keys = job.map(({ key }) => key);
      const known = (await this.#database.results(keys, keys.length)).map(({ key }) => key);
      const [first, ...others] = job.filter(({ key }) => !known.includes(key));
      if (first === undefined) return;
      missing = [first, ...others];
      await this.#keep(missing, await thread.play(missing));
    } catch (error) {
      if (!(error instanceof WorkerDied)) {
        this.#failed(error);
        throw error;
      }
      if (missing.length === 1) await this.#died(missing[0], error);
      else await this.#playApart(thread, missing);
    }
  }

  /** So that the one that ends its thread is known. */
  async #playApart(thread: WorldThread, job: QueueJob): Promise<void> {
    const ends: PromiseSettledResult<void>[] = [];
    for (const one of job) {
      if (this.#failure !== undefined) break;
      ends.push(...(await Promise.allSettled([this.#play(thread, [one])])));
    }
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async #keep(job: QueueJob, came: readonly unknown[]): Promise<void> {
    for (const [place, run] of job.entries()) {
      const result = JSON.stringify(came[place]);
      const differing = await this.#database.keep(run.key, packed(result), sha256(result));
      if (differing !== undefined) {
        this.#failed(differs(differing, run, this.#options.code));
        return;
      }
      this.#played += 1;
      this.#options.onDone(this.#played);
    }
  }

  /** What it throws uses up an attempt. */
  async #died(run: QueuedRun, error: WorkerDied): Promise<void> {
    await this.#database.died(run.key, error.message);
    const isGivenUp = (await this.#database.deaths(run.key)).length >= DEATHS_MAX;
    if (!isGivenUp) throw error;
    this.#options.onTrouble(`given up: ${nameOf(run)} ends its thread: ${error.message}`);
  }

  #failed(error: unknown): void {
    this.#failure ??= { error };
    this.#stop.abort();
  }

  #waits(): void {
    const { idleMs } = this.#options;
    if (this.#busy > 0 || this.#stop.signal.aborted) return;
    this.#waitsNoMore();
    this.#unasked = setTimeout(() => void this.#sayWaiting(), SAID_AFTER_MS);
    if (idleMs !== undefined) this.#idle = setTimeout(() => this.#stop.abort(), idleMs);
  }

  #waitsNoMore(): void {
    clearTimeout(this.#unasked);
    clearTimeout(this.#idle);
  }

  /** A worker of another version would wait for ever, without a word. */
  async #sayWaiting(): Promise<void> {
    const elsewhere = await this.#database.elsewhere(this.#options.code).catch(() => []);
    if (this.#busy > 0 || this.#stop.signal.aborted) return;
    this.#unasked = setTimeout(() => void this.#sayWaiting(), SAID_AGAIN_MS);
    const text = waitingText(elsewhere);
    if (text !== this.#said) this.#options.onTrouble(text);
    this.#said = text;
  }
}

function waitingText(elsewhere: readonly Elsewhere[]): string {
  if (elsewhere.length === 0) return "nothing to play: waiting";
  const each = elsewhere.map(({ code, runs }) => `${runs} for code ${code.slice(0, CODE_CHARS)}`);
  const list = each.join(", ");
  return `nothing to play: waiting. Of studies of other code, runs wait there: ${list}. Only workers of the same version of ghostlight, Node and parts play them.`;
}

/** A thread that starts anew where the next run is of another world. */
class WorldThread {
  readonly #host: StudyHost;
  #thread: PlayThread<FamilyRuns | TrialFamily, Family<RunFacts> | readonly Tried[]> | undefined;
  #world = "";

  constructor({ sandbox, cache, partFiles, interpreter }: StudyHost) {
    this.#host = { sandbox, cache, partFiles, interpreter };
  }

  async play(job: QueueJob): Promise<readonly (RunFacts | Tried)[]> {
    const [first, ...others] = job;
    const isOfStudy = "run" in first;
    const world = JSON.stringify(isOfStudy ? first.world : first.search);
    if (this.#thread === undefined || world !== this.#world) {
      await this.#thread?.close();
      this.#thread = isOfStudy
        ? new StudyThread({ ...first.world, ...this.#host })
        : new TrialThread({ ...first.search, ...this.#host });
      this.#world = world;
    }
    const came = await this.#thread.play(
      isOfStudy
        ? [first.run, ...others.flatMap((one) => ("run" in one ? [one.run] : []))]
        : [first.trial, ...others.flatMap((one) => ("trial" in one ? [one.trial] : []))],
    );
    return "facts" in came ? came.facts : came;
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}
