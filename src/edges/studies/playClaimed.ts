/** Plays what is not over of a run table, in lanes of this process beside other processes: each run is claimed for as long as it is played. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RunOf } from "../../studies/study.ts";
import type { Claim, RunTable } from "./runTable.ts";

/** Ours: how often leases are renewed, a quarter of what they last. */
const RENEW_MS = 15_000;
/** Ours: how often one looks whether another process is through with a run. */
const LOOK_MS = 200;

export interface Lane {
  /** Plays one, and completes or gives back its claim. */
  readonly play: (claim: Claim, run: RunOf) => Promise<void>;
  /** False where the lane is to end; asked before a run is claimed, so that a process that is killed while it starts says nothing of it. */
  readonly isReady?: () => Promise<boolean>;
}

export interface ClaimedWork {
  readonly table: RunTable;
  /** By key, in the order in which it is played. What is over leaves it. */
  readonly missing: Map<string, RunOf>;
  /** Whether no other run is to begin. */
  readonly isEnded: () => boolean;
  /** After each run, and each look at those of other processes. */
  readonly onLook: () => void;
}

/** Until all are over or it is ended; waits for what other processes play. Throws what the first lane to fail throws, once all have stopped. */
export async function playClaimed(
  { table, missing, isEnded, onLook }: ClaimedWork,
  lanes: readonly Lane[],
): Promise<void> {
  const mine = new Set<string>();
  let hasFailed = false;
  const next = (): readonly [Claim, RunOf] | undefined => {
    for (const [key, run] of missing) {
      const claim = mine.has(key) ? undefined : table.claim(key);
      if (claim !== undefined) return [claim, run];
    }
    return undefined;
  };
  const playing = async ({ play, isReady }: Lane): Promise<void> => {
    try {
      while (missing.size > 0 && !isEnded() && !hasFailed) {
        if (isReady !== undefined && !(await isReady())) return;
        const [claim, run] = next() ?? [];
        if (claim === undefined || run === undefined) {
          await sleep(LOOK_MS);
          table.takeOver();
          for (const key of missing.keys()) if (table.isOver(key)) missing.delete(key);
        } else {
          mine.add(claim.key);
          await play(claim, run);
          mine.delete(claim.key);
          if (table.isOver(claim.key)) missing.delete(claim.key);
        }
        onLook();
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const renewal = setInterval(() => table.renew(), RENEW_MS).unref();
  const ends = await Promise.allSettled(lanes.map(playing));
  clearInterval(renewal);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
