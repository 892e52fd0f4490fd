/** What the commands that look for causes share: what they start from, the threads that play, and the end by Ctrl-C. */

import { isFolder } from "../../edges/bundle/bundleFolders.ts";
import { type Base, baseOfBundle, playBase } from "../../edges/causes/baseRun.ts";
import { effectNamed } from "../../edges/causes/effectNamed.ts";
import { cacheFolder, KeptAnswers } from "../../edges/play/keptAnswers.ts";
import { type CheckedLists, checkedLists } from "../../edges/pool/checkWorlds.ts";
import { TrialPool } from "../../edges/pool/trialPool.ts";
import { lazySandbox } from "../../edges/python/sandboxPort.ts";
import { loadScenario } from "../../edges/scenario/scenarioFile.ts";
import { lazyShell } from "../../edges/shell/shellProcess.ts";
import { workersHere } from "../../edges/studies/studyPool.ts";
import type { Asked } from "../../run/causes/asked.ts";
import { type PartFlag, partLists } from "../chosenParts.ts";
import { echoSet, overridesOption, sandboxOption, seedOption } from "../options.ts";
import { clearProgress, note, progress } from "../output.ts";
import { interruptible } from "../signals.ts";

export interface SearchFlags extends PartFlag {
  readonly runs?: number;
  readonly seed?: string;
  readonly set?: readonly string[];
  readonly workers?: number;
  readonly sandbox?: string;
  readonly cache?: string;
  /** False where values of the policy are not tried. */
  readonly policy: boolean;
  readonly json?: true;
}

/** What is asked, and the world as it was named. */
export interface Searching extends Omit<Asked, "onFound"> {
  readonly world: Base;
}

/**
 * Plays the run that is asked about, and `search` with threads that play others. Throws Interrupted as `search` does, and before
 * anything is played what `check` throws.
 */
export async function searching<T>(
  named: string,
  outcome: string | undefined,
  flags: SearchFlags,
  search: (searching: Searching) => Promise<T>,
  check: (world: Base) => void = () => undefined,
): Promise<T> {
  const lists = await checkedLists(await partLists(flags));
  const base = baseNamed(lists, named, flags);
  check(base);
  const kind = sandboxOption(flags.sandbox);
  const cache = cacheFolder(flags.cache);
  const answers = new KeptAnswers(cache);
  const [sandbox, shell] = [lazySandbox({ kind, answers }), lazyShell({ kind, answers })];
  const stop = interruptible("stopping; what is known so far is told");
  let pool: TrialPool | undefined;
  try {
    progress("playing the run that is asked about");
    const run = await playBase(lists, base, { sandbox, shell });
    const effect = effectNamed(lists, base, run, outcome);
    clearProgress();
    note(`The outcome: ${effect.says}.`);
    const { scenario, text, variant, set, untilMs, seed } = base;
    const work = { scenario: { name: scenario.name, text }, variant, set, untilMs, seed };
    const shared = { ...work, effect, sandbox: kind, cache, partFiles: flags.part };
    pool = new TrialPool(shared, flags.workers ?? workersHere(), stop.signal);
    const threads = pool;
    let step = "";
    return await search({
      ...{ parts: lists.parts, world: base, run, effect },
      play: (trials) =>
        threads.play(trials, (done) => progress(`${step}: ${done} of ${trials.length} runs`)),
      // On a terminal it is said in place.
      onStep: (says, runs) => {
        step = says;
        if (!process.stderr.isTTY) note(runs === 0 ? says : `${says} (${runs} runs so far)`);
      },
    });
  } finally {
    stop.dispose();
    clearProgress();
    await Promise.all([pool?.close(), sandbox.close(), shell.close()]);
  }
}

/** A scenario's bare name wins over a folder of that name. Throws BadInput. */
function baseNamed(lists: CheckedLists, named: string, flags: SearchFlags): Base {
  const { parts } = lists;
  const set = overridesOption(parts, flags.set ?? [], undefined);
  echoSet(parts, flags.set);
  const seed = flags.seed === undefined ? undefined : seedOption(flags.seed);
  if (isFolder(named)) {
    const base = baseOfBundle(lists, named);
    const isOther = Object.keys(set).length > 0 || seed !== undefined;
    return {
      ...base,
      ...{ set: { ...base.set, ...set }, seed: seed ?? base.seed },
      ...(isOther && { recorded: null }),
    };
  }
  const { scenario, text } = loadScenario(lists, named);
  const own = { variant: null, untilMs: null, recorded: null };
  return { scenario, text, ...own, seed: seed ?? scenario.seed, set };
}

export const list = (all: readonly string[]): string => all.map((one) => `  ${one}`).join("\n");
