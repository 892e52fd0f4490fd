/**
 * A history to which entries are only ever added, each sealed with the one before it. Source: dossier autonoetic 1.9; the
 * issue: its chain verifies. An edit anywhere is found, also at the end, since the chain knows its head.
 */
import type { Json } from "../../letter.ts";
import { choice, type ValuesOf } from "../../policyLeaf.ts";
import { sortedJson } from "../../sortedJson.ts";
import { sha256Hex } from "../content/content.ts";

export const chainLeaves = {
  seals: choice("everything", ["everything", "most"], {
    says: "What an entry's hash vouches for: all of it, or all but its target and its reason.",
    source: "ours (everything); most in the real system",
  }),
};

export type ChainPolicy = ValuesOf<typeof chainLeaves>;

/** What happened, as the real system's log has it. */
export interface CausalFact {
  readonly timestamp: string;
  readonly log_id: string;
  readonly actor_id: string;
  readonly session_id: string;
  readonly turn_id: string | null;
  readonly event_seq: number;
  readonly category: string;
  readonly action: string;
  readonly target: string | null;
  readonly status: "SUCCESS" | "DENIED" | "ERROR";
  readonly reason: string | null;
  readonly payload: Json;
}

export interface CausalEntry extends CausalFact {
  readonly payload_hash: string | null;
  readonly prev_hash: string;
  readonly entry_hash: string;
}

export interface CausalChain {
  readonly entries: readonly CausalEntry[];
  /** The hash of the last entry. */
  readonly head: string;
}

const GENESIS = "genesis";

export const NO_HISTORY: CausalChain = { entries: [], head: GENESIS };

const payloadHash = (payload: Json): string | null =>
  payload === null ? null : sha256Hex(sortedJson(payload));

function sealed(fact: CausalFact, prev_hash: string, { seals }: ChainPolicy): CausalEntry {
  const { payload, target, reason, ...rest } = fact;
  const payload_hash = payloadHash(payload);
  const most = { ...rest, payload_hash, prev_hash };
  const text = sortedJson(seals === "everything" ? { ...most, target, reason } : most);
  return { ...fact, payload_hash, prev_hash, entry_hash: sha256Hex(text) };
}

export function chained(chain: CausalChain, fact: CausalFact, policy: ChainPolicy): CausalChain {
  const entry = sealed(fact, chain.head, policy);
  return { entries: [...chain.entries, entry], head: entry.entry_hash };
}

/** The hashes of an entry, in the order in which they are looked at. */
const HASHES = ["prev_hash", "payload_hash", "entry_hash"] as const;

/**
 * The first place where the chain does not hold, from 0: the number of entries where it is the head that does not fit; null when
 * all of it holds.
 */
export function chainFault({ entries, head }: CausalChain, policy: ChainPolicy) {
  let previous = GENESIS;
  for (const [at, entry] of entries.entries()) {
    const { payload_hash, prev_hash, entry_hash, ...fact } = entry;
    const sound = sealed(fact, previous, policy);
    const field = HASHES.find((name) => entry[name] !== sound[name]);
    if (field !== undefined) return { at, field, expected: sound[field], found: entry[field] };
    previous = entry_hash;
  }
  if (head === previous) return null;
  return { at: entries.length, field: "head" as const, expected: previous, found: head };
}
