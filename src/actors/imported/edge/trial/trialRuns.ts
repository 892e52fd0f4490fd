/** The runs of a trial: taken from its table, else played; what was played is kept at once. */

import { join } from "node:path";
import { type Claimed, playClaimed } from "../../../../edges/studies/playClaimed.ts";
import { sha256 } from "../../../../edges/studies/runKey.ts";
import { type Claim, RunTable } from "../../../../edges/studies/runTable.ts";
import { isMap } from "../../../../machines/isMap.ts";
import { ownValue } from "../../../../machines/ownValue.ts";
import type { RunOf } from "../../../../studies/study.ts";
import type { SweepRun } from "../../../../studies/sweepSummary.ts";
import { taskOf } from "../../../../studies/taskEstimates.ts";
import type { Api } from "../wire/apis.ts";
import type { Spared } from "../wire/recordedTools.ts";
import { Budget } from "./budget.ts";
import { AGENT, FAULT, type Trial } from "./trialFile.ts";
import { playTrialRun, type TrialFacts } from "./trialRun.ts";

/** Counts up where the same run would be read in another way. */
const FORMAT = "trial 2";

export interface TrialRunsOptions {
  readonly trial: Trial;
  /** Of the trial, which is there. */
  readonly folder: string;
  readonly upstreams: { readonly [A in Api]: string };
  readonly workers: number;
  /** Tools that may really run, or `all`. */
  readonly allowed: readonly string[];
  readonly signal: AbortSignal;
  readonly onDone: (done: number, total: number) => void;
}

export interface TrialToolCounts {
  readonly spared: Spared;
  readonly unknown: number;
}

export class TrialRuns {
  readonly #options: TrialRunsOptions;
  readonly #table: RunTable;
  readonly budget: Budget;
  readonly counts = { played: 0, kept: 0 };
  /** What came of the runs that were read, by their keys. */
  readonly #read = new Map<string, TrialFacts>();

  /** Throws what `RunTable` throws. */
  constructor(options: TrialRunsOptions) {
    const { trial, folder } = options;
    this.#options = options;
    this.#table = new RunTable(folder, { study: trial.stamp, code: FORMAT });
    this.budget = new Budget(join(folder, "spent.jsonl"), trial.budget);
  }

  /** Whether all are over: false where the signal or the budget ended it. */
  async play(runs: readonly RunOf[]): Promise<boolean> {
    const { workers, signal, onDone } = this.#options;
    const jobs = runs.map((run) => ({ key: this.#keyOf(run), run }));
    const missing = new Map(
      jobs.filter(({ key }) => !this.#table.isOver(key)).map((one) => [one.key, one.run]),
    );
    this.counts.kept += runs.length - missing.size;
    this.#table.offer([...missing].map(([key, run]) => ({ key, run })));
    const total = missing.size;
    onDone(0, total);
    await playClaimed(
      {
        ...{ table: this.#table, missing },
        families: [...missing.keys()].map((key) => [key]),
        isEnded: () => signal.aborted || this.budget.isOver,
        onLook: () => onDone(total - missing.size, total),
      },
      Array.from({ length: workers }, () => ({
        play: async (claimed: readonly Claimed[]) => {
          for (const { claim, run } of claimed) await this.#playOne(claim, run);
        },
      })),
    );
    return missing.size === 0;
  }

  async #playOne(claim: Claim, run: RunOf): Promise<void> {
    const { trial, folder, upstreams, allowed, signal: stop } = this.#options;
    let facts: TrialFacts | undefined;
    try {
      facts = await playTrialRun({
        ...{ trial, upstreams, budget: this.budget, allowed, stop, seed: run.seed },
        ...{ agent: String(run.set[AGENT]), fault: String(run.set[FAULT]) },
        task: this.#task(run)?.text ?? "",
        folder: runFolder(folder, run),
      });
    } finally {
      if (facts === undefined) this.#table.release(claim);
    }
    if (facts === undefined) return;
    this.#table.complete(claim, JSON.stringify(facts));
    this.counts.played += 1;
  }

  #task({ replicate }: RunOf) {
    const { tasks } = this.#options.trial;
    return tasks[taskOf(replicate, tasks.length)];
  }

  /** By what it is, and not by where it stands: a trial may be given more runs. */
  #keyOf(run: RunOf): string {
    return sha256(JSON.stringify([run.set, this.#task(run), run.seed]));
  }

  facts(run: RunOf): TrialFacts | undefined {
    const key = this.#keyOf(run);
    const kept = this.#table.kept(key);
    if (kept === undefined || "died" in kept) return undefined;
    const facts: unknown = JSON.parse(kept.result);
    if (!isMap(facts) || !isMap(facts["values"])) throw this.#table.isNoResult(key);
    return facts as unknown as TrialFacts;
  }

  read(run: RunOf): SweepRun {
    const { point, replicate, seed, variant } = run;
    const facts = this.facts(run);
    if (facts !== undefined) this.#read.set(this.#keyOf(run), facts);
    const names = Object.keys(this.#options.trial.outcomes);
    return {
      ...{
        point,
        replicate,
        seed,
        variant,
        censored: [],
        outcome: facts === undefined ? "died" : "ended",
      },
      values: facts?.values ?? Object.fromEntries(names.map((name) => [name, null])),
      faults: facts?.faults ?? ["The process that ran it vanished again and again."],
    };
  }

  /** Of the runs that were read: how often recordings answered in a tool's place, and the runs that left them. */
  get tools(): TrialToolCounts {
    const all = [...this.#read.values()];
    const spared: { [tool: string]: number } = {};
    for (const one of all)
      for (const [tool, count] of Object.entries(one.spared))
        spared[tool] = (ownValue(spared, tool) ?? 0) + count;
    return { spared, unknown: all.filter(({ hasLeft }) => hasLeft).length };
  }

  close(): void {
    this.#table.close();
  }
}

/** Where the recording of a run lies. */
export const runFolder = (
  folder: string,
  { point, replicate }: Pick<RunOf, "point" | "replicate">,
): string => join(folder, "runs", `${point}-${replicate}`);
