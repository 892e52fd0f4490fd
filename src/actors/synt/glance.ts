/** The pool and the requests under way, for a person who watches a live run. */

import { countOf } from "../../contract/countOf.ts";
import { DESK, isTerminal, POOL } from "../../machines/synt/contract.ts";
import type { Request } from "../../machines/synt/desk/deskState.ts";
import type { PoolState } from "../../machines/synt/pool/poolState.ts";

/** `synt: 12 executors; req-0003 (drafted): read the mail; req-0004 (at the gate): sort it`. */
export function glance(contexts: { readonly [address: string]: object }): readonly string[] {
  // By their addresses, and as they are persisted.
  const desk = contexts[DESK] as { readonly requests: PlainRequests } | undefined;
  const pool = contexts[POOL] as Pick<PoolState, "executors"> | undefined;
  if (desk === undefined && pool === undefined) return [];
  const executors = Object.values(pool?.executors ?? {}).filter(({ isVisible }) => isVisible);
  const open = Object.entries(desk?.requests ?? {}).flatMap(
    ([id, { wanted, state, isAtGate, isRefused }]) => {
      if (isRefused || (state !== null && isTerminal(state))) return [];
      return [`${id} (${isAtGate ? "at the gate" : (state ?? "opened")}): ${wanted.need.intent}`];
    },
  );
  return [`synt: ${[countOf(executors.length, "executor"), ...open].join("; ")}`];
}

interface PlainRequests {
  readonly [id: string]: Request;
}
