/**
 * A turn that waits for an approval, and how it goes on: with what the approved call really returned, and the calls behind
 * it; the model never reads that an approval was required. Source: seed 003, "Approval flow" and "Resumption"; dossier autonoetic 1.6.
 */
import type { Json } from "../letter.ts";
import type { LoopGuard } from "./loopGuard.ts";

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
