/** Threads that play the trials of a search for causes, and stay for its next round. */

import type { Trial, Tried } from "../../run/causes/trial.ts";
import { PlayThread } from "../studies/studyPool.ts";
import { playTrials, type TrialFamily, type TrialWork } from "./trialPlayer.ts";

const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./trialWorker.ts" : "./trialWorker.js",
  import.meta.url,
);

/** A thread that plays the trials of one search. */
export class TrialThread extends PlayThread<TrialFamily, readonly Tried[]> {
  constructor(work: TrialWork) {
    super(workerFile, work);
  }
}

/** Who plays trials. */
export interface Trials {
  /** In their order; none where it was interrupted on the way. */
  play(trials: readonly Trial[], onDone: (done: number) => void): Promise<readonly Tried[]>;
  close(): Promise<void>;
}

export class TrialPool implements Trials {
  readonly #threads: readonly TrialThread[];
  readonly #signal: AbortSignal;

  /** Once `signal` says so no trial is begun any more, and those that are played are given up. */
  constructor(work: TrialWork, threads: number, signal: AbortSignal) {
    this.#threads = Array.from({ length: threads }, () => new TrialThread(work));
    this.#signal = signal;
    signal.addEventListener("abort", () => void this.close(), { once: true });
  }

  async play(trials: readonly Trial[], onDone: (done: number) => void): Promise<readonly Tried[]> {
    const isEnded = (): boolean => this.#signal.aborted;
    const players = this.#threads.map((thread) => (family: TrialFamily) => thread.play(family));
    try {
      return await playTrials(trials, players, isEnded, onDone);
    } catch (error) {
      if (!isEnded()) throw error;
      return [];
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
