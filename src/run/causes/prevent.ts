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
import { counted, type PlayTrials, playedSets, type Tried } from "./trial.ts";

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

/** `gone`: in none of the fresh runs. `rarer`: less often, beyond chance. `no`: not told from the world as it was. */
export type Answer = "gone" | "rarer" | "no";

export const answerOf = ({ hits, effect }: Pick<Verified, "hits" | "effect">): Answer =>
  (effect.high ?? 0) >= 0 ? "no" : hits === 0 ? "gone" : "rarer";

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
  /** How many changes were made at once, where no single one did it; null where that was not tried. */
  readonly togetherTried: number | null;
  /** On the seeds of the search. */
  readonly variants: readonly OfVariant[];
  readonly runs: number;
}

/** What a variant of several changes does to the effect, and the least of it that suffices. */
export interface OfVariant {
  readonly variant: string;
  readonly prevents: boolean;
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
  const { play, runs } = counted(options.play);
  const step = (says: string): void => onStep(says, runs());
  step("looking for runs that show it");
  const { seeds: searchSeeds, looked } = await showing(options.seed, play);
  const none = { searchSeeds, looked, asItWas: null, verified: [], unverified: [] };
  if (searchSeeds.length === 0) {
    return { ...none, triedSingles: 0, togetherTried: null, variants: [], runs: runs() };
  }
  const holds = heldOn(searchSeeds, play);
  step(`trying ${singles.length} single changes`);
  const alone = await lasting(
    singles.map((one) => [one]),
    searchSeeds,
    play,
  );
  let found: readonly (readonly Change[])[] = alone;
  onFound(alone.map(changesText));
  let togetherTried: number | null = null;
  if (alone.length === 0) {
    const whole = together(singles);
    togetherTried = whole.length;
    step(`trying ${whole.length} of them together`);
    found = await smallestSets(whole, holds, SETS_MAX);
    onFound(found.map(changesText));
  }
  const variants = await ofVariants(options.variants, holds);
  const candidates: Candidate[] = found.slice(0, most).map((changes) => ({ changes }));
  step(`verifying ${candidates.length} answers`);
  const { asItWas, verified } = await verifiedOf({ ...options, play }, candidates);
  const unverified = found.slice(most).map(changesText);
  return {
    ...{ searchSeeds, looked, asItWas, verified, unverified },
    ...{ triedSingles: singles.length, togetherTried, variants, runs: runs() },
  };
}

/** Of those that change several things at once; one change alone is tried as such. */
async function ofVariants(
  all: PreventOptions["variants"],
  holds: Holds,
): Promise<readonly OfVariant[]> {
  const joint = all.filter(({ changes }) => changes.length > 1);
  const prevents = await holds(joint.map(({ changes }) => changes));
  const told: OfVariant[] = [];
  for (const [at, { variant, changes }] of joint.entries()) {
    const suffices = prevents[at] ? await sufficing(changes, holds) : [];
    told.push({ variant, prevents: prevents[at] === true, suffices: suffices.map(changesText) });
  }
  return told;
}

/** What named variants prevent, and which of their parts suffice. */
export async function preventBy(options: PreventOptions): Promise<Prevented> {
  const { variants, onStep = () => {} } = options;
  const { play, runs } = counted(options.play);
  onStep(`playing ${variants.length} variants`, 0);
  const { asItWas, verified } = await verifiedOf({ ...options, play }, variants);
  const { seeds: searchSeeds, looked } = await showing(options.seed, play);
  const told: Verified[] = [];
  for (const one of verified) {
    const isPreventing = answerOf(one) !== "no" && one.changes.length > 1;
    const suffices =
      isPreventing && searchSeeds.length > 0
        ? await sufficing(one.changes, heldOn(searchSeeds, play))
        : undefined;
    told.push({ ...one, ...(suffices && { suffices: suffices.map(changesText) }) });
  }
  return {
    ...{ searchSeeds, looked, asItWas, verified: told, unverified: [] },
    ...{ triedSingles: 0, togetherTried: null, variants: [], runs: runs() },
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
    seeds.push(...next.filter((_, at) => tried[at]?.occurred));
    looked += next.length;
  }
  return { seeds: seeds.slice(0, SEARCH_SEEDS), looked };
}

/** Those sets after which none of the seeds shows it, in their order: one seed first, then the others for what is left. */
async function lasting(
  sets: readonly (readonly Change[])[],
  [first = 0, ...rest]: readonly number[],
  play: PlayTrials,
): Promise<readonly (readonly Change[])[]> {
  const once = await heldOn([first], play)(sets);
  const left = sets.filter((_, at) => once[at]);
  const again = await heldOn(rest, play)(left);
  return left.filter((_, at) => again[at]);
}

const heldOn =
  (seeds: readonly number[], play: PlayTrials): Holds =>
  async (sets) => {
    const tried = await playedSets(play, sets, seeds, { isWhole: false });
    return tried.map((arm) => arm.every(isAway));
  };

/** A run that broke down does not show it, and prevents nothing. */
const isAway = ({ occurred, outcome }: Tried): boolean => !occurred && outcome === "ended";

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
  const hitsIn = (arm: readonly Tried[]): number => arm.filter(({ occurred }) => occurred).length;
  const found = candidates.map((candidate, at) => {
    const arm = arms[at] ?? [];
    const pairs = own.map((one, pair) => [bit(one), bit(arm[pair])] as const);
    const costs = (some: readonly Tried[]) => some.map((one) => one.costs);
    return {
      ...candidate,
      says: changesText(candidate.changes),
      hits: hitsIn(arm),
      still: proportionInterval(hitsIn(arm), runs, CONFIDENCE),
      effect: pairedProportionInterval(pairs, CONFIDENCE),
      differences: differences(parts, costs(own), costs(arm)),
    };
  });
  const scores = found.map(({ hits, changes, differences: all }) => [
    hits,
    changes.length,
    price(all),
  ]);
  const front = new Set(paretoFront(scores, ["minimise", "minimise", "minimise"]));
  const verified = found.map((one, at) => ({ ...one, onFront: front.has(at) }));
  const hits = hitsIn(own);
  return {
    verified,
    asItWas: { hits, n: runs, share: proportionInterval(hits, runs, CONFIDENCE) },
  };
}

const bit = (tried: Tried | undefined): 0 | 1 => (tried?.occurred ? 1 : 0);

/** What is worse by, all of it together, each in parts of what there was. */
const price = (all: readonly Difference[]): number =>
  all.reduce((sum, one) => sum + (one.isWorse ? relative(one) : 0), 0);
