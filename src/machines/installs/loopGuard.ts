/**
 * Ends an agent's turns that lead nowhere: so many without progress, or the same call failing again and again.
 * Source: dossier autonoetic 1.9; seed 003: a gate that failed is not tried again.
 */
import type { Json } from "../letter.ts";
import { integer, type ValuesOf } from "../policyLeaf.ts";
import { sortedJson } from "../sortedJson.ts";

export const loopLeaves = {
  idleTurns: integer(5, {
    says: "How many turns without progress an agent may take.",
    source: "ours; the real system's is set by its caller",
    unit: "turns",
    min: 1,
    max: 1_000,
  }),
  sameFailures: integer(3, {
    says: "After how many failures in a row of one and the same call the turns end.",
    source: "dossier autonoetic 1.9",
    unit: "failures",
    min: 1,
    max: 1_000,
  }),
};

export type LoopPolicy = ValuesOf<typeof loopLeaves>;

export interface LoopGuard {
  readonly turns: number;
  /** Of the call that failed last. */
  readonly failed: string | null;
  readonly failures: number;
}

export const NO_LOOP: LoopGuard = { turns: 0, failed: null, failures: 0 };

/** Before each turn: either it begins, or it does not. */
export function turnBegun(
  guard: LoopGuard,
  { idleTurns, sameFailures }: LoopPolicy,
): { readonly guard: LoopGuard } | { readonly tripped: string } {
  if (guard.turns >= idleTurns) {
    return {
      tripped: `${guard.turns} turns without progress: report to the planner and end the turn`,
    };
  }
  if (guard.failures >= sameFailures) {
    const times = `the same call failed ${guard.failures} times in a row`;
    return { tripped: `${times}: report to the planner and end the turn` };
  }
  return { guard: { ...guard, turns: guard.turns + 1 } };
}

/** The order of the arguments' keys does not make it another call. */
export function callFailed(guard: LoopGuard, tool: string, args: Json): LoopGuard {
  const failed = `${tool} ${sortedJson(args)}`;
  return { ...guard, failed, failures: failed === guard.failed ? guard.failures + 1 : 1 };
}

/** What went well begins the count of turns anew; failures are counted until another call fails. */
export const progressed = (guard: LoopGuard): LoopGuard => ({ ...guard, turns: 0 });
