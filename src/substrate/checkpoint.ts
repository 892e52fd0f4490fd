/** Everything a run is, between two deliveries: strict JSON, from which it continues identically. */
import type { Json } from "../machines/letter.ts";
import type { SavedChain } from "./chain.ts";
import type { Envelope } from "./envelope.ts";
import type { OpenCall } from "./portDesk.ts";

export interface Checkpoint {
  readonly nowMs: number;
  readonly nextSeq: number;
  readonly atInstant: number;
  readonly delivered: number;
  /** Null in a bare run. */
  readonly chain: SavedChain | null;
  readonly actors: readonly SavedActor[];
  /** Every address ever used. */
  readonly born: readonly string[];
  readonly queue: readonly Envelope[];
  /** Calls so far, by sender, port and purpose. */
  readonly calls: readonly (readonly [string, number])[];
  /** Calls without a reply yet; a restored kernel asks their providers again. */
  readonly open: readonly OpenCall[];
  /** What each provider keeps between calls. */
  readonly providers: { readonly [port: string]: Json };
}

export interface SavedActor {
  readonly address: string;
  readonly machine: string;
  readonly state: Json;
  readonly asks: readonly (readonly [string, number])[];
  readonly timers: readonly (readonly [string, number])[];
}

/** What a run has decided itself: without what providers keep, and replies on their way. */
export function ownState({ providers: _, open: __, queue, ...own }: Checkpoint): object {
  return { ...own, queue: queue.filter(({ from }) => !from.startsWith("port/")) };
}
