/**
 * A run that leaves the one it was recorded from: up to a delivery everything is as it was, from the
 * next one on something is changed. What was computed by then, and every timer that runs, stays.
 */

import type { PolicyValue } from "../contract/policyTree.ts";
import type { LiveIdentity } from "../machines/livePolicy.ts";
import type { Checkpoint } from "../substrate/checkpoint.ts";
import { Kernel } from "../substrate/kernel.ts";
import type { KernelOptions } from "../substrate/kernelOptions.ts";

/** What changes, and when. */
export interface Turn {
  /** Deliveries before it. */
  readonly at: number;
  /** Leaves of the policy by path, from then on. */
  readonly set: { readonly [path: string]: PolicyValue };
  /** Ids of outside inputs that were still to come, and do not. */
  readonly drop: readonly string[];
  /** Whatever is drawn from then on is drawn from this seed; from that of the run where absent. */
  readonly reseed?: number;
}

/** A turn as the manifest of the new run says it. */
export interface Fork extends Turn {
  /** Digest of the run before, up to there. */
  readonly digest: string;
  /** Digest of the bundle that it left, at that one's end; null when it was killed. */
  readonly from: string | null;
  /** The models of the run before; null when it had none. */
  readonly before: LiveIdentity | null;
}

/** The policy's values by path that are in force after all of these. */
export const setAfter = (set: Turn["set"], turns: readonly Turn[] = []): Turn["set"] =>
  Object.assign({ ...set }, ...turns.map((turn) => turn.set));

/** The same world, its machines and ports made anew of `options`, without what is dropped. */
export function turned(saved: Checkpoint, options: KernelOptions, drop: readonly string[]): Kernel {
  const left = new Set(drop.map((id) => `outside/${id}`));
  const queue = saved.queue.filter(({ from }) => !left.has(from));
  return Kernel.restore({ ...saved, queue }, options);
}

/** The outside inputs that are still to come, each with its time in virtual milliseconds. */
export const stillToCome = (kernel: Kernel): ReadonlyMap<string, number> =>
  new Map(
    kernel
      .checkpoint()
      // Without the actors that a world opens with, it would be another world from the start.
      .queue.filter(({ cause, event }) => cause === null && event.type !== "actor.start")
      .map(({ from, dueMs }) => [from.slice("outside/".length), dueMs]),
  );
