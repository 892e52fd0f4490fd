/** Advances a run whose ports may answer late: the only place that waits. */
import type { Run, RunResult } from "../../run/simulate.ts";
import type { LiveClock } from "../live/liveClock.ts";
import type { Inbox } from "./inbox.ts";

export interface PlayOptions {
  /** Replies to open calls; a run without any needs none. */
  readonly inbox?: Inbox;
  /** Says when a live reply came, in virtual time. */
  readonly clock?: LiveClock | undefined;
  /** Deliveries between two looks at the world outside, counted from the start of the run. */
  readonly slice: number;
  /** Whether an open question is left for later: the run ends there, waiting. */
  readonly isLeft?: (() => boolean) | undefined;
  /** After each slice, and while waiting. True ends the run as interrupted. */
  readonly onSlice?: () => boolean;
}

/** Ours: how long a signal may go unheard while the run waits for an answer. */
const LOOK_MS = 250;

export async function playRun(
  run: Run,
  { inbox, clock, slice, isLeft, onSlice }: PlayOptions,
): Promise<RunResult> {
  for (;;) {
    const state = run.advance(slice - (run.kernel.delivered % slice));
    if (typeof state === "object") return state;
    if (isLeft?.()) return run.interrupt("waiting");
    if (onSlice?.()) return run.interrupt();
    if (state === "waiting") {
      const dueInMs = clock?.untilDueMs(run.kernel.nextDueMs ?? Number.MAX_SAFE_INTEGER);
      await inbox?.arrival(Math.min(LOOK_MS, dueInMs ?? LOOK_MS));
    }
    // Lets signals in.
    else await new Promise((resolve) => setImmediate(resolve));
    for (const { seq, reply } of inbox?.take() ?? []) {
      run.kernel.reply(seq, clock?.stamped(seq, reply, run.kernel.nowMs) ?? reply);
    }
  }
}
