/** What the desk of synt keeps. */
import type { Entries } from "../entries.ts";
import type { Accounts } from "./budget.ts";
import type { Dossier, ProposalState, Wanted } from "./contract.ts";
import type { Facts } from "./facts.ts";
import type { Locks } from "./locks.ts";
import type { Bindings } from "./tiers.ts";

export interface DeskState {
  /** Virtual time 0, in ms since 1970. */
  readonly startsAtMs: number;
  readonly bindings: Bindings;
  /** What must be mended before anything is synthesised. */
  readonly faults: readonly string[];
  readonly accounts: Accounts;
  readonly locks: Locks;
  /** The request that made each lock. */
  readonly lockers: { readonly [key: string]: string };
  readonly requests: Entries<Request>;
  /** User turns that are open: nothing introspective starts meanwhile. */
  readonly turns: readonly string[];
  /** What waits for turns to close, with the number of its asking. */
  readonly waiting: readonly { readonly wanted: Wanted; readonly seq: number }[];
  /** Vetoed directions, with the profiles as they were. */
  readonly suspended: { readonly [direction: string]: string };
  /** What waits for the person at the gate of the night, by request. */
  readonly proposals: { readonly [request: string]: Proposal };
  /** Dossiers shown so far: the number of the last. */
  readonly dossiers: number;
  /** What made locks, spending and answers. */
  readonly facts: Facts;
  /** What follows from all this, and is no part of it for others. */
  readonly index: DeskIndex;
}

export interface DeskIndex {
  /** The requests under way, with their normalised intents. */
  readonly open: {
    readonly [request: string]: { readonly mode: Wanted["mode"]; readonly intent: string };
  };
  /** By normalised intent, the last request of a user that was delivered. */
  readonly served: Entries<string>;
  /** By day, what its spending is about in `facts`. */
  readonly spenders: Entries<readonly string[]>;
}

/** One proposal at the desk. */
export interface Proposal {
  /** The request that waits for the decision, and its question. */
  readonly to: string;
  readonly re: number;
  readonly dossier: Dossier;
  /** The dossier it lies in; null while it lies in none. */
  readonly asked: number | null;
  /** The person had it and left it undecided; the next night it is shown again. */
  readonly isLeft: boolean;
}

/** A request as the desk keeps it. */
export interface Request {
  readonly wanted: Wanted;
  readonly openedMs: number;
  /** The last state it said; null before the first. */
  readonly state: ProposalState | null;
  /** Lines in the audit. */
  readonly lines: number;
  /** The actors that wait for its end. */
  readonly askers: readonly { readonly to: string; readonly re: number }[];
  /** It waits for the person's word. */
  readonly isAtGate: boolean;
  /** It was refused at once: nothing of it was ever tried. */
  readonly isRefused: boolean;
}
