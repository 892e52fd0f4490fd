/** What a request is started with and what it is told. */
import type { At } from "../letter.ts";
import type { Edge } from "./compose.ts";
import type { Draft, ExecutorFacts, SyntError, SynthRequest } from "./contract.ts";
import type { Facts } from "./facts.ts";
import type { PaidEnded } from "./paidCall.ts";

export interface RequestInput extends SynthRequest {
  readonly coder: { readonly provider: string; readonly model: string | null };
}

/** An executor as the pool shows it to a request. */
export interface Shown extends ExecutorFacts {
  readonly meanMs: number;
  /** Of a run, in millionths of a cent. */
  readonly meanCost: number;
}

export type RequestEvent = { readonly at: At } & (
  | {
      readonly type: "pool.answered";
      readonly executors: readonly Shown[];
      readonly edges: readonly Edge[];
      readonly uncovered: readonly string[];
      /** Of those that no user asked for: the chains that stood in under that name. */
      readonly stoodIn?: { readonly [name: string]: readonly (readonly string[])[] };
      readonly cleanRuns: { readonly [chain: string]: number };
      /** Who made the mnests and the clean runs. */
      readonly facts?: Facts;
    }
  | {
      readonly type: "draft.ended";
      readonly ok: boolean;
      readonly draft: Draft | null;
      readonly passed: number;
      readonly run: number;
      readonly meanMs: number;
      readonly cost: number;
      readonly why: string | null;
      readonly error: SyntError | null;
    }
  | PaidEnded
  | {
      readonly type: "embed.replied";
      readonly vectors: { readonly [text: string]: readonly number[] };
    }
  | {
      readonly type: "person.decided";
      readonly decision: string;
      readonly feedback?: string;
      readonly target?: string;
    }
  | {
      readonly type: "synth.revised";
      readonly feedback: string | null;
      readonly target: string | null;
    }
  | { readonly type: "sign.signed"; readonly signature: string; readonly key: string }
  | { readonly type: "pool.admitted"; readonly ok: boolean; readonly why: string | null }
  | { readonly type: "ask.bounced" }
);
