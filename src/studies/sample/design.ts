/** Which points a study has, as its file asks for them, and how they are handed over. */
import type { Point, Setting } from "../study.ts";

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
