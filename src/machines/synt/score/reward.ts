/**
 * The R score of a proposal and its threshold, in exact shares, with every term kept and how each is
 * measured. Source: seed 002, chapter 6; rulings Y1 to Y7, Y23 and Y24.
 */
import { cosine as exact } from "../../cosine.ts";
import { between, choice, integer, thousandths, type ValuesOf } from "../../policyLeaf.ts";
import {
  ALL,
  compareShares,
  decimalOf,
  NONE,
  plus,
  type Share,
  share,
  times,
} from "./exactShare.ts";

/** The unit of cosines and of weights of mnests. */
export const BILLION = 1_000_000_000;
const THOUSAND = 1_000;

/** In the order in which equal scores are taken. */
export const STRATEGIES = ["compose", "merge", "specialise", "generalise", "generate"] as const;
export type Strategy = (typeof STRATEGIES)[number];

const weight = (value: number, term: string) =>
  integer(value, thousandths, {
    says: `What ${term} weighs.`,
    source: "seed 002, 6; RULINGS Y2",
  });
const bonus = (value: number, strategy: string, more = "") =>
  integer(value, thousandths, {
    says: `strategy_cost_bonus of ${strategy}.`,
    source: `seed 002, 6; RULINGS Y1${more}`,
  });

export const syntRewardLeaves = {
  weights: {
    det: weight(350, "det_pass_rate"),
    judge: weight(200, "judge_score"),
    cost: weight(150, "cost_ratio"),
    similarity: weight(100, "similarity_penalty, which is taken off,"),
    coverage: weight(100, "coverage_bonus"),
    bonus: weight(100, "strategy_cost_bonus"),
  },
  bonus: {
    compose: bonus(1000, "compose"),
    merge: bonus(600, "merge"),
    specialise: bonus(600, "specialise", " (profile strict 500)"),
    generalise: bonus(400, "generalise"),
    generate: bonus(0, "generate"),
  },
  gate: integer(650, thousandths, {
    says: "R from which a proposal passes; compared with ≥, without rounding.",
    source: "seed 002, 6; RULINGS Y24",
  }),
  similarAbove: integer(850, thousandths, {
    says: "Largest cosine with the pool above which similarity_penalty is 1, else 0.",
    source: "seed 002, 6; RULINGS Y5",
  }),
  outside: choice("refuse", ["refuse", "count"], {
    says: "What a command makes of a term outside 0 … 1: refused, or counted as given with R held in 0 … 1.",
    source: "seed 002, 9 says [0,1] and no more; the real system counts it; ours",
  }),
};

export const syntCalibrationLeaves = {
  after: integer(30, between(1, 1_000_000, "syntheses"), {
    says: "Scored requests that have ended after which the weights of R are due for a look.",
    source: "seed 002, 6 (calibration)",
  }),
};

export type RewardPolicy = ValuesOf<typeof syntRewardLeaves>;

/** What is measured of a proposal. `cosine` is the largest with the pool, in billionths. */
export interface Measured {
  readonly strategy: Strategy;
  readonly det: Share;
  readonly judge: Share;
  readonly cost: Share;
  readonly cosine: number;
  readonly coverage: Share;
}

/** The fields of the contract's RewardBreakdown. Source: seed 002, 9. */
export const CONTRACT_FIELDS = {
  det: "det_pass_rate",
  judge: "judge_score",
  cost: "cost_ratio",
  similarity: "similarity_penalty",
  coverage: "coverage_bonus",
  bonus: "strategy_cost_bonus",
} as const;

export type Term = keyof typeof CONTRACT_FIELDS;
export const TERMS = Object.keys(CONTRACT_FIELDS) as readonly Term[];

type ContractTerms<T> = { readonly [Name in Term as (typeof CONTRACT_FIELDS)[Name]]: T };
export type Terms = { readonly [T in Term]: Share };

const byContract = <T>(terms: Terms, of: (term: Share) => T): ContractTerms<T> =>
  Object.fromEntries(
    TERMS.map((term) => [CONTRACT_FIELDS[term], of(terms[term])]),
  ) as ContractTerms<T>;

/** Terms by the contract's fields, as decimals for people. */
export const contractTerms = (terms: Terms): ContractTerms<number> => byContract(terms, decimalOf);

/** The same as they were decided by. */
export const exactTerms = (terms: Terms): ContractTerms<Share> => byContract(terms, (one) => one);

export interface Reward {
  readonly strategy: Strategy;
  /** The penalty is 0 or 1. */
  readonly terms: Terms;
  /** Billionths. */
  readonly cosine: number;
  /** What each term adds to R; the penalty's is not positive. */
  readonly parts: Terms;
  /** The sum of the parts. */
  readonly raw: Share;
  /** The sum, held in 0 … 1. */
  readonly total: Share;
  readonly passes: boolean;
  /** Terms that were given outside 0 … 1. */
  readonly outside: readonly Term[];
}

/** R of a proposal, with its verdict at the threshold. */
export function reward(measured: Measured, policy: RewardPolicy): Reward {
  const { strategy, det, judge, cost, cosine, coverage } = measured;
  const similarity = similarityPenalty(cosine, policy);
  const bonus = share(policy.bonus[strategy], THOUSAND);
  const terms: Terms = { det, judge, cost, similarity, coverage, bonus };
  const weighed = (term: Term): Share => {
    const weight = policy.weights[term];
    return times(share(term === "similarity" ? 0 - weight : weight, THOUSAND), terms[term]);
  };
  const parts = Object.fromEntries(TERMS.map((term) => [term, weighed(term)])) as Terms;
  const raw = TERMS.reduce((sum, term) => plus(sum, parts[term]), NONE);
  const total = compareShares(raw, NONE) < 0 ? NONE : compareShares(raw, ALL) > 0 ? ALL : raw;
  const outside = TERMS.filter((term) => !isWithin(terms[term]));
  return {
    strategy,
    terms,
    cosine,
    parts,
    raw,
    total,
    passes: passesThreshold(total, policy),
    outside,
  };
}

/** Whether it is in 0 … 1. */
const isWithin = (term: Share): boolean =>
  compareShares(term, NONE) >= 0 && compareShares(term, ALL) <= 0;

/** `total` as `reward` gives it; compared without rounding. */
export const passesThreshold = (total: Share, { gate }: RewardPolicy): boolean =>
  compareShares(total, share(gate, THOUSAND)) >= 0;

/** One for a cosine in billionths above the threshold, else nothing. */
export const similarityPenalty = (cosine: number, { similarAbove }: RewardPolicy): Share =>
  cosine * THOUSAND > similarAbove * BILLION ? ALL : NONE;

/** Best first: by R, then by the order of STRATEGIES, then as given. */
export const byReward = (a: Reward, b: Reward): number =>
  compareShares(b.total, a.total) ||
  STRATEGIES.indexOf(a.strategy) - STRATEGIES.indexOf(b.strategy);

/** The lowest and highest sum that terms within 0 … 1 can give a strategy. */
export function reachable(
  strategy: Strategy,
  policy: RewardPolicy,
): { readonly least: Share; readonly most: Share } {
  const worst = { det: NONE, judge: NONE, cost: NONE, cosine: BILLION, coverage: NONE };
  const best = { det: ALL, judge: ALL, cost: ALL, cosine: 0, coverage: ALL };
  return {
    least: reward({ strategy, ...worst }, policy).raw,
    most: reward({ strategy, ...best }, policy).raw,
  };
}

/** cost_ratio: clip(1 − actual / estimate); for an estimate of nothing, whether it cost nothing. */
export function costRatio(actual: number, estimate: number): Share {
  if (estimate === 0) return actual === 0 ? ALL : NONE;
  return share(Math.max(0, estimate - actual), estimate);
}

/** det_pass_rate of a generated executor: birth tests passed of those run; none run is none passed. */
export const testRate = (passed: number, run: number): Share =>
  run === 0 ? NONE : share(passed, run);

/** How often something was seen to go well. */
export interface Seen {
  readonly ok: number;
  readonly runs: number;
}

/** det_pass_rate of a chain: the product of its hops' observed success rates. */
export function chainRate(hops: readonly Seen[]): Share {
  const over = hops.reduce((all, { ok }) => all * BigInt(ok), 1n);
  const under = hops.reduce((all, { runs }) => all * BigInt(runs), 1n);
  return under === 0n ? NONE : share(over, under);
}

/** coverage_bonus: the share of the family's uncovered proto-mnests that the proposal closes. */
export function coverage(closes: readonly string[], uncovered: readonly string[]): Share {
  const family = new Set(uncovered);
  const closed = new Set(closes.filter((proto) => family.has(proto)));
  return family.size === 0 ? NONE : share(closed.size, family.size);
}

/* How near a proposal is to what the pool has. */

/** Cosine of two embeddings in billionths, 0 where one has no direction. */
export const cosineOf = (a: readonly number[], b: readonly number[]): number =>
  Math.round(exact(a, b) * BILLION);

/** An executor of the pool with the embedding of its description. */
export interface Embedded {
  readonly name: string;
  readonly embedding: readonly number[];
}

/** The nearest executor of the pool, the first of equals; null for an empty pool. */
export function nearestInPool(
  embedding: readonly number[],
  pool: readonly Embedded[],
): { readonly name: string; readonly cosine: number } | null {
  let best: { readonly name: string; readonly cosine: number } | null = null;
  for (const { name, embedding: other } of pool) {
    const near = cosineOf(embedding, other);
    if (best === null || near > best.cosine) best = { name, cosine: near };
  }
  return best;
}
