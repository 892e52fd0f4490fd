/**
 * The book of a part: what a log says of its world so far, as facts. Reports, pictures and figures read the facts, and
 * follow no events themselves. The facts are strict JSON, so that they can be saved with a checkpoint and gone on with.
 */
import type { SeenDelivery } from "../substrate/envelope.ts";
import type { Sections } from "./scenario.ts";

/** The facts of all books. Each part adds its own by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface Books {}

/** Something that mattered to the whole world. */
export interface Moment {
  readonly atMs: number;
  readonly kind: string;
  readonly label: string;
  /** The agent it concerns; absent when it concerns all. */
  readonly who?: string;
}

/** The facts of all books of one run, and its moments in the order of the log. */
export interface Story extends Books {
  readonly moments: readonly Moment[];
}

/** What a book holds: what it tells, and whatever else it needs to go on. */
export interface Facts {
  readonly told: Partial<Books>;
}

/** How a part keeps its book. */
export interface Book<Own extends Facts = Facts> {
  /** The facts before the first delivery. */
  start(sections: Partial<Sections>): Own;
  /** Writes into the facts, and to the moments, what a delivery says. It knows nothing but these. */
  step(facts: Own, delivery: SeenDelivery, moments: Moment[]): void;
  /** Whether it tells of this outside input itself; the input is then no moment of the whole world. */
  tellsOf?(delivery: SeenDelivery): boolean;
}
