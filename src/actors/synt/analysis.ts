/**
 * What the weights of R imply, found by calculation over the policy: for the person who tunes them.
 * Calculated in exact shares and shown as decimals; a minimal value is rounded up, so that it passes.
 */

import {
  ALL,
  ceiledTo,
  compareShares,
  decimalOf,
  minus,
  NONE,
  type Share,
  share,
  times,
} from "../../machines/synt/score/exactShare.ts";
import {
  BILLION,
  type Measured,
  passesThreshold,
  reachable,
  reward,
  STRATEGIES,
  type Strategy,
} from "../../machines/synt/score/reward.ts";
import type { TierConfig } from "../../machines/synt/stages/stageTiers.ts";
import type { SyntPolicy } from "../../machines/synt/syntPolicy.ts";
import type { Minima, Range, StrategyAnalysis, SyntAnalysis } from "./analysed.ts";
import { chainAgainst, WRONG_HOPS, wrongWinsFrom } from "./chainAgainst.ts";
import { findingsOf } from "./findings.ts";
import { costsNothing, type Fixed, fixedTerms, MEASURED, type MeasuredTerm } from "./fixedTerms.ts";

const HALF: Share = [1, 2];
const PER_HOP = [900, 950, 970, 990, 1000];
const TEST_RUNS = [4, 5, 6];

interface Assumed {
  /** What the judge is taken to say, 0 … 1; of two minds when absent. */
  readonly judge?: Share;
  /** The models that serve the tiers; the user's own when absent. */
  readonly tiers?: TierConfig;
}

export function analyseSynt(
  policy: SyntPolicy,
  { judge = HALF, tiers = {} }: Assumed = {},
): SyntAnalysis {
  const { reward: by } = policy;
  const isFree = costsNothing(policy, tiers);
  const best = (strategy: Strategy) => {
    const isDear = !isFree && policy.tiers.estimateCents[strategy] === 0;
    return { ...bestOf(strategy), judge, cost: isDear ? NONE : ALL };
  };
  const bonuses = STRATEGIES.map((strategy) => by.bonus[strategy]);
  const generated = reward(best("generate"), by).total;
  const facts = {
    gate: by.gate / 1000,
    judge: decimalOf(judge),
    isFree,
    unestimated: STRATEGIES.filter((strategy) => policy.tiers.estimateCents[strategy] === 0),
    strategies: STRATEGIES.map((strategy) => strategyAnalysis(strategy, judge, policy, isFree)),
    ties: STRATEGIES.flatMap((a, index) =>
      STRATEGIES.slice(index + 1)
        .filter((b) => by.bonus[a] * by.weights.bonus === by.bonus[b] * by.weights.bonus)
        .map((b) => [a, b] as const),
    ),
    order: {
      strict:
        by.weights.bonus > 0 && bonuses.every((one, i) => i === 0 || one < at(bonuses, i - 1)),
      weak: bonuses.every((one, i) => i === 0 || one <= at(bonuses, i - 1)),
    },
    tests: TEST_RUNS.map((run) => ({ run, mayFail: mayFail(run, best("generate"), by) })),
    generated: decimalOf(generated),
    chains: PER_HOP.map((perHop) => chainAgainst(perHop, best("compose"), generated, by)),
    wrongChain: {
      hops: WRONG_HOPS,
      winsFrom: wrongWinsFrom(best("compose"), generated, by),
      isStopped: policy.compose.hopsMax < WRONG_HOPS,
    },
  };
  return { ...facts, findings: findingsOf(facts) };
}

type RewardBy = SyntPolicy["reward"];

const at = (list: readonly number[], index: number): number => list[index] ?? 0;

const bestOf = (strategy: Strategy): Measured => ({
  strategy,
  det: ALL,
  judge: ALL,
  cost: ALL,
  cosine: 0,
  coverage: ALL,
});

/** Of similarity: the penalty, which is all or nothing. */
const withTerm = (from: Measured, term: MeasuredTerm, value: Share): Measured =>
  term === "similarity"
    ? { ...from, cosine: compareShares(value, NONE) > 0 ? BILLION : 0 }
    : { ...from, [term]: value };

const worst = (term: MeasuredTerm): Share => (term === "similarity" ? ALL : NONE);

function strategyAnalysis(
  strategy: Strategy,
  judge: Share,
  policy: SyntPolicy,
  isFree: boolean,
): StrategyAnalysis {
  const { reward: by } = policy;
  const best = bestOf(strategy);
  const fixed = fixedTerms(strategy, isFree);
  const open = MEASURED.filter((term) => !fixed.some((one) => one.term === term));
  const vetoes = open.filter((term) => !passes(withTerm(best, term, worst(term)), by));
  const others = open.filter((term) => !vetoes.includes(term));
  const gap = ((by.bonus[strategy] - by.bonus.generate) / 1000) * by.weights.bonus;
  const worth = (weight: number) => (weight === 0 ? null : gap / weight);
  return {
    strategy,
    bonus: by.bonus[strategy] / 1000,
    range: decimal(reachable(strategy, by)),
    rangeByRule: decimal(rangeWith(strategy, fixed, by)),
    fixed: fixed.map((one) => ({ ...one, at: decimalOf(one.at) })),
    minima: minimaFrom(best, by),
    minimaAtJudge: minimaFrom({ ...best, judge }, by),
    vetoes,
    vetoPairs: others.flatMap((a, index) =>
      others
        .slice(index + 1)
        .filter((b) => !passes(withTerm(withTerm(best, a, worst(a)), b, worst(b)), by))
        .map((b) => [a, b] as const),
    ),
    neverDecides: neverDeciding(strategy, fixed, by),
    bonusIsWorth: { det: worth(by.weights.det), judge: worth(by.weights.judge) },
  };
}

const passes = (measured: Measured, by: RewardBy): boolean =>
  passesThreshold(reward(measured, by).total, by);

const decimal = ({ least, most }: Range<Share>): Range => ({
  least: decimalOf(least),
  most: decimalOf(most),
});

function rangeWith(strategy: Strategy, fixed: readonly Fixed[], by: RewardBy): Range<Share> {
  const hold = (from: Measured) =>
    fixed.reduce((held, { term, at: value }) => withTerm(held, term, value), from);
  const lowest = MEASURED.reduce((low, term) => withTerm(low, term, worst(term)), bestOf(strategy));
  return {
    least: reward(hold(lowest), by).raw,
    most: reward(hold(bestOf(strategy)), by).raw,
  };
}

/** What the others leave for each term to bring. */
function minimaFrom(from: Measured, by: RewardBy): Minima {
  const minimum = (term: MeasuredTerm): number | null => {
    if (passes(withTerm(from, term, worst(term)), by)) return term === "similarity" ? 1 : 0;
    const atBest = withTerm(from, term, term === "similarity" ? NONE : ALL);
    if (!passes(atBest, by)) return null;
    if (term === "similarity") return by.similarAbove / 1000;
    const missing = minus(share(by.gate, 1000), reward(withTerm(from, term, NONE), by).raw);
    return ceiledTo(times(missing, share(1000, by.weights[term])), BILLION) / BILLION;
  };
  return {
    det: minimum("det"),
    judge: minimum("judge"),
    cost: minimum("cost"),
    similarity: minimum("similarity"),
    coverage: minimum("coverage"),
  };
}

/**
 * A term decides when, for some values of the others, R is below the threshold with the term at its worst
 * and not below it at its best. As the others range over an interval, that is a question of its ends.
 */
function neverDeciding(
  strategy: Strategy,
  fixed: readonly Fixed[],
  by: RewardBy,
): readonly MeasuredTerm[] {
  const gate = share(by.gate, 1000);
  const { least, most } = rangeWith(strategy, fixed, by);
  const mayGoEitherWay = compareShares(least, gate) < 0 && compareShares(most, gate) >= 0;
  const decides = (term: MeasuredTerm) =>
    mayGoEitherWay && by.weights[term] > 0 && !fixed.some((one) => one.term === term);
  return MEASURED.filter((term) => !decides(term));
}

/** Most of `run` tests that may fail; null when even none is too many. */
function mayFail(run: number, best: Measured, by: RewardBy): number | null {
  for (let failed = run; failed >= 0; failed -= 1) {
    if (passes({ ...best, det: share(run - failed, run) }, by)) return failed;
  }
  return null;
}
