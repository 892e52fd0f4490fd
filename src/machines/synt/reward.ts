/**
 * The R score of a proposal and its gate, in whole numbers, with every term kept.
 * Source: seed 002, chapter 6; rulings Y1 to Y7.
 */
import { choice, integer, type ValuesOf } from "../policyLeaf.ts";

/** Terms are in billionths of one, weights in thousandths, R in the product of both. */
export const BILLION = 1_000_000_000;
const THOUSAND = 1_000;
/** R = 1. */
export const FULL_SCORE = BILLION * THOUSAND;

/** In the order in which equal scores are taken. */
export const STRATEGIES = ["compose", "merge", "specialise", "generalise", "generate"] as const;
export type Strategy = (typeof STRATEGIES)[number];

const thousandths = { unit: "thousandths", min: 0, max: THOUSAND };
const weight = (value: number, term: string) =>
  integer(value, {
    ...thousandths,
    says: `What ${term} weighs.`,
    source: "seed 002, 6; RULINGS Y2",
  });
const bonus = (value: number, strategy: string, more = "") =>
  integer(value, {
    ...thousandths,
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
  gate: integer(650, {
    ...thousandths,
    says: "R from which a proposal passes; compared with ≥, without rounding.",
    source: "seed 002, 6; RULINGS Y3",
  }),
  similarAbove: integer(850, {
    ...thousandths,
    says: "Largest cosine with the pool above which similarity_penalty is 1, else 0.",
    source: "seed 002, 6; RULINGS Y5",
  }),
  outside: choice("count", ["count", "refuse"], {
    says: "A term outside 0 … 1: counted as given with R held in 0 … 1, or refused.",
    source: "seed 002, 9 says [0,1] and no more; the real system counts it; ours",
  }),
};

export type RewardPolicy = ValuesOf<typeof syntRewardLeaves>;

/** What is measured of a proposal, in billionths. `cosine` is the largest with the pool. */
export interface Measured {
  readonly strategy: Strategy;
  readonly det: number;
  readonly judge: number;
  readonly cost: number;
  readonly cosine: number;
  readonly coverage: number;
}

export const TERMS = ["det", "judge", "cost", "similarity", "coverage", "bonus"] as const;
export type Term = (typeof TERMS)[number];

/** The fields of the contract's RewardBreakdown. Source: seed 002, 9. */
export const CONTRACT_FIELDS = {
  det: "det_pass_rate",
  judge: "judge_score",
  cost: "cost_ratio",
  similarity: "similarity_penalty",
  coverage: "coverage_bonus",
  bonus: "strategy_cost_bonus",
} as const satisfies { readonly [T in Term]: string };

type ContractTerms = { readonly [T in Term as (typeof CONTRACT_FIELDS)[T]]: number };

/** Terms by the contract's fields, as shares of one. */
export const contractTerms = (terms: { readonly [T in Term]: number }): ContractTerms =>
  Object.fromEntries(
    TERMS.map((term) => [CONTRACT_FIELDS[term], terms[term] / BILLION]),
  ) as ContractTerms;

export interface Reward {
  readonly strategy: Strategy;
  /** Each term in billionths; the penalty is 0 or one. */
  readonly terms: { readonly [T in Term]: number };
  readonly cosine: number;
  /** What each term adds to R, in units of FULL_SCORE; the penalty's is not positive. */
  readonly parts: { readonly [T in Term]: number };
  /** The sum of the parts. */
  readonly raw: number;
  /** The sum, held in 0 … FULL_SCORE. */
  readonly total: number;
  readonly passes: boolean;
  /** Terms that were given outside 0 … 1. */
  readonly outside: readonly Term[];
}

/** R of a proposal, with its verdict at the gate. */
export function reward(measured: Measured, policy: RewardPolicy): Reward {
  const { strategy, det, judge, cost, cosine, coverage } = measured;
  const terms = {
    det,
    judge,
    cost,
    similarity: similarityPenalty(cosine, policy),
    coverage,
    bonus: (policy.bonus[strategy] * BILLION) / THOUSAND,
  };
  const { weights } = policy;
  const parts = {
    det: weights.det * terms.det,
    judge: weights.judge * terms.judge,
    cost: weights.cost * terms.cost,
    similarity: 0 - weights.similarity * terms.similarity,
    coverage: weights.coverage * terms.coverage,
    bonus: weights.bonus * terms.bonus,
  };
  const raw = TERMS.reduce((sum, term) => sum + parts[term], 0);
  const total = Math.min(FULL_SCORE, Math.max(0, raw));
  const outside = TERMS.filter((term) => terms[term] < 0 || terms[term] > BILLION);
  return { strategy, terms, cosine, parts, raw, total, passes: passesGate(total, policy), outside };
}

/** `total` as `reward` gives it. */
export const passesGate = (total: number, { gate }: RewardPolicy): boolean =>
  total >= gate * BILLION;

/** One for a cosine above the threshold, else nothing. */
export const similarityPenalty = (cosine: number, { similarAbove }: RewardPolicy): number =>
  cosine * THOUSAND > similarAbove * BILLION ? BILLION : 0;

/** Best first: by R, then by the order of STRATEGIES, then as given. */
export const byReward = (a: Reward, b: Reward): number =>
  b.total - a.total || STRATEGIES.indexOf(a.strategy) - STRATEGIES.indexOf(b.strategy);

/** The lowest and highest sum that terms within 0 … 1 can give a strategy. */
export function reachable(
  strategy: Strategy,
  policy: RewardPolicy,
): { readonly least: number; readonly most: number } {
  const worst = { strategy, det: 0, judge: 0, cost: 0, cosine: BILLION, coverage: 0 };
  const best = {
    strategy,
    det: BILLION,
    judge: BILLION,
    cost: BILLION,
    cosine: 0,
    coverage: BILLION,
  };
  return { least: reward(worst, policy).raw, most: reward(best, policy).raw };
}

/** cost_ratio: clip(1 − actual / estimate); for an estimate of nothing, whether it cost nothing. */
export function costRatio(actual: number, estimate: number): number {
  if (estimate === 0) return actual === 0 ? BILLION : 0;
  return Math.max(0, BILLION - ratio(actual, estimate, "up"));
}

/** det_pass_rate of a generated executor: birth tests passed of those run; none run is none passed. */
export const testRate = (passed: number, run: number): number =>
  run === 0 ? 0 : ratio(passed, run, "down");

/** How often something was seen to go well. */
export interface Seen {
  readonly ok: number;
  readonly runs: number;
}

/** det_pass_rate of a chain: the product of its hops' observed success rates. */
export function chainRate(hops: readonly Seen[]): number {
  let over = BigInt(BILLION);
  let under = 1n;
  for (const { ok, runs } of hops) {
    over *= BigInt(ok);
    under *= BigInt(runs);
  }
  return under === 0n ? 0 : Number(over / under);
}

/** coverage_bonus: the share of the family's uncovered proto-mnests that the proposal closes. */
export function coverage(closes: readonly string[], uncovered: readonly string[]): number {
  const family = new Set(uncovered);
  const closed = new Set(closes.filter((proto) => family.has(proto)));
  return family.size === 0 ? 0 : ratio(closed.size, family.size, "down");
}

/** a / b in billionths. */
function ratio(a: number, b: number, to: "up" | "down"): number {
  const over = BigInt(a) * BigInt(BILLION);
  const under = BigInt(b);
  return Number((over + (to === "up" ? under - 1n : 0n)) / under);
}
