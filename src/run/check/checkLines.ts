/** A check: many worlds and draws, and how each property fared in them. No IO. */
import type { Property, RunProperty, Violation, WorldProperty } from "../../contract/property.ts";
import {
  type Fared,
  type Shrunk,
  seedAfter,
  shrunk,
  type Tried,
  tryWorld,
  type Worlds,
} from "./check.ts";
import { tryUnit } from "./checkUnit.ts";

export interface CheckPlan {
  readonly worlds: Worlds;
  readonly chosen: readonly Property[];
  /** The first world's seed; each next world has the next one. */
  readonly first: number;
  readonly runs: number;
  /** Smaller worlds that are tried for one that breaks a promise. */
  readonly playsMax: number;
}

/** Ours: a world takes some ten milliseconds, one near a scenario as long as the scenario. */
export const RUNS = { random: 100, near: 10 };
export const PLAYS_MAX = { random: 300, near: 60 };
/** Ours: drawing inputs costs next to nothing. */
const drawsOf = (runs: number): number => Math.min(2_000, Math.max(200, runs * 10));

/**
 * `found`: broken as a ruling says it is; `not found`: it should be, and no world showed it. `seen` and `unseen` are said of
 * findings on any log, which promise nothing.
 */
export type Status = "held" | "untested" | "broken" | "found" | "not found" | "seen" | "unseen";

export interface Line {
  readonly property: Property;
  readonly status: Status;
  /** How often it was put to the test. */
  readonly moments: number;
  /** The seed of the first world or draw that broke it; `brokenIn` says how many did. */
  readonly seed: number | null;
  readonly violation: Violation | null;
  readonly brokenIn: number;
}

export interface Checked {
  readonly tried: readonly Tried[];
  /** In the order of the chosen properties. */
  readonly lines: readonly Line[];
}

/** Between two plays, with how many there were; true ends the check. */
export type OnPlay = (plays: number) => Promise<boolean>;

/** Who else plays worlds of a check. */
export interface Sharing {
  /** The number of the next world that nobody has taken. */
  take(): number;
  /** How many worlds the others have played. */
  done(): number;
  /** No world is taken any more. */
  stop(): void;
  /** What the others played, by number, once they are through. */
  rest(): Promise<ReadonlyMap<number, Tried>>;
}

/** Nobody. */
function unshared(): Sharing {
  let next = 0;
  return { take: () => next++, done: () => 0, stop: () => {}, rest: async () => new Map() };
}

/**
 * Plays world after world, and draws for each property of drawn inputs. Whoever played a world, it comes out
 * the same and stands in its place.
 */
export async function checkAll(
  plan: CheckPlan,
  onPlay: OnPlay,
  sharing: Sharing = unshared(),
): Promise<Checked> {
  const { chosen, first, runs } = plan;
  const own = new Map<number, Tried>();
  let isOver = false;
  const play = async (at: number): Promise<void> => {
    own.set(at, await triedAt(plan, at));
    isOver = await onPlay(own.size + sharing.done());
  };
  for (let at = sharing.take(); at < runs && !isOver; at = sharing.take()) await play(at);
  sharing.stop();
  const others = await sharing.rest();
  isOver ||= await onPlay(own.size + others.size);
  const tried: Tried[] = [];
  for (let at = 0; at < runs; at++) {
    // A world that failed elsewhere.
    if (!own.has(at) && !others.has(at) && !isOver) await play(at);
    const one = own.get(at) ?? others.get(at);
    if (one !== undefined) tried.push(one);
  }
  const lines = chosen.map((property) =>
    lineOf(
      property,
      tried,
      property.kind === "unit" ? tryUnit(property, first, drawsOf(runs)) : undefined,
    ),
  );
  return { tried, lines };
}

/** The world of this number. */
export function triedAt(
  { worlds, chosen, first }: Pick<CheckPlan, "worlds" | "chosen" | "first">,
  at: number,
): Promise<Tried> {
  const played = chosen.filter(({ kind }) => kind !== "unit");
  const seed = seedAfter(first, at);
  return played.length === 0 ? Promise.resolve(unplayed(seed)) : tryWorld(worlds, seed, played);
}

/** For a check of drawn inputs alone, which plays no world. */
const unplayed = (seed: number): Tried => ({
  ...{ seed, deliveries: 0, outcome: "not played", fared: {} },
  ...{ pythonCalls: 0, shellCalls: 0 },
});

/** A small world that breaks the promise of this line; undefined where no world does. */
export async function smallest(
  { worlds, playsMax }: CheckPlan,
  { property, seed }: Line,
  onPlay: OnPlay,
): Promise<Shrunk | undefined> {
  if (property.kind === "unit" || seed === null) return undefined;
  const played: WorldProperty | RunProperty = property;
  return shrunk(worlds, played, seed, { playsMax, onPlay });
}

/** How often each name occurs. */
export function counted(names: readonly string[]): { readonly [name: string]: number } {
  const counts: { [name: string]: number } = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** `unit` is how a property of drawn inputs fared; the others fared in the worlds. */
export function lineOf(property: Property, tried: readonly Tried[], unit?: Fared): Line {
  const first = tried[0]?.seed ?? 0;
  const all = unit
    ? [{ seed: first, ...unit }]
    : tried.flatMap(({ seed, fared }) => {
        const one = fared[property.id];
        return one === undefined ? [] : [{ seed, ...one }];
      });
  const moments = all.reduce((sum, one) => sum + one.moments, 0);
  const broken = all.filter(({ violation }) => violation !== null);
  const { seed = null, violation = null } = broken[0] ?? {};
  const { broken: isSo, kept, untested } = STATUSES[property.expected];
  const status = violation !== null ? isSo : moments > 0 ? kept : untested;
  return { property, status, moments, seed, violation, brokenIn: broken.length };
}

const STATUSES: {
  readonly [expected in Property["expected"]]: {
    readonly [how in "broken" | "kept" | "untested"]: Status;
  };
} = {
  holds: { broken: "broken", kept: "held", untested: "untested" },
  violated: { broken: "found", kept: "not found", untested: "not found" },
  noted: { broken: "seen", kept: "unseen", untested: "untested" },
};
