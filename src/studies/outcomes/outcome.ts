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

export interface ReducedOutcome extends Span {
  readonly kind: "reduced";
  readonly name: string;
  readonly metric: string;
  readonly actor: string;
  readonly reduce: Reduction;
  readonly above: Threshold | null;
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
