/** What is asked of each run of a study: metrics reduced to one number, promises, expressions over other outcomes. */
import type { Expression } from "./expression.ts";

export const REDUCTIONS = [
  "last",
  "max",
  "min",
  "mean",
  "area",
  "count",
  "timeAbove",
  "timeToRecover",
] as const;

export type Reduction = (typeof REDUCTIONS)[number];

/** A part of a run: from a moment, up to another or to its end. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number | null;
}

/** What the values of a point's runs come to, where that is not their mean. */
export type Across =
  | { readonly kind: "quantile"; readonly share: number }
  /** The highest or lowest that was seen. */
  | { readonly kind: "worst"; readonly side: "highest" | "lowest" }
  /** The mean of the values, each of at most `limit`: of times to an event, of which some are bounds. */
  | { readonly kind: "restricted"; readonly limit: number };

export interface ReducedOutcome extends Span {
  readonly kind: "reduced";
  readonly name: string;
  readonly metric: string;
  readonly actor: string;
  readonly reduce: Reduction;
  readonly above: Threshold | null;
  readonly across?: Across;
}

/** A number in the metric's unit, or a leaf's value divided by `per`. */
export type Threshold = number | { readonly path: string; readonly per: number };

/** 1 where one metric rises while another falls, else 0. */
export interface SpiralOutcome extends Span {
  readonly kind: "spiral";
  readonly name: string;
  readonly actor: string;
  readonly rises: string;
  readonly falls: string;
  readonly rise: number;
  readonly fall: number;
  readonly windowMs: number;
}

/** 1 where the promise held, 0 where it was broken. */
export interface PromiseOutcome {
  readonly kind: "promise";
  readonly name: string;
  readonly property: string;
}

export interface ExpressionOutcome {
  readonly kind: "expression";
  readonly name: string;
  readonly text: string;
  readonly expression: Expression;
  readonly across?: Across;
}

/** 1 where what a program of one's own left says so, 0 where it says otherwise; whoever ran it read it. */
export interface ReadOutcome {
  readonly kind: "read";
  readonly name: string;
  /** In words. */
  readonly how: string;
}

export type Outcome =
  | ReducedOutcome
  | SpiralOutcome
  | PromiseOutcome
  | ExpressionOutcome
  | ReadOutcome;

/** Null where it is the mean, or a share of the runs. */
export function acrossIn(outcomes: readonly Outcome[], name: string): Across | null {
  const found = outcomes.find((one) => one.name === name);
  return found?.kind === "reduced" || found?.kind === "expression" ? (found.across ?? null) : null;
}
