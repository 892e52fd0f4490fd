/**
 * What the weights of R imply, found by calculation over the policy: for whoever tunes them.
 * Numbers are decimals of whole billionths; a minimal value is rounded up, so that it passes.
 */

import {
  BILLION,
  chainRate,
  FULL_SCORE,
  type Measured,
  passesGate,
  reachable,
  reward,
  STRATEGIES,
  type Strategy,
} from "./machines/synt/reward.ts";
import type { SyntPolicy } from "./machines/synt/syntPolicy.ts";
import { type Finding, findingsOf } from "./syntFindings.ts";

/** The terms that are measured; the bonus belongs to the strategy. */
export const MEASURED = ["det", "judge", "cost", "similarity", "coverage"] as const;
export type MeasuredTerm = (typeof MEASURED)[number];

export interface Range {
  readonly least: number;
  readonly most: number;
}

/** The least (of similarity: the most) value of a term that passes; null when none does. */
export type Minima = { readonly [T in MeasuredTerm]: number | null };

export interface StrategyAnalysis {
  readonly strategy: Strategy;
  readonly bonus: number;
  /** Of the sum, before it is held in 0 … 1. */
  readonly range: Range;
  /** The same, with the terms that the rules leave no choice. */
  readonly rangeByRule: Range;
  /** Terms that have one value only, by a ruling or by the prices. */
  readonly fixed: readonly {
    readonly term: MeasuredTerm;
    readonly at: number;
    readonly why: string;
  }[];
  /** With everything else at its best. */
  readonly minima: Minima;
  /** With the judge at `judge` and everything else at its best. */
  readonly minimaAtJudge: Minima;
  /** Terms that at their worst keep R below the gate, whatever the others are. */
  readonly vetoes: readonly MeasuredTerm[];
  /** Pairs of the other terms that do so together. */
  readonly vetoPairs: readonly (readonly [MeasuredTerm, MeasuredTerm])[];
  /** Terms that never turn a refusal into a pass: their weight is nothing, or their value is fixed. */
  readonly neverDecides: readonly MeasuredTerm[];
  /** How much better another term must be to make up for this strategy's bonus over generate's. */
  readonly bonusIsWorth: { readonly det: number | null; readonly judge: number | null };
}

export interface ChainAgainstGeneration {
  /** Success rate of each hop. */
  readonly perHop: number;
  /** R by number of hops, 1 … 7. */
  readonly totals: readonly number[];
  /** Most hops at which the chain is still taken before a correct generation; null: any number. */
  readonly longestWinning: number | null;
}

/** What the weights of R imply for each strategy, and what follows from it. */
export interface SyntAnalysis {
  readonly gate: number;
  readonly judge: number;
  readonly strategies: readonly StrategyAnalysis[];
  /** Strategies that score the same at equal quality. */
  readonly ties: readonly (readonly [Strategy, Strategy])[];
  /** Whether the bonuses order all strategies strictly, and whether they order them at all. */
  readonly order: { readonly strict: boolean; readonly weak: boolean };
  /** Birth tests run, and how many of them may fail before the gate does, with `judge`. */
  readonly tests: readonly { readonly run: number; readonly mayFail: number | null }[];
  /** A generation that works, against chains of ever more hops, with `judge` for both. */
  readonly generated: number;
  readonly chains: readonly ChainAgainstGeneration[];
  readonly wrongChain: {
    readonly hops: number;
    /** From this success rate of each hop on, the bonus alone lets it win; null: never. */
    readonly winsFrom: number | null;
    /** Whether the longest chain that is allowed is shorter. */
    readonly isStopped: boolean;
  };
  readonly findings: readonly Finding[];
}

const HALF = BILLION / 2;
/** Seed 002, 6: "a 7-hop composition that wins over a correct generation". */
const WRONG_HOPS = 7;
const PER_HOP = [900, 950, 970, 990, 1000];
/** Beyond this many hops a chain is said to win at any length. */
const HOPS_TRIED = 100;
const TEST_RUNS = [4, 5, 6];

/** `judge` is what the judge is taken to say, in billionths. */
export function analyseSynt(policy: SyntPolicy, judge: number = HALF): SyntAnalysis {
  const { reward: by } = policy;
  const best = (strategy: Strategy) => ({ ...bestOf(strategy), judge });
  const bonuses = STRATEGIES.map((strategy) => by.bonus[strategy]);
  const generated = reward(best("generate"), by).total;
  const facts = {
    gate: by.gate / 1000,
    judge: judge / BILLION,
    strategies: STRATEGIES.map((strategy) => strategyAnalysis(strategy, judge, policy)),
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
    generated: generated / FULL_SCORE,
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
  det: BILLION,
  judge: BILLION,
  cost: BILLION,
  cosine: 0,
  coverage: BILLION,
});

const withTerm = (from: Measured, term: MeasuredTerm, value: number): Measured =>
  term === "similarity" ? { ...from, cosine: value } : { ...from, [term]: value };

const worst = (term: MeasuredTerm): number => (term === "similarity" ? BILLION : 0);

function strategyAnalysis(strategy: Strategy, judge: number, policy: SyntPolicy): StrategyAnalysis {
  const { reward: by } = policy;
  const best = bestOf(strategy);
  const fixed = fixedTerms(strategy, policy);
  const vetoes = MEASURED.filter((term) => !passes(withTerm(best, term, worst(term)), by));
  const others = MEASURED.filter((term) => !vetoes.includes(term));
  const gap = ((by.bonus[strategy] - by.bonus.generate) / 1000) * by.weights.bonus;
  const worth = (weight: number) => (weight === 0 ? null : gap / weight);
  return {
    strategy,
    bonus: by.bonus[strategy] / 1000,
    range: decimal(reachable(strategy, by)),
    rangeByRule: decimal(rangeWith(strategy, fixed, by)),
    fixed: fixed.map((one) => ({ ...one, at: one.at / BILLION })),
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
  passesGate(reward(measured, by).total, by);

const decimal = ({ least, most }: Range): Range => ({
  least: least / FULL_SCORE,
  most: most / FULL_SCORE,
});

interface Fixed {
  readonly term: MeasuredTerm;
  readonly at: number;
  readonly why: string;
}

/** What rulings and prices leave no choice. */
function fixedTerms(strategy: Strategy, { tiers }: SyntPolicy): readonly Fixed[] {
  if (strategy === "compose") {
    return [{ term: "cost", at: BILLION, why: "a chain calls no model (Y4)" }];
  }
  if (strategy !== "generate") return [];
  const { asked, answered } = tiers.price.wise;
  const isFree = asked + answered === 0 && tiers.estimateCents.generate === 0;
  return [
    { term: "det", at: BILLION, why: "all birth tests must pass for it to be born (Y7)" },
    ...(isFree
      ? [{ term: "cost" as const, at: BILLION, why: "the local wise tier costs nothing (Y4)" }]
      : []),
  ];
}

function rangeWith(strategy: Strategy, fixed: readonly Fixed[], by: RewardBy): Range {
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
  const gate = by.gate * BILLION;
  const minimum = (term: MeasuredTerm): number | null => {
    if (term === "similarity") {
      if (passes(withTerm(from, term, BILLION), by)) return 1;
      return passes(withTerm(from, term, 0), by) ? by.similarAbove / 1000 : null;
    }
    const missing = gate - reward(withTerm(from, term, 0), by).raw;
    const weight = by.weights[term];
    if (missing <= 0) return 0;
    const least = weight === 0 ? Number.POSITIVE_INFINITY : Math.ceil(missing / weight);
    return least > BILLION ? null : least / BILLION;
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
 * A term decides when, for some values of the others, R is below the gate with the term at its worst
 * and not below it at its best. As the others range over an interval, that is a question of its ends.
 */
function neverDeciding(
  strategy: Strategy,
  fixed: readonly Fixed[],
  by: RewardBy,
): readonly MeasuredTerm[] {
  const gate = by.gate * BILLION;
  const { least, most } = rangeWith(strategy, fixed, by);
  const mayGoEitherWay = least < gate && most >= gate;
  const decides = (term: MeasuredTerm) =>
    mayGoEitherWay && by.weights[term] > 0 && !fixed.some((one) => one.term === term);
  return MEASURED.filter((term) => !decides(term));
}

/** Most of `run` tests that may fail; null when even none is too many. */
function mayFail(run: number, best: Measured, by: RewardBy): number | null {
  for (let failed = run; failed >= 0; failed -= 1) {
    const det = Math.floor(((run - failed) * BILLION) / run);
    if (passes({ ...best, det }, by)) return failed;
  }
  return null;
}

const chainTotal = (perHop: number, hops: number, best: Measured, by: RewardBy): number => {
  const seen = { ok: perHop, runs: 1000 };
  return reward({ ...best, det: chainRate(new Array(hops).fill(seen)) }, by).total;
};

function chainAgainst(
  perHop: number,
  best: Measured,
  generated: number,
  by: RewardBy,
): ChainAgainstGeneration {
  const total = (hops: number) => chainTotal(perHop, hops, best, by);
  let longest = 0;
  while (longest < HOPS_TRIED && total(longest + 1) >= generated) longest += 1;
  return {
    perHop: perHop / 1000,
    totals: Array.from({ length: WRONG_HOPS }, (_, index) => total(index + 1) / FULL_SCORE),
    longestWinning: longest === HOPS_TRIED ? null : longest,
  };
}

function wrongWinsFrom(best: Measured, generated: number, by: RewardBy): number | null {
  for (let perHop = 0; perHop <= 1000; perHop += 1) {
    if (chainTotal(perHop, WRONG_HOPS, best, by) >= generated) return perHop / 1000;
  }
  return null;
}
