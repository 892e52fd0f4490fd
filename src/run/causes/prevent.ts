/**
 * Which least changes keep an effect from a world: single ones by elimination on seeds that show it, sets where no single one
 * does, and each of those verified on seeds that the search never saw.
 */

import type { Part } from "../../contract/part.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { paretoFront } from "../../studies/search/pareto.ts";
import { heldOutSeeds } from "../../studies/seeds.ts";
import { CONFIDENCE, type Estimate } from "../../studies/statistics/intervals.ts";
import {
  pairedProportionInterval,
  proportionInterval,
} from "../../studies/statistics/proportions.ts";
import { SEED_MAX } from "../../substrate/random.ts";
import type { Candidate } from "./candidates.ts";
import { type Change, changesText } from "./changes.ts";
import { type Difference, differences, relative } from "./costs.ts";
import { smallest, smallestSets } from "./smallest.ts";
import {
  counted,
  type Hit,
  knownOf,
  knownPairs,
  type PlayTrials,
  playedSets,
  type Tried,
} from "./trial.ts";

export interface PreventOptions {
  readonly parts: readonly Part[];
  readonly seed: Scenario["seed"];
  readonly singles: readonly Change[];
  readonly variants: readonly (Candidate & { readonly variant: string })[];
  /** Fresh seeds on which each answer is verified. */
  readonly runs: number;
  /** How many answers are verified at most. */
  readonly most: number;
  readonly play: PlayTrials;
  /** What is going on now, and in how many runs. */
  readonly onStep?: (says: string, runs: number) => void;
  /** What prevented it in the search, as soon as that is known. */
  readonly onFound?: (says: readonly string[]) => void;
}

/** A change or a set, verified. */
export interface Verified extends Candidate {
  readonly says: string;
  /** In how many of the fresh runs the effect still was. */
  readonly hits: number;
  readonly still: Estimate;
  /** The paired difference from the world as it was. */
  readonly effect: Estimate;
  readonly differences: readonly Difference[];
  /** Nothing else that was verified is as good in the effect, in its costs and in the number of changes, and better in one. */
  readonly onFront: boolean;
  /** Of a variant that prevents: its smallest sets that suffice. */
  readonly suffices?: readonly string[];
}

/**
 * `gone`: in none of the fresh runs. `rarer`: less often, beyond chance. `no`: not told from the world as it was. `unknown`: of
 * every fresh run, as a stand-in left its recording.
 */
export type Answer = "gone" | "rarer" | "no" | "unknown";

export const answerOf = ({ hits, effect }: Pick<Verified, "hits" | "effect">): Answer =>
  effect.n === 0 ? "unknown" : (effect.high ?? 0) >= 0 ? "no" : hits === 0 ? "gone" : "rarer";

export interface Prevented {
  /** Seeds of the search, which show the effect as it was. */
  readonly searchSeeds: readonly number[];
  /** How many seeds were played to find them. */
  readonly looked: number;
  readonly asItWas: { readonly hits: number; readonly n: number; readonly share: Estimate } | null;
  readonly verified: readonly Verified[];
  /** Prevented it in the search; there were too many to verify. */
  readonly unverified: readonly string[];
  readonly triedSingles: number;
  /** Of these the outcome is unknown on a seed of the search, and gone on the others; none when absent. */
  readonly unknownSingles?: number;
  /** How many changes were made at once, where no single one did it; null where that was not tried. */
  readonly togetherTried: number | null;
  /** On the seeds of the search. */
  readonly variants: readonly OfVariant[];
  readonly runs: number;
  /** Runs of an unknown outcome, which count for nothing; none when absent. */
  readonly unknown?: number;
}

/** What a variant of several changes does to the effect, and the least of it that suffices. */
export interface OfVariant {
  readonly variant: string;
  readonly prevents: boolean;
  readonly isUnknown?: true;
  readonly suffices: readonly string[];
}

/** Ours: an effect that is not in one of so many runs is nothing that a search can learn from. */
const LOOKED_MAX = 24;
/** Ours: seeds on which what prevented it once must do so again. */
const SEARCH_SEEDS = 4;
/** Ours: how many smallest sets are looked for. */
const SETS_MAX = 3;

export async function prevent(options: PreventOptions): Promise<Prevented> {
  const { singles, onStep = () => {}, onFound = () => {}, most } = options;
  const { play, runs, unknown } = counted(options.play);
  const step = (says: string): void => onStep(says, runs());
  step("looking for runs that show it");
  const { seeds: searchSeeds, looked } = await showing(options.seed, play);
  const none = { searchSeeds, looked, asItWas: null, verified: [], unverified: [] };
  if (searchSeeds.length === 0) {
    const nothing = { triedSingles: 0, togetherTried: null, variants: [] };
    return { ...none, ...nothing, runs: runs(), ...unknown() };
  }
  const holds = heldOn(searchSeeds, play);
  step(`trying ${singles.length} single changes`);
  const { left: alone, open } = await lasting(
    singles.map((one) => [one]),
    searchSeeds,
    play,
  );
  let found: readonly (readonly Change[])[] = alone;
  onFound(alone.map(changesText));
  let togetherTried: number | null = null;
  if (alone.length === 0) {
    const isOpen = new Set(open.flat());
    const whole = together(singles.filter((one) => !isOpen.has(one)));
    togetherTried = whole.length;
    step(`trying ${whole.length} of them together`);
    found = await smallestSets(whole, holds, SETS_MAX);
    onFound(found.map(changesText));
  }
  const variants = await ofVariants(options.variants, searchSeeds, play);
  const candidates: Candidate[] = found.slice(0, most).map((changes) => ({ changes }));
  step(`verifying ${candidates.length} answers`);
  const { asItWas, verified } = await verifiedOf({ ...options, play }, candidates);
  const unverified = found.slice(most).map(changesText);
  return {
    ...{ searchSeeds, looked, asItWas, verified, unverified },
    ...{ triedSingles: singles.length, togetherTried, variants, runs: runs() },
    ...(open.length > 0 && { unknownSingles: open.length }),
    ...unknown(),
  };
}

/** Of those that change several things at once; one change alone is tried as such. */
async function ofVariants(
  all: PreventOptions["variants"],
  seeds: readonly number[],
  play: PlayTrials,
): Promise<readonly OfVariant[]> {
  const joint = all.filter(({ changes }) => changes.length > 1);
  const sets = joint.map(({ changes }) => changes);
  const arms = await playedSets(play, sets, seeds, { isWhole: false });
  const told: OfVariant[] = [];
  for (const [at, { variant, changes }] of joint.entries()) {
    const arm = arms[at] ?? [];
    const prevents = arm.every(isAway);
    const suffices = prevents ? await sufficing(changes, heldOn(seeds, play)) : [];
    const isUnknown = isOpen(arm) && ({ isUnknown: true } as const);
    told.push({ variant, prevents, ...isUnknown, suffices: suffices.map(changesText) });
  }
  return told;
}

/** What named variants prevent, and which of their parts suffice. */
export async function preventBy(options: PreventOptions): Promise<Prevented> {
  const { variants, onStep = () => {} } = options;
  const { play, runs, unknown } = counted(options.play);
  onStep(`playing ${variants.length} variants`, 0);
  const { asItWas, verified } = await verifiedOf({ ...options, play }, variants);
  const { seeds: searchSeeds, looked } = await showing(options.seed, play);
  const told: Verified[] = [];
  for (const one of verified) {
    const isPreventing = ["gone", "rarer"].includes(answerOf(one)) && one.changes.length > 1;
    const suffices =
      isPreventing && searchSeeds.length > 0
        ? await sufficing(one.changes, heldOn(searchSeeds, play))
        : undefined;
    told.push({ ...one, ...(suffices && { suffices: suffices.map(changesText) }) });
  }
  return {
    ...{ searchSeeds, looked, asItWas, verified: told, unverified: [] },
    ...{ triedSingles: 0, togetherTried: null, variants: [], runs: runs(), ...unknown() },
  };
}

type Holds = (sets: readonly (readonly Change[])[]) => Promise<readonly boolean[]>;

/** Each part that does it alone; where none does, one smallest set. Empty where not even all of it does on these seeds. */
async function sufficing(
  changes: readonly Change[],
  holds: Holds,
): Promise<readonly (readonly Change[])[]> {
  const [whole, ...alone] = await holds([changes, ...changes.map((one) => [one])]);
  const sufficient = changes.filter((_, at) => alone[at]).map((one) => [one]);
  if (sufficient.length > 0) return sufficient;
  return whole ? [await smallest(changes, holds)] : [];
}

/** The first seeds, from the world's own on, in which the effect is. */
async function showing(seed: number, play: PlayTrials) {
  const seeds: number[] = [];
  let looked = 0;
  while (seeds.length < SEARCH_SEEDS && looked < LOOKED_MAX) {
    const next = Array.from(
      { length: SEARCH_SEEDS },
      (_, at) => (seed + looked + at) % (SEED_MAX + 1),
    );
    const tried = await play(next.map((one) => ({ seed: one, changes: [], isWhole: false })));
    seeds.push(...next.filter((_, at) => bit(tried[at]) === 1));
    looked += next.length;
  }
  return { seeds: seeds.slice(0, SEARCH_SEEDS), looked };
}

/**
 * Those sets after which none of the seeds shows it, in their order: one seed first, then the others for what is left. `open`:
 * those of which that is unknown.
 */
async function lasting(
  sets: readonly (readonly Change[])[],
  [first = 0, ...rest]: readonly number[],
  play: PlayTrials,
) {
  const once = await playedSets(play, sets, [first], { isWhole: false });
  const then = sets.filter((_, at) => once[at]?.every(isAway));
  const again = await playedSets(play, then, rest, { isWhole: false });
  const open = [
    ...sets.filter((_, at) => isOpen(once[at] ?? [])),
    ...then.filter((_, at) => isOpen(again[at] ?? [])),
  ];
  return { left: then.filter((_, at) => again[at]?.every(isAway)), open };
}

const heldOn =
  (seeds: readonly number[], play: PlayTrials): Holds =>
  async (sets) => {
    const tried = await playedSets(play, sets, seeds, { isWhole: false });
    return tried.map((arm) => arm.every(isAway));
  };

/** A run that broke down does not show it, and prevents nothing; nor does one of which it is unknown. */
const isAway = ({ occurred, outcome, isUnknown }: Tried): boolean =>
  !occurred && outcome === "ended" && !isUnknown;

/** Gone wherever that is known, and not known everywhere. */
const isOpen = (arm: readonly Tried[]): boolean =>
  arm.some(({ isUnknown }) => isUnknown) && arm.every((one) => one.isUnknown || isAway(one));

/** One value of each leaf, the first that a person would try; everything that can be left out. Numbers stay, and tools work. */
function together(singles: readonly Change[]): readonly Change[] {
  const paths = new Set<string>();
  return singles.filter((change) => {
    if (change.kind !== "set") return change.kind !== "fault";
    if (typeof change.value === "number" || typeof change.value === "object") return false;
    if (paths.has(change.path)) return false;
    paths.add(change.path);
    return true;
  });
}

async function verifiedOf(
  { parts, seed, runs, play }: Pick<PreventOptions, "parts" | "seed" | "runs" | "play">,
  candidates: readonly Candidate[],
): Promise<Pick<Prevented, "verified"> & { asItWas: NonNullable<Prevented["asItWas"]> }> {
  const seeds = heldOutSeeds(seed, runs);
  const sets = [[], ...candidates.map(({ changes }) => changes)];
  const [own = [], ...arms] = await playedSets(play, sets, seeds, { isWhole: true });
  const ownBits = own.map(bit);
  const shareIn = (bits: readonly Hit[]) => {
    const known = knownOf(bits);
    const hits = known.filter((one) => one === 1).length;
    return { hits, share: proportionInterval(hits, known.length, CONFIDENCE) };
  };
  const found = candidates.map((candidate, at) => {
    const arm = arms[at] ?? [];
    const bits = arm.map(bit);
    const { hits, share: still } = shareIn(bits);
    const isKnown = (_: Tried, pair: number): boolean =>
      ownBits[pair] !== null && bits[pair] !== null;
    const costs = (some: readonly Tried[]) => some.filter(isKnown).map((one) => one.costs);
    return {
      ...candidate,
      says: changesText(candidate.changes),
      ...{ hits, still },
      effect: pairedProportionInterval(knownPairs(ownBits, bits), CONFIDENCE),
      differences: differences(parts, costs(own), costs(arm)),
    };
  });
  const known = found.filter((one) => answerOf(one) !== "unknown");
  const scores = known.map(({ still, changes, differences: all }) => [
    still.estimate,
    changes.length,
    price(all),
  ]);
  const front = new Set(
    paretoFront(scores, ["minimise", "minimise", "minimise"]).map((at) => known[at]),
  );
  const verified = found.map((one) => ({ ...one, onFront: front.has(one) }));
  const { hits, share } = shareIn(ownBits);
  return { verified, asItWas: { hits, n: share.n, share } };
}

const bit = (tried: Tried | undefined): Hit => (tried?.isUnknown ? null : tried?.occurred ? 1 : 0);

/** What is worse by, all of it together, each in parts of what there was. */
const price = (all: readonly Difference[]): number =>
  all.reduce((sum, one) => sum + (one.isWorse ? relative(one) : 0), 0);
