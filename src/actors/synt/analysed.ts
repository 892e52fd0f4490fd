/** What an analysis says of a policy. */
import type { Strategy } from "../../machines/synt/score/reward.ts";
import type { ChainAgainstGeneration } from "./chainAgainst.ts";
import type { MeasuredTerm } from "./fixedTerms.ts";

/** What the weights of R imply for each strategy, and what follows from it. */
export interface SyntAnalysis {
  readonly gate: number;
  readonly judge: number;
  /** Whether no model that serves a tier costs anything. */
  readonly isFree: boolean;
  /** Strategies of which nothing is estimated: any cost makes their cost_ratio 0. */
  readonly unestimated: readonly Strategy[];
  readonly strategies: readonly StrategyAnalysis[];
  /** Strategies that score the same at equal quality. */
  readonly ties: readonly (readonly [Strategy, Strategy])[];
  /** Whether the bonuses order all strategies strictly, and whether they order them at all. */
  readonly order: { readonly strict: boolean; readonly weak: boolean };
  /** Birth tests run, and how many of them may fail before R is below the threshold, with `judge`. */
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
  /** Terms that at their worst keep R below the threshold, whatever the others are. */
  readonly vetoes: readonly MeasuredTerm[];
  /** Pairs of the other terms that do so together. */
  readonly vetoPairs: readonly (readonly [MeasuredTerm, MeasuredTerm])[];
  /** Terms that never turn a refusal into a pass: their weight is nothing, or their value is fixed. */
  readonly neverDecides: readonly MeasuredTerm[];
  /** How much better another term must be to make up for this strategy's bonus over generate's. */
  readonly bonusIsWorth: { readonly det: number | null; readonly judge: number | null };
}

/** The least (of similarity: the most) value of a term that passes; null when none does. */
export type Minima = { readonly [T in MeasuredTerm]: number | null };

export interface Range<T = number> {
  readonly least: T;
  readonly most: T;
}

export interface Finding {
  /** The same in every analysis. */
  readonly id: string;
  readonly says: string;
}
