/**
 * Ctrl-C and its like: while a command works, the first one asks for a clean end and the second one ends at once; before and
 * after that each ends the process, and is told.
 */
import { EXIT } from "../edges/exit.ts";
import { leaveNow, note } from "./output.ts";

interface Interruptible {
  readonly signal: AbortSignal;
  readonly dispose: () => void;
}

/** By signal, what a shell says of a process that one ended. */
const ENDED_BY = { SIGINT: EXIT.interrupted, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof ENDED_BY;

/** What hears of a signal now; null where nothing is under way that could be lost. */
let working: (() => void) | null = null;

/** From the first moment of the command line, so that no signal ends it without a word. */
export function listenToSignals(): void {
  for (const signal of Object.keys(ENDED_BY) as Signal[]) {
    // The launcher listened until now.
    process.removeAllListeners(signal).on(signal, () => {
      if (working !== null) return working();
      note(`\nstopped by ${signal}: nothing was under way, and nothing is lost`);
      leaveNow(ENDED_BY[signal]);
    });
  }
}

/** `says` tells the person who pressed it what happens now. */
export function interruptible(says: string): Interruptible {
  const controller = new AbortController();
  const { signal } = controller;
  const own = (): void => {
    if (signal.aborted) leaveNow(EXIT.interrupted);
    controller.abort();
    note(`\n${says} (Ctrl-C again to leave at once)`);
  };
  working = own;
  const dispose = (): void => {
    if (working === own) working = null;
  };
  return { signal, dispose };
}
