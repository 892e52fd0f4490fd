/** Ends a process that may stand inside bubblewrap, at any moment of its start. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Ours: how long the pipes of a process that has ended may stay open. */
const CLOSE_MS = 2_000;
/** Ours: how long a process may take to stop, far above what it does. */
const STOP_MS_MAX = 500;

/**
 * bubblewrap makes its inner process first and ties it to itself a moment later. One that is killed in
 * between leaves the inner one waiting for ever, with our pipes in its hands: so that is killed, too.
 */
export function killWhole(child: ChildProcess): void {
  const { pid } = child;
  if (pid !== undefined && process.platform === "linux" && !hasEnded(child)) {
    child.kill("SIGSTOP");
    untilStopped(pid); // From here on it makes no other.
    for (const inner of childrenOf(pid)) {
      try {
        process.kill(inner, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
  }
  child.kill("SIGKILL");
}

/** Calls `end` once the process has ended and its pipes are closed, or are not closed in time. */
export function onceEnded(
  child: ChildProcess,
  end: (code: number | null, signal: NodeJS.Signals | null) => void,
): void {
  child.once("close", end);
  child.once("exit", (code, signal) => {
    setTimeout(() => {
      for (const stream of child.stdio) stream?.destroy();
      end(code, signal);
    }, CLOSE_MS).unref();
  });
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** A clone that has begun is brought to its end before a signal is heard; new namespaces take some milliseconds. */
function untilStopped(pid: number): void {
  for (let looks = 0; looks < STOP_MS_MAX && isRunning(pid); looks++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
}

const isRunning = (pid: number): boolean =>
  !["T", "Z", "X", undefined].includes(factsOf(pid)?.state);

/** Of a stopped process: the processes that it has made. */
const childrenOf = (pid: number): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => factsOf(one)?.parent === pid);

/** Undefined when there is no such process any more. */
function factsOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    // After the name, which may hold anything.
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
