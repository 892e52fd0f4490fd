/** What a study is: factors that vary, a design of points, replicates, and what is asked of the runs. Plain data. */
import type { PolicyValue } from "../policy.ts";

/** A path of the policy tree, or `variant`. */
export type FactorName = string;

/** Numbers between two bounds, both included, in the units of the leaf (millionths, milliseconds, pieces). */
export interface NumberFactor {
  readonly kind: "number";
  readonly name: FactorName;
  readonly low: number;
  readonly high: number;
  /** Evenly spread in its logarithm; `low` is above zero then. */
  readonly isLog: boolean;
  /** Values are `low`, `low + step`, …; at least 1, as leaves are whole numbers. */
  readonly step: number;
}

/** One of a few values; where `isOrdered`, they are numbers from small to large. */
export interface ListFactor {
  readonly kind: "list";
  readonly name: FactorName;
  readonly values: readonly PolicyValue[];
  readonly isOrdered: boolean;
}

export type Factor = NumberFactor | ListFactor;

/** `sum of weight × factor` is `equals`, or lies between `least` and `most`; in units of the leaves. */
export interface Constraint {
  readonly weights: { readonly [factor: FactorName]: number };
  readonly least: number;
  readonly most: number;
}

/** One setting of all factors. `variant` stands beside the policy where it varies. */
export interface Point {
  readonly index: number;
  readonly values: { readonly [factor: FactorName]: PolicyValue };
}

/** What one run is made of, all of it in its key. */
export interface RunOf {
  readonly point: number;
  /** From 0; replicate r has one seed at every point, unless seeds are independent. */
  readonly replicate: number;
  readonly seed: number;
  readonly variant: string | null;
  /** Overrides by path, in units of the leaves. */
  readonly set: { readonly [path: string]: PolicyValue };
}

/** A value from a moment on, until the next. Never empty, oldest first. */
export type Steps = readonly (readonly [atMs: number, value: number])[];

/** What is kept of a run: all that outcomes of any later study may ask of it. */
export interface RunFacts {
  /** `ended`, `limit:…`, `bug`, `miss`. */
  readonly outcome: string;
  readonly virtualMs: number;
  /** The last value of each metric, by metric, then by actor (`world` for the whole). */
  readonly finals: { readonly [metric: string]: { readonly [actor: string]: number } };
  /** What reductions over time need, by `metric` of the world or `metric|actor`. */
  readonly series: { readonly [name: string]: Steps };
  /** Promises that were watched, and what was said where one was broken; null where it held. */
  readonly promises: { readonly [property: string]: string | null };
}
