/** What a request is started with and what it is told. */
import type { Delivered } from "../letter.ts";
import type { ExecutorFacts, SynthRequest } from "./contract.ts";

export interface RequestInput extends SynthRequest {
  readonly coder: { readonly provider: string; readonly model: string | null };
}

/** An executor as the pool shows it to a request. */
export interface Shown extends ExecutorFacts {
  readonly meanMs: number;
  /** Of a run, in millionths of a cent. */
  readonly meanCost: number;
  /** Names that were missed, and for which the person approved it; absent when there are none. */
  readonly closes?: readonly string[];
}

export type RequestEvent = Delivered<
  | "pool.answered"
  | "draft.ended"
  | "paid.ended"
  | "embed.replied"
  | "person.decided"
  | "synth.revised"
  | "sign.signed"
  | "pool.admitted"
  | "ask.bounced"
>;
