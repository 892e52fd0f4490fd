/** `blame` and `prevent`: what decided an outcome, and the least change after which it is gone, by playing the world again. */

import type { PolicyValue } from "../contract/policyTree.ts";
import type { Scenario } from "../contract/scenario.ts";
import { type Base, baseOfBundle, playBase } from "../edges/causes/baseRun.ts";
import { effectNamed, noShares, noTime, notThere, timeFor } from "../edges/causes/effectNamed.ts";
import { refuse } from "../edges/errors.ts";
import type { PartLists } from "../edges/parts/partLists.ts";
import { cacheFolder, KeptAnswers } from "../edges/play/keptAnswers.ts";
import { checkedLists } from "../edges/pool/checkWorlds.ts";
import { playTrials, TrialPlayer } from "../edges/pool/trialPlayer.ts";
import { lazySandbox } from "../edges/python/sandboxPort.ts";
import { lazyShell } from "../edges/shell/shellProcess.ts";
import { type Answered, type Asked, blameOf, preventOf } from "../run/causes/asked.ts";
import type { Prevented } from "../run/causes/prevent.ts";
import { Interrupted, type PlayTrials } from "../run/causes/trial.ts";
import {
  aFlag,
  aListOf,
  aMap,
  aSignal,
  aText,
  aWhole,
  type Kind,
  notA,
  optionProblems,
} from "./arguments.ts";
import { aCache } from "./play.ts";
import { checkedRun, runKinds } from "./runOptions.ts";

/** What both have. When empty: of what a report of the run tells first. */
interface CauseOptions {
  /**
   * A bound on a metric such as `goals.abandoned >= 10`, the name of an expectation, a question of `why`, or the
   * id of a promise; what a report of the run tells first when absent.
   */
  readonly outcome?: string | undefined;
  /** Of a scenario: one of its variants, another seed, and values of the policy by path. A bundle says its own. */
  readonly variant?: string | null | undefined;
  readonly seed?: number | undefined;
  readonly set?: { readonly [path: string]: PolicyValue } | undefined;
  /** How many runs of each arm: blame 30, prevent 20 when absent. */
  readonly runs?: number | undefined;
  /** How many suspects are ranked, or answers verified: blame 20, prevent 8 when absent. */
  readonly most?: number | undefined;
  /** Whether values of the policy are tried; true when absent. */
  readonly policy?: boolean | undefined;
  /** See PlayOptions. */
  readonly cache?: string | undefined;
  /** When aborted, the search rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What can be set for `blame`. */
export interface BlameOptions extends CauseOptions {
  /** Of this very run, with all its draws, in place of a probability; false when absent. */
  readonly exact?: boolean | undefined;
  /** Also from which moment on the outcome comes about; false when absent. */
  readonly when?: boolean | undefined;
  /** Also how it is shared out among the suspects, by Shapley values; false when absent, and not beside `exact`. */
  readonly shares?: boolean | undefined;
  /**
   * Until so many minutes are over, what is not decided has twice as many runs at each look, at most `runs` of them (10,000 when
   * absent); one look when absent, and not beside `exact`.
   */
  readonly minutes?: number | undefined;
}

/** What can be set for `prevent`. */
export interface PreventOptions extends CauseOptions {
  /** Asks of these variants alone. */
  readonly variants?: readonly string[] | undefined;
}

/** What `blame` found. */
export interface BlameResult extends Answered {
  /** The outcome in words. */
  readonly outcome: string;
}

/** What `prevent` found. */
export interface PreventResult extends Prevented {
  /** The outcome in words. */
  readonly outcome: string;
}

const RUNS_MAX = 100_000;
/** As far as the command line counts. */
const MINUTES_MAX = 999_999_999;
const kinds: { readonly [option in keyof CauseOptions]-?: Kind } = {
  outcome: aText,
  ...{ variant: runKinds.variant, seed: runKinds.seed, set: runKinds.set },
  ...{ runs: aWhole(1, RUNS_MAX), most: aWhole(1, RUNS_MAX), policy: aFlag, cache: aCache },
  signal: aSignal,
};
const blameKinds: { readonly [option in keyof BlameOptions]-?: Kind } = {
  ...kinds,
  ...{ exact: aFlag, when: aFlag, shares: aFlag, minutes: aWhole(1, MINUTES_MAX) },
};
const preventKinds: { readonly [option in keyof PreventOptions]-?: Kind } = {
  ...kinds,
  variants: aListOf("names of variants", aText),
};

/** See `World.blame`. */
export const blameIn = (
  lists: PartLists,
  of: Scenario | string,
  options: BlameOptions = {},
): Promise<BlameResult> =>
  searched(lists, { verb: "blame", of, options, kinds: blameKinds }, async (asked) => {
    const { exact = false, when = false, shares = false, policy = true } = options;
    const { runs, most, minutes } = options;
    if (exact && shares) throw noShares("blame shares");
    if (exact && minutes !== undefined) throw noTime("blame minutes");
    const bounds = { policy, runs, most, hasTime: timeFor(minutes) };
    const how = { isExact: exact, withCurve: when, withShares: shares, ...bounds };
    const found = await blameOf(asked, how);
    if (found !== undefined) return { outcome: asked.effect.says, ...found };
    throw notThere("blame outcome", asked.effect);
  });

/** See `World.prevent`. */
export const preventIn = (
  lists: PartLists,
  of: Scenario | string,
  options: PreventOptions = {},
): Promise<PreventResult> =>
  searched(lists, { verb: "prevent", of, options, kinds: preventKinds }, async (asked) => {
    const { variants: by, policy = true, runs, most } = options;
    return { outcome: asked.effect.says, ...(await preventOf(asked, { by, policy, runs, most })) };
  });

/** Plays the run that is asked about, and the trials of the search one after the other in this thread. */
async function searched<T>(
  plain: PartLists,
  wanted: {
    readonly verb: "blame" | "prevent";
    readonly of: Scenario | string;
    readonly options: CauseOptions;
    readonly kinds: { readonly [option: string]: Kind };
  },
  search: (asked: Asked) => Promise<T>,
): Promise<T> {
  const { options } = wanted;
  const base = baseFor(plain, wanted);
  const lists = await checkedLists(plain);
  const { scenario, variant, set, untilMs, seed } = base;
  const cache = cacheFolder(options.cache, "cache");
  const answers = new KeptAnswers(cache);
  const host = { sandbox: lazySandbox({ answers }), shell: lazyShell({ answers }) };
  const { signal } = options;
  try {
    const run = await playBase(lists, base, host);
    const effect = effectNamed(lists, base, run, options.outcome);
    const player = new TrialPlayer(lists, scenario, { variant, set, untilMs, seed, effect }, host);
    const isEnded = (): boolean => signal?.aborted ?? false;
    const play: PlayTrials = (trials) =>
      playTrials(trials, [(family) => player.play(family)], isEnded);
    const { parts } = lists;
    const silent = { onStep: () => {}, onFound: () => {} };
    return await search({ parts, world: base, run, effect, play, ...silent });
  } catch (error) {
    if (error instanceof Interrupted) signal?.throwIfAborted();
    throw error;
  } finally {
    await Promise.all([host.sandbox.close(), host.shell.close()]);
  }
}

const aBundleOrScenario: Kind = {
  allowed: "a scenario, or the path of a bundle",
  accepts: (value) => typeof value === "string" || aMap.accepts(value),
};

/** Throws BadInput. */
function baseFor(
  lists: PartLists,
  { verb, of, options, kinds: known }: Parameters<typeof searched>[1],
): Base {
  if (!aBundleOrScenario.accepts(of)) {
    refuse([notA(`${verb} of`, of, aBundleOrScenario)], `Call ${verb}(scenario, options).`);
  }
  if (typeof of === "string") {
    refuse(optionProblems(verb, options, known), "A bundle says its own world.");
    const others = (["variant", "seed", "set"] as const).filter((one) => options[one] != null);
    refuse(
      others.map((one) => ({
        where: { path: `${verb} ${one}` },
        ...{ found: `${one} beside a bundle`, allowed: "a scenario beside it" },
      })),
      "A bundle says its own world.",
    );
    return baseOfBundle(lists, of);
  }
  const run = checkedRun(lists, verb, of, options, known);
  return { ...run, text: "", recorded: null };
}
