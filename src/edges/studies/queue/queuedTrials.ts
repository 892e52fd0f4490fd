/** Trials of a search for causes that machines elsewhere play. */
import type { Trial, Tried } from "../../../run/causes/trial.ts";
import { type TrialWorld, trialFamilies } from "../../pool/trialPlayer.ts";
import type { Trials } from "../../pool/trialPool.ts";
import { WorkerDied } from "../studyPool.ts";
import { queueAddress } from "./queueAddress.ts";
import { QueueDatabase } from "./queueDatabase.ts";
import { gathered, OPEN_FIRST, type QueuedOptions } from "./queuedRuns.ts";
import { keyOf, type QueueJob } from "./queueJob.ts";

export class QueuedTrials implements Trials {
  readonly #database: QueueDatabase;
  readonly #search: TrialWorld;
  readonly #options: Omit<QueuedOptions, "queue" | "jobs">;

  private constructor(
    database: QueueDatabase,
    search: TrialWorld,
    options: Omit<QueuedOptions, "queue" | "jobs">,
  ) {
    this.#database = database;
    this.#search = search;
    this.#options = options;
  }

  /** Throws BadInput where no database answers there. */
  static async open(
    search: TrialWorld,
    { queue, ...options }: Omit<QueuedOptions, "jobs">,
  ): Promise<QueuedTrials> {
    const database = await QueueDatabase.open(queueAddress(queue), options.onTrouble ?? (() => {}));
    return new QueuedTrials(database, search, options);
  }

  /** As `TrialPool`. Throws WorkerDied, Divergence and BadInput. */
  async play(trials: readonly Trial[], onDone: (done: number) => void): Promise<readonly Tried[]> {
    const options = this.#options;
    const search = this.#search;
    const queued = (trial: Trial) => {
      return { key: keyOf({ search, trial }, options.code), search, trial };
    };
    const runs = trials.map(queued);
    const each = [...new Map(runs.map(({ key, trial }) => [key, trial])).values()];
    const jobs = trialFamilies(each, Math.ceil(each.length / OPEN_FIRST)).map(
      ([first, ...others]): QueueJob => [queued(first), ...others.map(queued)],
    );
    const found = new Map<string, Tried>();
    for await (const [key, kept] of gathered(this.#database, { ...options, jobs })) {
      if ("died" in kept) throw new WorkerDied(kept.died);
      found.set(key, JSON.parse(kept.result) as Tried); // Looked at by isResultOf.
      onDone(found.size);
    }
    if (options.signal?.aborted) return [];
    return runs.flatMap(({ key }) => found.get(key) ?? []);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
