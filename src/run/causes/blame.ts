/**
 * Which choice or input decided: each left out alone, from one common point before the first of them, and all of them left out
 * together and shrunk, so that causes which only work together are found as well.
 */

import { heldOutSeed } from "../../studies/seeds.ts";
import { confidenceOfEach } from "../../studies/statistics/holm.ts";
import { CONFIDENCE, type Estimate } from "../../studies/statistics/intervals.ts";
import {
  pairedProportionInterval,
  proportionInterval,
} from "../../studies/statistics/proportions.ts";
import { type Change, changeText } from "./changes.ts";
import { smallestSets } from "./smallest.ts";
import type { Suspect } from "./suspects.ts";
import { counted, occurrence, type PlayTrials, playedSets, type Trial } from "./trial.ts";

export interface BlameOptions {
  readonly seed: number;
  readonly suspects: readonly Suspect[];
  /** Other values of leaves that may change on the way. */
  readonly leaves: readonly Change[];
  /** Deliveries before the common point. */
  readonly from: number;
  /** All draws of the run as they were: yes or no, in place of a probability. */
  readonly isExact: boolean;
  /** Continuations of each arm. */
  readonly runs: number;
  readonly play: PlayTrials;
  readonly onStep?: (says: string, runs: number) => void;
  readonly onFound?: (says: readonly string[]) => void;
}

export interface Blamed {
  readonly change: Change;
  readonly says: string;
  /** Of an outside input or a choice. */
  readonly suspect: Suspect | null;
  /** Continuations in which the outcome still came about. */
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
  /** Sets of several of which all must be left out; a single one that is enough stands in the ranking. */
  readonly joint: readonly (readonly string[])[];
  /** Whether it is gone without all of them; null where it came about in no continuation, and nothing can be told. */
  readonly goneWithoutAll: boolean | null;
  /** Of each interval of the ranking, so that all of them hold at once as often as one of 95 % does. */
  readonly confidence: number;
  readonly runs: number;
}

/** Ours: continuations after which a leaf that changed nothing is left. */
const FIRST = 4;
/** Ours: continuations that show the outcome, on which sets are shrunk, and how many sets are looked for. */
const SHOWING = 4;
const SETS_MAX = 4;

export async function blame(options: BlameOptions): Promise<Told> {
  const { suspects, leaves, from, isExact, onStep = () => {}, onFound = () => {} } = options;
  const { play, runs } = counted(options.play);
  const n = isExact ? 1 : options.runs;
  const seeds = isExact
    ? [options.seed]
    : Array.from({ length: n }, (_, at) => heldOutSeed(options.seed, at));
  const outcomes = outcomesWith(play, from);
  onStep("going on as it was", runs());
  const [own = []] = await outcomes([[]], seeds);
  onStep(`leaving out ${suspects.length} one by one`, runs());
  const alone = await outcomes(
    suspects.map(({ change }) => [change]),
    seeds,
  );
  const ranked = suspects.map((suspect, at) => ({
    suspect,
    change: suspect.change,
    arm: alone[at] ?? [],
  }));
  onFound(ranked.map(({ change, arm }) => `${changeText(change)}: ${sum(arm)} of ${n}`));
  onStep(`trying ${leaves.length} values of the policy`, runs());
  const few = seeds.slice(0, FIRST);
  const first = await outcomes(
    leaves.map((one) => [one]),
    few,
  );
  const telling = leaves.filter((_, at) =>
    (first[at] ?? []).some((one, pair) => one !== own[pair]),
  );
  const whole = await outcomes(
    telling.map((one) => [one]),
    seeds,
  );
  const arms = [
    ...ranked,
    ...telling.map((change, at) => ({ suspect: null, change, arm: whole[at] ?? [] })),
  ];
  const confidence = confidenceOfEach(arms.length, CONFIDENCE);
  const ranking = arms.map(({ suspect, change, arm }): Blamed => {
    const pairs = own.map((one, at) => [arm[at] ?? 0, one] as const);
    const effect = isExact ? null : pairedProportionInterval(pairs, confidence);
    return { change, says: changeText(change), suspect, hits: sum(arm), n, effect };
  });
  // The order of equals is that of the suspects.
  const sorted = ranking.toSorted((a, b) => a.hits - b.hits);
  const showing = seeds.filter((_, at) => own[at] === 1).slice(0, SHOWING);
  onStep("leaving out all of them, and fewer", runs());
  // Whatever is enough alone has been found: a set of several is one of the others.
  const enough = ranked.filter(({ arm }) => sum(arm) === 0).map(({ change }) => change);
  const rest = suspects.map(({ change }) => change).filter((one) => !enough.includes(one));
  const together = await jointly(rest, enough.length > 0, showing, outcomes);
  return {
    asItWas: { hits: sum(own), n, share: proportionInterval(sum(own), n, CONFIDENCE) },
    ranking: sorted,
    indifferent: leaves.length - telling.length,
    ...together,
    confidence,
    runs: runs(),
  };
}

type Outcomes = (
  sets: readonly (readonly Change[])[],
  seeds: readonly number[],
) => Promise<readonly (readonly (0 | 1)[])[]>;

const outcomesWith =
  (play: PlayTrials, from: number): Outcomes =>
  async (sets, seeds) => {
    const tried = await playedSets(play, sets, seeds, { isWhole: false, from });
    return tried.map((arm) => arm.map(occurrence));
  };

const sum = (arm: readonly number[]): number => arm.reduce((total, one) => total + one, 0);

/** `isGone`: a single change is enough, so that all of them together are. */
async function jointly(
  changes: readonly Change[],
  isGone: boolean,
  showing: readonly number[],
  outcomes: Outcomes,
): Promise<Pick<Told, "joint" | "goneWithoutAll">> {
  if (showing.length === 0) return { joint: [], goneWithoutAll: isGone ? true : null };
  const holds = async (sets: readonly (readonly Change[])[]) =>
    (await outcomes(sets, showing)).map((arm) => sum(arm) === 0);
  const joint = changes.length > 1 ? await smallestSets(changes, holds, SETS_MAX) : [];
  const several = joint.filter((set) => set.length > 1).map((set) => set.map(changeText));
  return { joint: several, goneWithoutAll: isGone || joint.length > 0 };
}

/** P(outcome) as it was, gone on with from a moment. */
export interface AtMoment {
  readonly atMs: number;
  readonly hits: number;
  readonly n: number;
  readonly share: Estimate;
}

/** At each of these moments: how often it comes about from there on. */
export async function commitment(
  moments: readonly { readonly atMs: number; readonly place: number }[],
  { seed, runs, play: given, onStep }: Pick<BlameOptions, "seed" | "runs" | "play" | "onStep">,
): Promise<readonly AtMoment[]> {
  const { play } = counted(given);
  onStep?.(`going on from ${moments.length} moments`, 0);
  const seeds = Array.from({ length: runs }, (_, at) => heldOutSeed(seed, at));
  const tried = await play(
    moments.flatMap(({ place }) =>
      seeds.map((one): Trial => ({ seed: one, changes: [], isWhole: false, from: place })),
    ),
  );
  return moments.map(({ atMs }, at) => {
    const hits = sum(tried.slice(at * runs, (at + 1) * runs).map(occurrence));
    return { atMs, hits, n: runs, share: proportionInterval(hits, runs, CONFIDENCE) };
  });
}
