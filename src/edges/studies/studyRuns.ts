/** The runs of a study: taken from its table or the cache, else played, whoever asks for them and in what order. */
import { groupedBy } from "../../machines/grouped.ts";
import type { RunFacts, RunOf } from "../../studies/study.ts";
import { type Deliveries, FAMILY_MAX } from "../play/family.ts";
import { codeHash } from "./codeHash.ts";
import { keptFacts } from "./keptFacts.ts";
import { type Claimed, playClaimed, playTogether } from "./playClaimed.ts";
import type { QueueJob } from "./queue/queueJob.ts";
import { ReplicateCache } from "./replicateCache.ts";
import { isPlayedApart, runKey, type StudyHost, type StudyWorld } from "./runKey.ts";
import { RunTable } from "./runTable.ts";
import { StudyThread, workersHere } from "./studyPool.ts";

export interface StudyRunsOptions extends StudyHost {
  /** Of the study, which is there. */
  readonly folder: string;
  /** SHA-256 of the study as it was decoded: the folder is no other study's. */
  readonly study: string;
  readonly world: StudyWorld;
  readonly workers?: number | undefined;
  /** Where other machines take them, which then play all of them: `postgres://…`. */
  readonly queue?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** After each run that is over; of those that were asked for and were not yet. */
  readonly onDone?: ((done: number, total: number) => void) | undefined;
  /** Prose on what is done without. */
  readonly onTrouble?: ((text: string) => void) | undefined;
}

/** A run that is over: what was seen of it, or why it ended its worker again and again. */
export type PlayedRun = { readonly facts: RunFacts } | { readonly died: string };

/** How the runs that were asked for came about. */
export interface RunCounts {
  /** Found in the table, of an earlier call of the same command. */
  readonly kept: number;
  /** Found in the cache, of another study. */
  readonly cached: number;
  readonly played: number;
  /** The same as one that this call had asked for, as where a search comes back to a point. */
  readonly again: number;
  /** Of the runs that were played in this process. */
  readonly deliveries: Deliveries;
}

/** Ours: how many runs are offered in one transaction, and held in memory with what the cache knows. */
const OFFERED_AT_ONCE = 200;
/** Ours: how long a run may go on once it is interrupted. */
const END_MS = 2_000;
export class StudyRuns {
  readonly #options: StudyRunsOptions;
  readonly #code: string;
  readonly #table: RunTable;
  readonly #cache: ReplicateCache | undefined;
  readonly #threads: StudyThread[];
  readonly #counts = {
    ...{ kept: 0, cached: 0, played: 0, again: 0 },
    deliveries: { played: 0, spared: 0 },
  };
  /** Keys of all runs that were asked for. */
  readonly #asked = new Set<string>();

  /** Throws what `RunTable` throws. */
  constructor(options: StudyRunsOptions) {
    const { folder, study, world, workers = workersHere() } = options;
    const { sandbox, cache, partFiles = [], interpreter, isApart } = options;
    this.#options = options;
    this.#code = codeHash(partFiles);
    this.#table = new RunTable(folder, { study, code: this.#code });
    // What a part of one's own imports is in no hash: its runs are kept for this study alone.
    if (cache !== null && partFiles.length === 0) {
      this.#cache = new ReplicateCache(cache, (why) =>
        options.onTrouble?.(`runs are played without the cache: ${why}`),
      );
    }
    const share = { ...world, sandbox, cache, partFiles, interpreter, isApart };
    this.#threads = Array.from({ length: workers }, () => new StudyThread(share));
  }

  get counts(): RunCounts {
    return this.#counts;
  }

  /**
   * Plays what is not there yet; runs that are alike once. Whether all are over: false where the signal ended it, and
   * what was played is kept for the next time.
   */
  async play(runs: readonly RunOf[]): Promise<boolean> {
    const { signal, onDone } = this.#options;
    const missing = this.#offered(runs);
    onDone?.(0, missing.size);
    const total = missing.size;
    const onLook = (): void => onDone?.(total - missing.size, total);
    const endSoon = (): void =>
      void setTimeout(() => {
        for (const thread of this.#threads) void thread.close();
      }, END_MS).unref();
    signal?.addEventListener("abort", endSoon, { once: true });
    const { queue } = this.#options;
    const isEnded = (): boolean => signal?.aborted ?? false;
    await (queue === undefined
      ? playClaimed(
          {
            ...{ table: this.#table, missing },
            families: runFamilies(missing, this.#isApart ? 1 : missing.size / this.#threads.length),
            ...{ isEnded, onLook },
          },
          this.#threads.map((thread) => ({
            play: (claimed) =>
              playTogether(claimed, {
                play: (together) => this.#playFamily(thread, together),
                isEnded,
                onDied: (claim, why) =>
                  isEnded() ? this.#table.release(claim) : this.#table.died(claim, why),
              }),
            isReady: () => this.#isReady(thread),
          })),
        )
      : this.#fromQueue(queue, missing, { asked: runs.length, onLook })
    ).finally(() => signal?.removeEventListener("abort", endSoon));
    return missing.size === 0;
  }

  /** Undefined for one that is not over. */
  played(run: RunOf): PlayedRun | undefined {
    const key = this.#keyOf(run);
    const kept = this.#table.kept(key);
    if (kept === undefined || "died" in kept) return kept;
    const facts = keptFacts(kept.result);
    if (facts === undefined) throw this.#table.isNoResult(key);
    return { facts };
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
    this.#table.close();
    this.#cache?.close();
  }

  get #isApart(): boolean {
    return isPlayedApart(this.#options.world, this.#options);
  }

  #keyOf(run: RunOf): string {
    return runKey(this.#options.world, this.#code, run);
  }

  /** Puts into the table what it lacks, with what the cache knows of it. Gives what is to be played, in order. */
  #offered(runs: readonly RunOf[]): Map<string, RunOf> {
    const missing = new Map<string, RunOf>();
    for (let from = 0; from < runs.length; from += OFFERED_AT_ONCE) {
      const jobs = runs
        .slice(from, from + OFFERED_AT_ONCE)
        .map((run) => ({ key: this.#keyOf(run), run }));
      const isOpen = new Map(jobs.map(({ key }) => [key, !this.#table.isOver(key)]));
      const open = [...new Map(jobs.map((job) => [job.key, job])).values()].filter(
        ({ key }) => !missing.has(key) && isOpen.get(key),
      );
      this.#table.offer(open.map((job) => ({ ...job, result: this.#cached(job.key) })));
      for (const { key, run } of open) if (!this.#table.isOver(key)) missing.set(key, run);
      for (const { key } of jobs) {
        if (this.#asked.has(key)) this.#counts.again += 1;
        else if (!isOpen.get(key)) this.#counts.kept += 1;
        this.#asked.add(key);
      }
      this.#counts.cached += open.filter(({ key }) => !missing.has(key)).length;
    }
    return missing;
  }

  /** Another program may have written it: what is no result is played again. */
  #cached(key: string): string | undefined {
    const result = this.#cache?.get(key);
    return result !== undefined && keptFacts(result) !== undefined ? result : undefined;
  }

  /** False where it was to end while it was still starting. */
  async #isReady(thread: StudyThread): Promise<boolean> {
    try {
      await thread.ready();
      return true;
    } catch (error) {
      if (this.#options.signal?.aborted) return false;
      throw error;
    }
  }

  /** Keeps what other machines play. */
  async #fromQueue(
    queue: string,
    missing: Map<string, RunOf>,
    { asked, onLook }: { readonly asked: number; readonly onLook: () => void },
  ): Promise<void> {
    const { world, signal, onTrouble } = this.#options;
    // Its modules take longer to load than most runs take.
    const { OPEN_FIRST, queuedRuns } = await import("./queue/queuedRuns.ts");
    // By all that were asked for, so that jobs are the same ones where an interrupted study goes on.
    const families = [...runFamilies(missing, this.#isApart ? 1 : asked / OPEN_FIRST)];
    const jobs = families.flatMap((keys): readonly QueueJob[] => {
      const [first, ...others] = keys.flatMap((key) => {
        const run = missing.get(key);
        return run === undefined ? [] : [{ key, world, run }];
      });
      return first === undefined ? [] : [[first, ...others]];
    });
    const options = { queue, code: this.#code, jobs, signal, onTrouble };
    for await (const [key, kept] of queuedRuns(options)) {
      this.#table.keep(key, kept);
      if ("result" in kept) this.#cache?.put(key, kept.result);
      this.#counts.played += 1;
      missing.delete(key);
      onLook();
    }
  }

  async #playFamily(thread: StudyThread, claimed: readonly Claimed[]): Promise<void> {
    const [first, ...others] = claimed.map(({ run }) => run);
    if (first === undefined) return;
    const { facts, deliveries } = await thread.play([first, ...others]);
    for (const [one, own] of groupedBy(claimed.entries(), ([place]) => facts[place])) {
      const result = JSON.stringify(one);
      for (const [, { claim }] of own) {
        this.#table.complete(claim, result);
        this.#cache?.put(claim.key, result);
      }
    }
    this.#counts.played += claimed.length;
    this.#counts.deliveries.played += deliveries.played;
    this.#counts.deliveries.spared += deliveries.spared;
  }
}

/** Keys of runs that share all but their point: neighbours among the points, and at most so many that all who play are busy. */
export function runFamilies(
  missing: ReadonlyMap<string, RunOf>,
  share: number,
): Iterable<readonly string[]> {
  const most = Math.min(FAMILY_MAX, Math.ceil(share));
  const points = [...new Set([...missing.values()].map(({ point }) => point))];
  const places = new Map(points.map((point, place) => [point, Math.floor(place / most)]));
  return groupedBy(missing.keys(), (key) => {
    const { point = 0, scenario, variant, seed } = missing.get(key) ?? {};
    return JSON.stringify([places.get(point), scenario, variant, seed]);
  }).values();
}
