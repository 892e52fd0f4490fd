/** A scenario as it is written down, as far as a check changes it; the rest is left as it stands. */
import type { Json } from "../machines/letter.ts";
import type { PolicyValue } from "./policy.ts";

/** A scenario's source, as a check draws it. See the head of this file. */
export interface WorldSource {
  readonly seed: number;
  /** Durations are written as in a scenario's file: `90s`. */
  readonly runsFor: string;
  readonly policy?: { readonly [path: string]: PolicyValue };
  readonly events?: readonly WorldEvent[];
  readonly [field: string]: unknown;
}

/** An outside event of it; `at` is a duration, as it is written. */
export interface WorldEvent {
  readonly id: string;
  readonly at: string;
  readonly [field: string]: Json;
}
