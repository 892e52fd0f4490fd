/**
 * How an outcome is shared out among what it rests on: Shapley values, where a set is worth P(outcome) with all of it left out.
 * Source: L. S. Shapley, A Value for n-Person Games (1953); drawn orders: J. Castro and others, Polynomial calculation of the
 * Shapley value based on sampling (2009).
 */

import { shuffled } from "../../studies/sample/cubePoints.ts";
import { heldOutSeeds } from "../../studies/seeds.ts";
import { confidenceOfEach } from "../../studies/statistics/holm.ts";
import { CONFIDENCE, type Estimate, meanInterval } from "../../studies/statistics/intervals.ts";
import { shapleyValues } from "../../studies/statistics/shapley.ts";
import { namedRandom } from "../../substrate/random.ts";
import { type Change, changeText } from "./changes.ts";
import { counted, type Hit, occurrence, type PlayTrials, playedSets, type Trial } from "./trial.ts";

export interface SharesAsked {
  readonly changes: readonly Change[];
  readonly seed: number;
  /** Deliveries before the common point. */
  readonly from: number;
  /** Continuations; over drawn orders, one order each. */
  readonly runs: number;
  readonly play: PlayTrials;
  readonly onStep?: (says: string, runs: number) => void;
}

export interface Shares {
  /** The largest first. Together they are what leaving all of them out takes from P(outcome). */
  readonly shares: readonly { readonly says: string; readonly share: Estimate }[];
  /** P(outcome) as it was, less P(outcome) without all of them. */
  readonly whole: number;
  /** Over all subsets; else over one drawn order in each continuation. */
  readonly isExact: boolean;
  readonly n: number;
  readonly runs: number;
  /** Runs of an unknown outcome: their continuations count for nothing. */
  readonly unknown?: number;
}

/** Ours: of so many all subsets are played. */
const EXACT_MAX = 6;

export async function shares(asked: SharesAsked): Promise<Shares> {
  const { changes, seed, from, onStep = () => {} } = asked;
  const { play, runs, unknown } = counted(asked.play);
  const seeds = heldOutSeeds(seed, asked.runs);
  const isExact = changes.length <= EXACT_MAX;
  onStep(`sharing it out among ${changes.length}`, runs());
  const how = { isWhole: false, from };
  const table = isExact
    ? await overSubsets(changes.length, async (sets) => {
        const tried = await playedSets(play, sets.map(of(changes)), seeds, how);
        return seeds.map((_, at) => tried.flatMap((arm) => arm.slice(at, at + 1).map(occurrence)));
      })
    : await alongOrders(changes, seeds, async (sets) => {
        const tried = await play(sets.map((one): Trial => ({ ...one, ...how })));
        return tried.map(occurrence);
      });
  const confidence = confidenceOfEach(changes.length, CONFIDENCE);
  const found = changes.map((change, player) => ({
    says: changeText(change),
    share: meanInterval(
      table.map((row) => row[player] ?? 0),
      confidence,
    ),
  }));
  const whole = found.reduce((sum, { share }) => sum + share.estimate, 0);
  return {
    // The order of equals is that of the suspects.
    shares: found.toSorted((a, b) => b.share.estimate - a.share.estimate),
    ...{ whole, isExact, n: table.length, runs: runs(), ...unknown() },
  };
}

const of =
  (changes: readonly Change[]) =>
  (set: readonly number[]): readonly Change[] =>
    set.flatMap((player) => changes[player] ?? []);

const isKnown = (row: readonly Hit[]): row is readonly (0 | 1)[] => !row.includes(null);

/** For each continuation, each player's share over all subsets. `worth`: by continuation, of each set. */
async function overSubsets(
  players: number,
  worth: (sets: readonly (readonly number[])[]) => Promise<readonly (readonly Hit[])[]>,
): Promise<readonly (readonly number[])[]> {
  const all = Array.from({ length: players }, (_, player) => player);
  const sets = Array.from({ length: 2 ** players }, (_, mask) =>
    all.filter((player) => (mask >> player) & 1),
  );
  const rows = await worth(sets);
  // Who is left out takes from the outcome.
  return rows.filter(isKnown).map((row) =>
    shapleyValues(
      players,
      row.map((one) => 0 - one),
    ),
  );
}

/** For each continuation, each player's share along one drawn order: what leaving it out takes, after those before it. */
async function alongOrders(
  changes: readonly Change[],
  seeds: readonly number[],
  worth: (sets: readonly Pick<Trial, "seed" | "changes">[]) => Promise<readonly Hit[]>,
): Promise<readonly (readonly number[])[]> {
  const orders = seeds.map((seed) =>
    shuffled(changes.length, namedRandom(seed).at("shares", "order", 0)),
  );
  const worths = await worth(
    orders.flatMap((order, at) =>
      Array.from({ length: order.length + 1 }, (_, first) => ({
        seed: seeds[at] ?? 0,
        changes: of(changes)(order.slice(0, first)),
      })),
    ),
  );
  return orders.flatMap((order, row) => {
    const own = worths.slice(row * (order.length + 1), (row + 1) * (order.length + 1));
    if (!isKnown(own)) return [];
    const shared = order.map(() => 0);
    for (const [at, player] of order.entries()) {
      shared[player] = (own[at] ?? 0) - (own[at + 1] ?? 0);
    }
    return [shared];
  });
}
