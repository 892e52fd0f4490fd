/** What the post office carries, and what it writes down about each delivery. */
import type { Carried, Json } from "../machines/letter.ts";

/** While it is being made: setting what is optional costs a tenth of spreading it in. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface Envelope {
  readonly seq: number;
  readonly dueMs: number;
  readonly to: string;
  readonly from: string;
  readonly event: Carried;
  /** Seq of the delivery in which this was posted; null for what comes from outside. */
  readonly cause: number | null;
  readonly because?: readonly number[];
  /** On a question: its key. */
  readonly ask?: string;
  /** On an answer: the seq of its question. */
  readonly re?: number;
  /** On a timer: its id, unique within its owner. */
  readonly timer?: string;
}

/**
 * handled: the receiver did something. ignored: it had no transition for it. stale: an answer to a
 * question no longer open. undeliverable: no actor lives there. served: a port took the request.
 */
export type Fate = "handled" | "ignored" | "stale" | "undeliverable" | "served";

/** One letter as the log mentions it; its content stands at its own delivery. */
export interface Posted {
  readonly seq: number;
  readonly to: string;
  readonly type: string;
  readonly dueMs: number;
}

/** A change of context: keys from the top, and the new value, the removal, or the text appended. */
export type Change =
  | { readonly path: readonly string[]; readonly to: Json }
  | { readonly path: readonly string[]; readonly removed: true }
  | { readonly path: readonly string[]; readonly appended: string };

/** One delivery as observers see it, on every level. */
export interface SeenDelivery extends Omit<Envelope, "ask" | "timer"> {
  readonly fate: Fate;
  readonly before: Json;
  readonly after: Json;
  /** Where no log is kept, it is found when it is asked for: ask of those deliveries alone that matter. */
  readonly changes: readonly Change[];
  readonly letters: readonly Posted[];
}

/** One entry of the event log. */
export interface Delivery extends SeenDelivery {
  /** The chain up to and including this delivery: where it ends a block. */
  readonly digest?: string;
}
