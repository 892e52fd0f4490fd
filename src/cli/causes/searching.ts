/** What the commands that look for causes share: what they start from, what is told meanwhile, and the end by Ctrl-C. */

import { isFolder } from "../../edges/bundle/bundleFolders.ts";
import { type Base, baseOfBundle } from "../../edges/causes/baseRun.ts";
import { type Searching, type SearchOptions, searched } from "../../edges/causes/searched.ts";
import { cacheFolder } from "../../edges/play/keptAnswers.ts";
import { type CheckedLists, checkedLists } from "../../edges/pool/checkWorlds.ts";
import { loadScenario } from "../../edges/scenario/scenarioFile.ts";
import { queueAddress } from "../../edges/studies/queue/queueAddress.ts";
import { type PartFlag, partLists } from "../chosenParts.ts";
import { echoSet, overridesOption, sandboxOption, seedOption } from "../options.ts";
import { clearProgress, note, progress } from "../output.ts";
import { interruptible } from "../signals.ts";

export interface SearchFlags extends PartFlag {
  readonly runs?: number;
  readonly seed?: string;
  readonly set?: readonly string[];
  readonly workers?: number;
  readonly queue?: string;
  readonly sandbox?: string;
  readonly cache?: string;
  /** False where values of the policy are not tried. */
  readonly policy: boolean;
  readonly json?: true;
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
  if (flags.queue !== undefined) queueAddress(flags.queue); // Refused before anything is played.
  const sandbox = sandboxOption(flags.sandbox);
  const cache = cacheFolder(flags.cache);
  const stop = interruptible("stopping; what is known so far is told");
  const { part: partFiles, workers, queue } = flags;
  const options: SearchOptions = {
    ...{ outcome, sandbox, cache, partFiles, workers, queue, signal: stop.signal },
    onTrouble: note,
    onEffect: ({ says }) => {
      clearProgress();
      note(`The outcome: ${says}.`);
    },
    // On a terminal it is said in place.
    onStep: (says, runs) => {
      if (!process.stderr.isTTY) note(runs === 0 ? says : `${says} (${runs} runs so far)`);
    },
    onDone: progress,
  };
  try {
    return await searched(lists, base, options, search);
  } finally {
    stop.dispose();
    clearProgress();
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
  const { scenario, text } = loadScenario(lists, named, { others: ["the folder of a run"] });
  const own = { variant: null, untilMs: null, recorded: null };
  return { scenario, text, ...own, seed: seed ?? scenario.seed, set };
}

export const list = (all: readonly string[]): string => all.map((one) => `  ${one}`).join("\n");
