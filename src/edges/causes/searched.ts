/** A search for causes with what it takes here: the run that is asked about, played once more, and threads that play others. */
import type { Asked } from "../../run/causes/asked.ts";
import type { Effect } from "../../run/causes/effect.ts";
import { KeptAnswers } from "../play/keptAnswers.ts";
import type { CheckedLists } from "../pool/checkWorlds.ts";
import type { TrialWorld } from "../pool/trialPlayer.ts";
import { TrialPool, type Trials } from "../pool/trialPool.ts";
import type { SandboxKind } from "../processes/sandboxKind.ts";
import { lazySandbox } from "../python/sandboxPort.ts";
import { lazyShell } from "../shell/shellProcess.ts";
import { codeHash } from "../studies/codeHash.ts";
import type { QueuedOptions } from "../studies/queue/queuedRuns.ts";
import { workersHere } from "../studies/studyPool.ts";
import { type Base, playBase } from "./baseRun.ts";
import { effectNamed } from "./effectNamed.ts";

/** What is asked, and the world as it was named. */
export interface Searching extends Omit<Asked, "onFound"> {
  readonly world: Base;
}

export interface SearchOptions {
  /** As people name it; what the report tells first when absent. */
  readonly outcome?: string | undefined;
  readonly sandbox: SandboxKind;
  readonly cache: string | null;
  /** Of parts that do not come with the program: threads load them. */
  readonly partFiles: readonly string[] | undefined;
  /** As many as there are cores for when absent. */
  readonly workers?: number | undefined;
  /** Where other machines take the trials, which then play all of them: `postgres://…`. */
  readonly queue?: string | undefined;
  /** Prose on what is done without, or waited for. */
  readonly onTrouble?: ((text: string) => void) | undefined;
  readonly signal: AbortSignal;
  readonly onEffect?: (effect: Effect) => void;
  readonly onStep?: Asked["onStep"];
  /** What is going on now, and how far it is. */
  readonly onDone: (says: string) => void;
}

/** Throws what reading and playing the run throws, and Interrupted as `search` does. */
export async function searched<T>(
  lists: CheckedLists,
  base: Base,
  { outcome, sandbox: kind, cache, partFiles, ...options }: SearchOptions,
  search: (searching: Searching) => Promise<T>,
): Promise<T> {
  const { workers = workersHere(), queue, signal, onEffect, onStep, onDone, onTrouble } = options;
  const answers = new KeptAnswers(cache);
  const [sandbox, shell] = [lazySandbox({ kind, answers }), lazyShell({ kind, answers })];
  let pool: Trials | undefined;
  try {
    onDone("playing the run that is asked about");
    const run = await playBase(lists, base, { sandbox, shell });
    const effect = effectNamed(lists, base, run, outcome);
    onEffect?.(effect);
    const { scenario, text, variant, set, untilMs, seed } = base;
    const named = { name: scenario.name, text };
    const work: TrialWorld = { scenario: named, variant, set, untilMs, seed, effect };
    const trials =
      queue === undefined
        ? new TrialPool({ ...work, sandbox: kind, cache, partFiles }, workers, signal)
        : await queued(work, { queue, code: codeHash(partFiles), signal, onTrouble });
    pool = trials;
    let step = "";
    return await search({
      ...{ parts: lists.parts, world: base, run, effect },
      play: (asked) =>
        trials.play(asked, (done) => onDone(`${step}: ${done} of ${asked.length} runs`)),
      onStep: (says, runs) => {
        step = says;
        onStep?.(says, runs);
      },
    });
  } finally {
    await Promise.all([pool?.close(), sandbox.close(), shell.close()]);
  }
}

/** Its modules take longer to load than many trials take. */
const queued = async (work: TrialWorld, options: Omit<QueuedOptions, "jobs">): Promise<Trials> => {
  const { QueuedTrials } = await import("../studies/queue/queuedTrials.ts");
  return QueuedTrials.open(work, options);
};
