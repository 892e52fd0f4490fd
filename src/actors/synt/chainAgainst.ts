/** Chains of ever more hops against an executor that works: when R takes the chain. Source: seed 002, 6. */
import { compareShares, decimalOf, type Share } from "../../machines/synt/score/exactShare.ts";
import {
  chainRate,
  type Measured,
  type RewardPolicy,
  reward,
} from "../../machines/synt/score/reward.ts";

/** Seed 002, 6: "a 7-hop composition that wins over a correct generation". */
export const WRONG_HOPS = 7;
/** Beyond this many hops a chain is said to win at any length. */
const HOPS_TRIED = 100;

export interface ChainAgainstGeneration {
  /** Success rate of each hop. */
  readonly perHop: number;
  /** R by number of hops, 1 … 7. */
  readonly totals: readonly number[];
  /** Most hops at which the chain is still taken before a correct generation; null: any number. */
  readonly longestWinning: number | null;
}

const chainTotal = (perHop: number, hops: number, best: Measured, by: RewardPolicy): Share => {
  const seen = { ok: perHop, runs: 1000 };
  return reward({ ...best, det: chainRate(new Array(hops).fill(seen)) }, by).total;
};

export function chainAgainst(
  perHop: number,
  best: Measured,
  generated: Share,
  by: RewardPolicy,
): ChainAgainstGeneration {
  const total = (hops: number) => chainTotal(perHop, hops, best, by);
  // Each hop more lowers R, or leaves it as it is.
  const longest = firstOf(HOPS_TRIED, (more) => compareShares(total(more + 1), generated) < 0);
  return {
    perHop: perHop / 1000,
    totals: Array.from({ length: WRONG_HOPS }, (_, index) => decimalOf(total(index + 1))),
    longestWinning: longest === HOPS_TRIED ? null : longest,
  };
}

/** From which success of a hop on a structurally wrong chain wins; null: from none. */
export function wrongWinsFrom(best: Measured, generated: Share, by: RewardPolicy): number | null {
  const wins = (perHop: number) =>
    compareShares(chainTotal(perHop, WRONG_HOPS, best, by), generated) >= 0;
  const perHop = firstOf(1001, wins);
  return perHop > 1000 ? null : perHop / 1000;
}

/** The first number from 0 on that holds, and with it all that follow; `end` when none below it does. */
function firstOf(end: number, holds: (number: number) => boolean): number {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
