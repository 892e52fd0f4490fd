/**
 * An agent's turns: when they lead nowhere and end, and how one that waits for an approval goes on, with what the approved
 * call really returned. No actor asks it: an installed agent takes no turns, so it is held against the recorded cases alone
 * (INS69). Source: seed 003, "Approval flow" and "Resumption"; dossier autonoetic 1.6 and 1.9.
 */
import type { Json } from "../../letter.ts";
import { between, integer, type ValuesOf } from "../../policyLeaf.ts";
import { sortedJson } from "../../sortedJson.ts";

/*
 * So many turns without progress, or the same call failing again and again. Source: dossier autonoetic 1.9; seed 003: a gate
 * that failed is not tried again.
 */

export const loopLeaves = {
  idleTurns: integer(5, between(1, 1_000, "turns"), {
    says: "How many turns without progress an agent may take. No actor of a world asks it.",
    source: "ours; the real system's is set by its caller",
  }),
  sameFailures: integer(3, between(1, 1_000, "failures"), {
    says: "After how many failures in a row of one call the turns end. No actor of a world asks it.",
    source: "dossier autonoetic 1.9",
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

/*
 * A turn that waits for an approval goes on with what the approved call really returned, and the calls behind it; the model
 * never reads that an approval was required.
 */

export interface TurnCall {
  readonly id: string;
  readonly tool: string;
  readonly args: Json;
}

export interface TurnResult {
  readonly id: string;
  readonly result: Json;
}

export interface Turn {
  readonly task: string;
  /** What was said until the model's answer with the calls, and that answer. */
  readonly history: readonly Json[];
  readonly done: readonly TurnResult[];
  readonly guard: LoopGuard;
}

export interface Continuation extends Turn {
  readonly approval: string;
  readonly pending: TurnCall;
  /** The rest of the batch, in its order: none of it runs before the decision. */
  readonly remaining: readonly TurnCall[];
}

/** The first call of a batch that needs an approval ends the turn; what comes behind it waits. */
export function suspended(
  turn: Turn,
  batch: readonly TurnCall[],
  approval: { readonly id: string; readonly request: string },
): Continuation | null {
  const at = batch.findIndex(({ id }) => id === approval.id);
  const pending = batch[at];
  if (pending === undefined) return null;
  return { ...turn, approval: approval.request, pending, remaining: batch.slice(at + 1) };
}

export interface Resumed {
  /** In the order of the batch, the real result last. */
  readonly results: readonly TurnResult[];
  readonly next: readonly TurnCall[];
  readonly history: readonly Json[];
  readonly guard: LoopGuard;
}

export const resumed = (
  { history, done, pending, remaining, guard }: Continuation,
  result: Json,
): Resumed => ({
  results: [...done, { id: pending.id, result }],
  next: remaining,
  history,
  guard,
});

export type Decision = "approved" | "rejected" | "late";

export interface DecidedTask {
  readonly status: "runnable" | "failed";
  readonly event: string;
  readonly checkpoint: string;
  /** Whether who waits for the task hears that it is over. */
  readonly isOver: boolean;
  /** Whether the continuation stays, for an approval that comes after all. */
  readonly isKept: boolean;
}

/** What a decision, or none in time, makes of the task. */
export function decidedTask(decision: Decision): DecidedTask {
  if (decision === "late") {
    const event = "task.approval_timeout";
    return { status: "failed", event, checkpoint: "approval_timeout", isOver: true, isKept: true };
  }
  const isApproved = decision === "approved";
  return {
    status: isApproved ? "runnable" : "failed",
    event: `task.${decision}`,
    checkpoint: "approval_resolved",
    isOver: !isApproved,
    isKept: false,
  };
}
