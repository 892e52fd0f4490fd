/**
 * What the sources say about locks, written down a second time so that the engine's own account of
 * it is put to the test. Source: seed 004, "Load locks"; ruling U2.
 */
import type { Policy } from "../machines/policy.ts";

/** Always available, whatever the load. */
export const PATH_OUT: readonly string[] = [
  "retire_capability",
  "fs_read",
  "ollama_chat",
  "memory_set",
  "memory_get",
  "invoke_claude",
  "propose_change",
  "shell_exec",
];

export interface LockNumbers {
  readonly enabled: boolean;
  /** Millionths. */
  readonly constrained: number;
  readonly dominant: number;
}

const SEED: LockNumbers = { enabled: true, constrained: 550_000, dominant: 750_000 };

/** From the policy, where it has the leaf. */
export const lockNumbers = (policy: Policy): LockNumbers => ({
  ...SEED,
  ...(policy as { readonly locks?: Partial<LockNumbers> }).locks,
});

/** What a load locks; a threshold that is reached locks. */
export function lockedAt(load: number, { constrained, dominant }: LockNumbers): readonly string[] {
  if (load < constrained) return [];
  if (load < dominant) return ["synthesize_capability"];
  return ["synthesize_capability", "fs_write", "fs_edit"];
}
