/** Plays what is not over of a run table, in lanes of this process beside other processes: runs are claimed for as long as they are played. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RunOf } from "../../studies/study.ts";
import type { Claim, RunTable } from "./runTable.ts";
import { WorkerDied } from "./studyPool.ts";

/** Ours: how often leases are renewed, a quarter of what they last. */
const RENEW_MS = 15_000;
/** Ours: how often one looks whether another process is through with a run. */
const LOOK_MS = 200;

export interface Claimed {
  readonly claim: Claim;
  readonly run: RunOf;
}

export interface Lane {
  /** Plays runs of one family, one or more, and completes or gives back the claim of each. */
  readonly play: (claimed: readonly Claimed[]) => Promise<void>;
  /** False where the lane is to end; asked before a run is claimed, so that a process that is killed while it starts says nothing of it. */
  readonly isReady?: () => Promise<boolean>;
}

/** Runs that are played together, where the lane may die of one: each by itself then, so that `onDied` hears of that one. */
export async function playTogether(
  claimed: readonly Claimed[],
  {
    play,
    isEnded,
    onDied,
  }: Pick<Lane, "play"> &
    Pick<ClaimedWork, "isEnded"> & { readonly onDied: (claim: Claim, why: string) => void },
): Promise<void> {
  try {
    await play(claimed);
  } catch (error) {
    if (!(error instanceof WorkerDied)) throw error;
    const isOne = claimed.length === 1;
    for (const one of claimed) {
      if (isOne || isEnded()) onDied(one.claim, error.message);
      else await playTogether([one], { play, isEnded, onDied });
    }
  }
}

export interface ClaimedWork {
  readonly table: RunTable;
  /** By key. What is over leaves it. */
  readonly missing: Map<string, RunOf>;
  /** Keys of what is missing, in the order in which it is played; those of a family by one lane. */
  readonly families: Iterable<readonly string[]>;
  /** Whether no other run is to begin. */
  readonly isEnded: () => boolean;
  /** After each run, and each look at those of other processes. */
  readonly onLook: () => void;
}

/** Until all are over or it is ended; waits for what other processes play. Throws what the first lane to fail throws, once all have stopped. */
export async function playClaimed(
  { table, missing, families, isEnded, onLook }: ClaimedWork,
  lanes: readonly Lane[],
): Promise<void> {
  const mine = new Set<string>();
  const open = new Set(families);
  let hasFailed = false;
  const claimed = (key: string): readonly Claimed[] => {
    const run = mine.has(key) ? undefined : missing.get(key);
    const claim = run && table.claim(key);
    return claim === undefined || run === undefined ? [] : [{ claim, run }];
  };
  const next = (): readonly Claimed[] => {
    for (const family of open) {
      if (!family.some((key) => missing.has(key))) open.delete(family);
      const own = family.flatMap(claimed);
      if (own.length > 0) return own;
    }
    return [];
  };
  const playing = async ({ play, isReady }: Lane): Promise<void> => {
    try {
      while (missing.size > 0 && !isEnded() && !hasFailed) {
        if (isReady !== undefined && !(await isReady())) return;
        const own = next();
        if (own.length === 0) {
          await sleep(LOOK_MS);
          table.takeOver();
          for (const key of missing.keys()) if (table.isOver(key)) missing.delete(key);
        } else {
          for (const { claim } of own) mine.add(claim.key);
          await play(own);
          for (const { claim } of own) {
            mine.delete(claim.key);
            if (table.isOver(claim.key)) missing.delete(claim.key);
          }
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
