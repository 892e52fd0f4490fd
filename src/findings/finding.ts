/**
 * A finding: something that goes wrong in any log of agents and tools, whoever wrote it. It reads the facts that
 * every log shares and nothing else, so it needs no model of the world that the log is of.
 */
import type {
  ToolCalled,
  ToolOffered,
  ToolReturned,
  TraceFact,
  WordSaid,
} from "../contract/trace.ts";
import { JUDGED_HITS_LEAST, RIGHT_SHARE_LEAST } from "./thresholds.ts";

/** One place in a log where it was found. */
export interface Occurrence {
  /** The finding's id. */
  readonly finding: string;
  readonly seq: number;
  /** The log's own number of it; null where it has none. */
  readonly step: number | null;
  readonly atMs: number;
  readonly tool: string | null;
  readonly agent: string | null;
  /** A sentence with the evidence. */
  readonly says: string;
  /** Seqs of the facts that it rests on besides its own. */
  readonly related: readonly number[];
}

export type Found = Omit<Occurrence, "finding">;

type Served<T> = Omit<T, "tool"> & { readonly tool: string };
/** A call that a tool served. */
export type ServedCall = Served<ToolCalled>;

/** A result, and the call that it answers; null where the log does not hold it any more. */
export interface Exchange<R extends Pick<ToolReturned, "tool"> = Served<ToolReturned>> {
  readonly returned: R;
  readonly call: ToolCalled | null;
  /** It was said in a plain message, by a speaker that does nothing but run code. */
  readonly isSpoken: boolean;
}

/** Follows one log, fact by fact. Each answers what was found there; undefined is nothing. */
export interface Watcher {
  readonly offered?: (fact: ToolOffered) => readonly Found[] | undefined;
  readonly called?: (fact: ServedCall) => readonly Found[] | undefined;
  readonly returned?: (exchange: Exchange) => readonly Found[] | undefined;
  /** A call that no tool served: the refusal explains what came of it, though not what its agent says of it. */
  readonly refused?: (exchange: Exchange<ToolReturned>) => void;
  readonly said?: (fact: WordSaid) => readonly Found[] | undefined;
  /** After the last fact. */
  readonly ended?: () => readonly Found[];
}

export interface Finding {
  /** Lower case and hyphens. */
  readonly id: string;
  /** What is wrong where it is found, in one sentence. */
  readonly says: string;
  readonly source: string;
  /** Hits judged by hand on logs that were not there while it was made as it is now; none where absent. */
  readonly judged?: { readonly hits: number; readonly right: number };
  /** The facts that it takes: a log without one of these kinds can show next to nothing of it. */
  readonly looksAt: readonly TraceFact["is"][];
  /** A fresh watcher for each log. */
  readonly find: () => Watcher;
}

/** A finding that is not tested is looked for by its name alone, marked, and decides nothing. */
export const isTested = ({ judged }: Pick<Finding, "judged">): boolean =>
  judged !== undefined &&
  judged.hits >= JUDGED_HITS_LEAST &&
  judged.right >= RIGHT_SHARE_LEAST * judged.hits;

/** Where a fact stands, as a place of a finding. */
export const placeOf = ({ seq, step, atMs }: Place): Place => ({ seq, step, atMs });

type Place = Pick<TraceFact, "seq" | "step" | "atMs">;
