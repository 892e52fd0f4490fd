/** What is told of one request to synt, and of what else happens around a pool. See syntStory.ts. */
import { isTerminal, type ProposalState } from "../../machines/synt/contract.ts";
import type { ExecutorState } from "../../machines/synt/pool/executorLifecycle.ts";

export interface RequestStory {
  readonly request: string;
  /** The asker: `turn count`, or `the night`. */
  readonly asker: string;
  readonly intent: string;
  strategy: string | null;
  /** The states it passed, each once while it lasted. */
  readonly states: { readonly state: ProposalState; readonly atMs: number }[];
  /** R of the proposal at hand, else of its last one, 0 to 1; null when none was scored. */
  reward: number | null;
  /** What each term adds to it, by the contract's names. */
  terms: { readonly [term: string]: number } | null;
  /** Every proposal that was scored, in order. */
  readonly weighed: {
    readonly strategy: string;
    readonly reward: number;
    readonly passes: boolean;
  }[];
  /** Cents: settled so far, and its hard cap; null for one that was refused at once. */
  spent: number;
  readonly cap: number | null;
  /** Refused by a lock, or because synt did not start. */
  isRefused: boolean;
  rationale: string;
  /** The executor that it made; null as long as it made none. */
  made: string | null;
  endMs: number | null;
}

export interface TurnStory {
  readonly turn: string;
  readonly says: string;
  readonly atMs: number;
  endMs: number | null;
  ok: boolean;
  isReplayed: boolean;
  /** The clean runs by which a composed chain ran without the person's word; null otherwise. */
  unasked: number | null;
  /** What the user was told last. */
  told: string;
}

export interface QuestionStory {
  /** The number of the asking: a dossier asks about several requests at once. */
  readonly asking: number;
  readonly atMs: number;
  readonly purpose: string;
  readonly request: string;
  decidedMs: number | null;
  decision: string | null;
}

export interface ExecutorStory {
  readonly name: string;
  /** `by hand`, or the request that made it. */
  readonly origin: string;
  state: ExecutorState;
  sinceMs: number;
  runs: number;
  wellRuns: number;
}

/** From an instant until the next sample. */
export interface MoneySample {
  readonly atMs: number;
  /** The UTC day, counted from the epoch; cents spent and set aside on it so far. */
  readonly day: number;
  readonly cents: number;
}

export interface PoolSample {
  readonly atMs: number;
  readonly visible: number;
  readonly loaded: number;
}

export interface SyntMoment {
  readonly atMs: number;
  readonly label: string;
  /** Whether an executor left the planners' sight. */
  readonly isFarewell: boolean;
}

/** Refusals by the same lock, night after night. */
export const isSameRefusal = (a: RequestStory, b: RequestStory): boolean =>
  a.isRefused && b.isRefused && a.asker === b.asker && a.rationale === b.rationale;

/** The name of a request's last state; of one that is not terminal, that it still lasts. */
export const endName = (state: ProposalState): string =>
  isTerminal(state) ? state : `still ${state}`;
