/** Which points a study has, as its file asks for them, and how they are handed over. */
import type { PolicyValue } from "../../policy.ts";
import type { FactorName, Point } from "../study.ts";

/** A value of every factor, in units of the leaves. */
export interface Setting {
  readonly [factor: FactorName]: PolicyValue;
}

export type Design =
  /** Every combination: lists as they are, numbers at `levels` values from low to high. */
  | { readonly kind: "grid"; readonly levels: number }
  /** The baseline, and each value of each factor with all others as in the baseline. */
  | { readonly kind: "oat"; readonly levels: number }
  | { readonly kind: "random"; readonly points: number }
  | { readonly kind: "lhs"; readonly points: number }
  | { readonly kind: "sobol"; readonly points: number; readonly isScrambled: boolean }
  | { readonly kind: "morris"; readonly trajectories: number; readonly levels: number }
  /** N(2D + 2) points, N = `rows` a power of two. */
  | { readonly kind: "saltelli"; readonly rows: number }
  | { readonly kind: "points"; readonly points: readonly Setting[] };

/** Settings in the order of the design, before equal ones are merged. */
export interface DesignRows {
  readonly settings: readonly Setting[];
  /** Combinations that a constraint ruled out. */
  readonly rejected: number;
  /** What whoever reads the result must know of how the points were made. */
  readonly notes: readonly string[];
}

/** Why there are no points: what was found, what is allowed, what to do. */
export interface Refused {
  readonly refused: string;
}

export interface DesignPoints {
  /** Those that differ, each at its index. */
  readonly points: readonly Point[];
  /** For each row of the design, the index of its point: indices of sensitivity are of rows. */
  readonly rows: readonly number[];
  readonly rejected: number;
  readonly notes: readonly string[];
}
