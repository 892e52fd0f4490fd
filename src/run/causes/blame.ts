/**
 * Which choice or input decided: each left out alone, from one common point before the first of them, and all of them left out
 * together and shrunk, so that causes which only work together are found as well.
 */

import { heldOutSeeds } from "../../studies/seeds.ts";
import { confidenceOfEach } from "../../studies/statistics/holm.ts";
import { CONFIDENCE, type Estimate } from "../../studies/statistics/intervals.ts";
import {
  pairedProportionInterval,
  proportionInterval,
} from "../../studies/statistics/proportions.ts";
import { type Change, changeText, isOmission } from "./changes.ts";
import { smallestSets } from "./smallest.ts";
import type { Suspect } from "./suspects.ts";
import {
  counted,
  type Hit,
  knownOf,
  knownPairs,
  occurrence,
  type PlayTrials,
  type Trial,
} from "./trial.ts";

export interface BlameOptions {
  readonly seed: number;
  readonly suspects: readonly Suspect[];
  /** Other values of leaves that may change on the way. */
  readonly leaves: readonly Change[];
  /** Deliveries before the common point. */
  readonly from: number;
  /** All draws of the run as they were: yes or no, in place of a probability. */
  readonly isExact: boolean;
  /** Continuations of each arm; at most, where there is time for more than the first look. */
  readonly runs: number;
  /**
   * Whether there is time for another look, at twice as many continuations of those arms that are not decided yet. All
   * arms have as many continuations when absent.
   */
  readonly hasTime?: (() => boolean) | undefined;
  readonly play: PlayTrials;
  readonly onStep?: (says: string, runs: number) => void;
  readonly onFound?: (says: readonly string[]) => void;
}

export interface Blamed {
  readonly change: Change;
  readonly says: string;
  /** Of an outside input or a choice. */
  readonly suspect: Suspect | null;
  /** Continuations in which the outcome still came about, of those in which it is known. */
  readonly hits: number;
  readonly n: number;
  /** P(outcome) as it was less P(outcome) without it; null where the draws were held, and there is no chance in it. */
  readonly effect: Estimate | null;
}

export interface Told {
  readonly asItWas: { readonly hits: number; readonly n: number; readonly share: Estimate };
  /** The largest effect first. */
  readonly ranking: readonly Blamed[];
  /** Leaves whose other values changed the outcome in none of the first continuations. */
  readonly indifferent: number;
  /** Leaves of whose other values the outcome is unknown. */
  readonly unknownValues?: number;
  /** Sets of several that do together what leaving out all of them does; a single one that is enough stands in the ranking. */
  readonly joint: readonly Together[];
  /** Without all suspects at once; null where it came about in no continuation, and nothing can be told. */
  readonly withoutAll: Counted | null;
  /** Of each interval of the ranking, so that all of them hold at once as often as one of 95 % does; of several looks, at the last one. */
  readonly confidence: number;
  /** How often it was looked at what is decided. */
  readonly looks: number;
  readonly runs: number;
  /** Runs of an unknown outcome, which count for nothing; none when absent. */
  readonly unknown?: number;
}

interface Counted {
  readonly hits: number;
  readonly n: number;
}

export interface Together extends Counted {
  readonly says: readonly string[];
}

/** Ours: continuations after which a leaf that changed nothing is left. */
const FIRST = 4;
/** Ours: continuations after which what is known so far can be told, and the first look where there is time for more. */
const BATCH = 10;
const FIRST_LOOK = 30;
/** Ours: continuations on which sets are shrunk, how many sets are looked for, and how often one that fails on others is mended. */
const SHOWING = 4;
const SETS_MAX = 4;
const MENDED_MAX = 4;

interface Arm {
  readonly suspect: Suspect | null;
  readonly change: Change;
  /** By continuation. */
  readonly hits: Hits;
  readonly confidence: number;
}

/** The seeds of the continuations: the same in every arm. */
export const continuations = (
  { seed, isExact }: Pick<BlameOptions, "seed" | "isExact">,
  runs: number,
): readonly number[] => (isExact ? [seed] : heldOutSeeds(seed, runs));

export async function blame(options: BlameOptions): Promise<Told> {
  const {
    suspects,
    leaves,
    from,
    isExact,
    hasTime,
    onStep = () => {},
    onFound = () => {},
  } = options;
  const { play, runs, unknown } = counted(options.play);
  const outcomes = outcomesWith(play, from);
  const seeds = continuations(options, hasTime ? Math.min(options.runs, FIRST_LOOK) : options.runs);
  onStep("going on as it was", runs());
  const [own = []] = await outcomes([[]], seeds);
  onStep(`trying ${leaves.length} values of the policy`, runs());
  const { telling, unknownValues } = await tellingOf(leaves, own, (sets) =>
    outcomes(sets, seeds.slice(0, FIRST)),
  );
  const tried = [...suspects.map((suspect) => suspect.change), ...telling];
  onStep(`leaving out or changing ${tried.length} one by one`, runs());
  let hits: readonly Hits[] = tried.map(() => []);
  // In batches, so that something of all of them is known soon.
  for (let done = BATCH; hits[0] && hits[0].length < seeds.length; done += BATCH) {
    hits = await outcomes(
      tried.map((one) => [one]),
      seeds.slice(0, done),
    );
    onFound(tried.map((one, at) => foundText(one, hits[at] ?? [])));
  }
  // One more for all of them together.
  const family = tried.length + 1;
  const confidence = confidenceOfEach(family * (hasTime ? spentAt(1) : 1), CONFIDENCE);
  const arms = tried.map(
    (change, at): Arm => ({
      ...{ suspect: suspects[at] ?? null, change, hits: hits[at] ?? [], confidence },
    }),
  );
  onStep("leaving out all of them, and fewer", runs());
  const together = await jointly(arms, own, { seeds, isExact, outcomes });
  const looked = await furtherLooks(arms, own, { ...options, outcomes, family, runsSoFar: runs });
  const ranking = looked.arms.map(({ suspect, change, hits: all, confidence: each }): Blamed => {
    const effect = isExact ? null : effectOf(looked.own, all, each);
    return { change, says: changeText(change), suspect, ...countedIn(all), effect };
  });
  const { hits: ownHits, n } = countedIn(looked.own);
  return {
    asItWas: { hits: ownHits, n, share: proportionInterval(ownHits, n, CONFIDENCE) },
    // The order of equals is that of the suspects; what is unknown comes last.
    ranking: ranking.toSorted((a, b) => stillIn(a) - stillIn(b)),
    indifferent: leaves.length - telling.length - unknownValues,
    ...(unknownValues > 0 && { unknownValues }),
    ...together,
    confidence: looked.confidence,
    looks: looked.looks,
    runs: runs(),
    ...unknown(),
  };
}

type Hits = readonly Hit[];

const countedIn = (hits: Hits): Counted => {
  const known = knownOf(hits);
  return { hits: sum(known), n: known.length };
};

const stillIn = ({ hits, n }: Counted): number => (n === 0 ? 2 : hits / n);

/** In pairs; an arm that was decided earlier has fewer. */
const effectOf = (own: Hits, arm: Hits, confidence: number): Estimate =>
  pairedProportionInterval(knownPairs(arm, own), confidence);

function foundText(change: Change, all: Hits): string {
  const { hits, n } = countedIn(all);
  const unknown = n < all.length ? `, unknown in ${all.length - n}` : "";
  return `${changeText(change)}: ${hits} of ${n}${unknown}`;
}

/** Leaves of which some value makes a difference in one of the first continuations. */
async function tellingOf(
  leaves: readonly Change[],
  own: Hits,
  outcomes: (sets: readonly (readonly Change[])[]) => Promise<readonly Hits[]>,
): Promise<{ readonly telling: readonly Change[]; readonly unknownValues: number }> {
  if (leaves.length === 0) return { telling: [], unknownValues: 0 };
  const first = await outcomes(leaves.map((one) => [one]));
  const isTelling = (arm: Hits): boolean => knownPairs(own, arm).some(([as, one]) => as !== one);
  const telling = leaves.filter((_, at) => isTelling(first[at] ?? []));
  const unknown = first.filter((arm) => !isTelling(arm) && arm.includes(null));
  return { telling, unknownValues: unknown.length };
}

/**
 * Of the chance that any interval misses, look l of an arm may spend 1 / (l (l + 1)): over all looks that there may ever be it
 * is all of it, so that whoever stops at the first clear interval is wrong no more often.
 */
const spentAt = (look: number): number => look * (look + 1);

/** As long as there is time: twice as many continuations for what is not decided. */
async function furtherLooks(
  arms: readonly Arm[],
  first: Hits,
  how: BlameOptions & {
    readonly outcomes: Outcomes;
    readonly family: number;
    readonly runsSoFar: () => number;
  },
) {
  const { hasTime, runs, outcomes, family, onStep = () => {}, onFound = () => {} } = how;
  let [own, now, looks] = [first, arms, 1];
  let confidence = arms[0]?.confidence ?? confidenceOfEach(family, CONFIDENCE);
  const isOpen = ({ hits, confidence: each }: Arm): boolean => {
    const { low, high, n } = effectOf(own, hits, each);
    return n > 0 && (low ?? 0) <= 0 && (high ?? 0) >= 0;
  };
  while (hasTime?.() && own.length < runs) {
    const open = now.filter(isOpen);
    if (open.length === 0) break;
    looks += 1;
    const seeds = continuations(how, Math.min(runs, own.length * 2));
    onStep(
      `${open.length} that are not decided, ${seeds.length} continuations each`,
      how.runsSoFar(),
    );
    const [whole = [], ...more] = await outcomes(
      [[], ...open.map(({ change }) => [change])],
      seeds,
    );
    confidence = confidenceOfEach(family * spentAt(looks), CONFIDENCE);
    own = whole;
    const each = confidence;
    now = now.map((arm) => {
      const at = open.indexOf(arm);
      return at === -1 ? arm : { ...arm, hits: more[at] ?? [], confidence: each };
    });
    onFound(now.map(({ change, hits }) => foundText(change, hits)));
  }
  return { arms: now, own, confidence, looks };
}

type Outcomes = (
  sets: readonly (readonly Change[])[],
  seeds: readonly number[],
) => Promise<readonly Hits[]>;

/** What was played is not played again. */
function outcomesWith(play: PlayTrials, from: number): Outcomes {
  const known = new Map<string, Hit>();
  return async (sets, seeds) => {
    const named = sets.map((changes) => ({
      changes,
      name: changes.map(changeText).sort().join("\n"),
    }));
    const trials = named.flatMap(({ changes, name }) =>
      seeds
        .map((seed) => ({ key: `${seed} ${name}`, trial: { seed, changes, isWhole: false, from } }))
        .filter(({ key }) => !known.has(key)),
    );
    const wanted = [...new Map(trials.map(({ key, trial }) => [key, trial])).entries()];
    const tried = await play(wanted.map(([, trial]) => trial));
    for (const [at, [key]] of wanted.entries()) {
      const one = tried[at];
      if (one !== undefined) known.set(key, occurrence(one));
    }
    return named.map(({ name }) => seeds.map((seed) => known.get(`${seed} ${name}`) ?? null));
  };
}

const sum = (arm: readonly number[]): number => arm.reduce((total, one) => total + one, 0);

/**
 * Sets of those that are not enough alone, which do together what leaving out all of them does. What leaving out all does is
 * seen where it came about as it was and not without them: elsewhere something else brings it about. A set that fails in
 * continuations that the search did not have is looked for again with these.
 */
async function jointly(
  arms: readonly Arm[],
  own: Hits,
  how: {
    readonly seeds: readonly number[];
    readonly isExact: boolean;
    readonly outcomes: Outcomes;
  },
): Promise<Pick<Told, "joint" | "withoutAll">> {
  const { seeds, isExact, outcomes } = how;
  if (!own.includes(1)) return { joint: [], withoutAll: null };
  const all = arms.filter(({ change }) => isOmission(change));
  const left = async (some: readonly Arm[]): Promise<Hits> =>
    (await outcomes([some.map(({ change }) => change)], seeds))[0] ?? [];
  const whole = await left(all);
  const withoutAll = countedIn(whole);
  const goneIn = (hits: Hits): readonly number[] =>
    seeds.flatMap((_, at) => (own[at] === 1 && hits[at] === 0 ? [at] : []));
  const isEnough = (hits: Hits): boolean => goneIn(whole).every((at) => hits[at] === 0);
  const rest = all.filter(({ hits }) => !isEnough(hits));
  const base = await left(rest);
  const showing = goneIn(base);
  const confidence = all[0]?.confidence ?? CONFIDENCE;
  const isClear = isExact || (effectOf(own, base, confidence).low ?? 0) > 0;
  if (!isClear) return { joint: [], withoutAll };
  // Where a single one is enough, others beside it are worth one search, and no more.
  const [most, rounds] = rest.length < all.length ? [1, 1] : [SETS_MAX, MENDED_MAX];
  let used = showing.slice(0, SHOWING);
  for (let round = 1; ; round += 1) {
    const on = used.map((at) => seeds[at] ?? 0);
    const holds = async (sets: readonly (readonly Change[])[]) =>
      (await outcomes(sets, on)).map((arm) => arm.every((one) => one === 0));
    const changes = rest.map(({ change }) => change);
    const sets = (await smallestSets(changes, holds, most)).filter(({ length }) => length > 1);
    const tried = await outcomes(sets, seeds);
    const failing = showing.filter((at) => tried.some((hits) => hits[at] === 1));
    if (failing.length === 0 || round === rounds) {
      const joint = sets.map((set, at) => {
        return { says: set.map(changeText), ...countedIn(tried[at] ?? []) };
      });
      return { joint, withoutAll };
    }
    used = [...used, ...failing.slice(0, SHOWING)].sort((a, b) => a - b);
  }
}

/** P(outcome) as it was, gone on with from a moment. */
export interface AtMoment {
  readonly atMs: number;
  readonly hits: number;
  readonly n: number;
  readonly share: Estimate;
  /** Beside them, those of an unknown outcome. */
  readonly unknown?: number;
}

/** Ours: a smaller step between two moments is no jump. */
const JUMP = 0.3;

/** The moments between which it became likelier, or less likely. */
export const jumpsIn = <T extends Pick<AtMoment, "hits" | "n">>(
  curve: readonly T[],
): readonly { readonly before: T; readonly after: T }[] =>
  curve.flatMap((after, at) => {
    const before = curve[at - 1];
    return before && Math.abs(after.hits / after.n - before.hits / before.n) >= JUMP
      ? [{ before, after }]
      : [];
  });

/** At each of these moments: how often it comes about from there on. Moments of which that is unknown are left out. */
export async function commitment(
  moments: readonly { readonly atMs: number; readonly place: number }[],
  { seed, runs, play: given, onStep }: Pick<BlameOptions, "seed" | "runs" | "play" | "onStep">,
): Promise<readonly AtMoment[]> {
  const { play } = counted(given);
  onStep?.(`going on from ${moments.length} moments`, 0);
  const seeds = heldOutSeeds(seed, runs);
  const tried = await play(
    moments.flatMap(({ place }) =>
      seeds.map((one): Trial => ({ seed: one, changes: [], isWhole: false, from: place })),
    ),
  );
  return moments.flatMap(({ atMs }, at) => {
    const { hits, n } = countedIn(tried.slice(at * runs, (at + 1) * runs).map(occurrence));
    if (n === 0) return [];
    const share = proportionInterval(hits, n, CONFIDENCE);
    return [{ atMs, hits, n, share, ...(n < runs && { unknown: runs - n }) }];
  });
}
