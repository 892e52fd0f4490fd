/**
 * What the ledger remembers of one agent in order to measure its stressors. Counts of cycles and
 * judgements begin anew with each daemon; artifacts and onsets come from files.
 */
import { FACTS_MAX } from "../factsMax.ts";
import type { Suffering } from "./severity.ts";
import type { Assessment, Verdict } from "./stressorRules.ts";

/** A stressor of this world, and whose it is. */
export interface StressorAddress {
  readonly agent: string;
  readonly type: string;
  readonly address: string;
  readonly agentAddress: string;
}

/** How often in a row, and the latest facts that say so. */
export interface Run {
  readonly count: number;
  readonly facts: readonly number[];
}

/** An artifact that passed its gate and that no peer has referenced. */
export interface Artifact {
  readonly n: number;
  readonly path: string;
  readonly sinceMs: number;
  readonly fact: number;
}

export interface AgentRecord {
  /** The goal at the end of the last cycle that had one, and how far it was. */
  readonly pursued: { readonly n: number; readonly text: string; readonly progress: number } | null;
  /** The goal that ended since the last cycle did. */
  readonly ended: { readonly n: number; readonly text: string; readonly isDone: boolean } | null;
  /** Cycles on alike goals without progress; without a goal; since the last completed one. */
  readonly stuck: Run;
  readonly idle: Run;
  readonly barren: Run;
  /** Cycles at the load of a crisis. */
  readonly crisis: Run;
  /** Plans against an opinion of its own, and plans in line with all of them. */
  readonly against: Run;
  readonly along: Run;
  readonly threats: Run;
  readonly calm: Run;
  readonly unseen: readonly Artifact[];
  /** The refused capability whose lock is the lowest. */
  readonly wanted: { readonly lockedAt: number; readonly fact: number } | null;
  /** What it feels, as its stressors told. */
  readonly suffering: readonly Suffering[];
  /** Stressors that have a place: active, or about to be. */
  readonly placed: readonly string[];
  /** What follows from the last assessment that each stressor was told. */
  readonly posted: { readonly [stressor: string]: Verdict };
}

export const noRun: Run = { count: 0, facts: [] };

export const longer = ({ count, facts }: Run, fact: number): Run => ({
  count: count + 1,
  facts: [...facts, fact].slice(-FACTS_MAX),
});

export const newRecord = (unseen: readonly Artifact[] = []): AgentRecord => ({
  pursued: null,
  ended: null,
  stuck: noRun,
  idle: noRun,
  barren: noRun,
  crisis: noRun,
  against: noRun,
  along: noRun,
  threats: noRun,
  calm: noRun,
  unseen,
  wanted: null,
  suffering: [],
  placed: [],
  posted: {},
});

/** A measured value and the facts it rests on. */
export interface Finding {
  readonly measured: Assessment;
  readonly because: readonly number[];
}

/** What a letter changed in a record, and what is now to be told to the stressors. */
export interface Observation {
  readonly record: AgentRecord;
  readonly findings: readonly Finding[];
}
