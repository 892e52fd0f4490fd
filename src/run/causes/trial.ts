/** One run of a search for causes, as data: what is asked of a thread, and what it answers. */

import type { Change } from "./changes.ts";
import type { Suspect } from "./suspects.ts";

export interface Trial {
  readonly seed: number;
  readonly changes: readonly Change[];
  /** Plays on after the effect is certain, and measures what else came of it. */
  readonly isWhole: boolean;
  /**
   * Where it leaves the recorded run, in deliveries; from there on every draw is of the trial's seed. From the start where
   * absent.
   */
  readonly from?: number;
  /** Also tells on what the effect rests, where it came about. */
  readonly isTelling?: boolean;
}

export interface Tried {
  readonly occurred: boolean;
  /** How the run ended; a trial that is cut short once its effect is certain has ended. */
  readonly outcome: string;
  /** A stand-in left its recording: nobody knows what it would have come to. */
  readonly isUnknown?: boolean;
  /** Of a whole one: the world's last value of each metric that costs somebody something. */
  readonly costs: { readonly [metric: string]: number };
  /** Of a telling one. */
  readonly suspects?: readonly Suspect[];
}

/** Whether the effect came about; null where that is unknown, and the run counts for nothing. */
export type Hit = 0 | 1 | null;

/** A run that broke down tells nothing of what it would have come to: it counts as the world as it was. */
export const occurrence = ({ occurred, outcome, isUnknown }: Tried): Hit =>
  isUnknown ? null : occurred || outcome !== "ended" ? 1 : 0;

export const knownOf = (hits: readonly Hit[]): readonly (0 | 1)[] =>
  hits.filter((one) => one !== null);

/** Of the same seeds, those of which both are known. */
export const knownPairs = (
  own: readonly Hit[],
  arm: readonly Hit[],
): readonly (readonly [own: 0 | 1, arm: 0 | 1])[] =>
  arm.flatMap((one, at) => {
    const before = own[at] ?? null;
    return one === null || before === null ? [] : [[before, one] as const];
  });

/** Plays them all, in their order; fewer where it was interrupted. */
export type PlayTrials = (trials: readonly Trial[]) => Promise<readonly Tried[]>;

/** Each of these sets of changes on each seed: what came of them, set by set. */
export async function playedSets(
  play: PlayTrials,
  sets: readonly (readonly Change[])[],
  seeds: readonly number[],
  how: Pick<Trial, "isWhole" | "from">,
): Promise<readonly (readonly Tried[])[]> {
  const tried = await play(
    sets.flatMap((changes) => seeds.map((seed): Trial => ({ seed, changes, ...how }))),
  );
  return sets.map((_, set) => tried.slice(set * seeds.length, (set + 1) * seeds.length));
}

/** A search that was interrupted between two rounds. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** The same trials, counted, and those of an unknown outcome; throws Interrupted where some were not played. */
export function counted(play: PlayTrials): {
  readonly play: PlayTrials;
  readonly runs: () => number;
  /** Nothing where there is none. */
  readonly unknown: () => { readonly unknown?: number };
} {
  let [runs, unknown] = [0, 0];
  return {
    play: async (trials) => {
      const tried = await play(trials);
      runs += tried.length;
      unknown += tried.filter(({ isUnknown }) => isUnknown).length;
      if (tried.length < trials.length) throw new Interrupted("interrupted");
      return tried;
    },
    runs: () => runs,
    unknown: () => (unknown > 0 ? { unknown } : {}),
  };
}
