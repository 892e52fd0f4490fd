/** Ctrl-C: the first one asks for a clean end, the second one ends at once. */
import { EXIT } from "../edges/exit.ts";
import { leaveNow, note } from "./output.ts";

interface Interruptible {
  readonly signal: AbortSignal;
  readonly dispose: () => void;
}

/** `says` tells the person who pressed it what happens now. */
export function interruptible(says: string): Interruptible {
  const controller = new AbortController();
  const { signal } = controller;
  const onSignal = (): void => {
    if (signal.aborted) leaveNow(EXIT.interrupted);
    controller.abort();
    note(`\n${says} (Ctrl-C again to leave at once)`);
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  const dispose = () => void process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  return { signal, dispose };
}
