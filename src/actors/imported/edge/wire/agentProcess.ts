/** A person's own program, with that person's rights, in front of a gateway. */
import { type ChildProcess, spawn } from "node:child_process";
import { type BadInput, badInput } from "../../../../edges/errors.ts";
import { processesUnder } from "./connections.ts";

export interface AgentEnded {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface AgentOptions {
  readonly variables: { readonly [name: string]: string };
  /** Where what it prints goes: as ours, to standard error where standard output is ours, or into a file, without a terminal. */
  readonly output: "inherit" | number;
  /** Where it runs; here when absent. */
  readonly cwd?: string;
  /** Ends it. */
  readonly stop: AbortSignal;
  readonly onStart?: (pid: number) => void;
}

export const STDERR = 2;

/** How long a program that was asked to end may take, in ms. */
const GRACE_MS = 3_000;

/** Those in groups of their own: whoever leaves at once must not leave them behind. */
const leading = new Set<ChildProcess>();
const endLeading = (): void => {
  for (const child of leading) sendGroup(child, "SIGKILL");
};

/** Throws BadInput where the program cannot be started. */
export function runAgent(
  [program = "", ...args]: readonly string[],
  { variables, output, cwd, stop, onStart }: AgentOptions,
): Promise<AgentEnded> {
  // localhost may go through a proxy elsewhere.
  const noProxy = [process.env["NO_PROXY"], "127.0.0.1", "localhost"].filter(Boolean).join(",");
  const env = { ...process.env, ...variables, NO_PROXY: noProxy, no_proxy: noProxy };
  const isFiled = typeof output === "number" && output !== STDERR;
  // Away from the terminal it leads a group of its own, so that what it started ends with it.
  const detached = isFiled && process.platform !== "win32";
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      stdio: [isFiled ? "ignore" : "inherit", output, isFiled ? output : "inherit"],
      ...{ env, cwd, detached },
    });
  } catch (error) {
    // A word that holds a byte of no value cannot be handed over.
    return Promise.reject(notStarted(program, error as NodeJS.ErrnoException));
  }
  const end = (): void => (detached ? endGroup(child) : endChild(child));
  if (detached) {
    if (leading.size === 0) process.once("exit", endLeading);
    leading.add(child);
  }
  if (child.pid !== undefined) onStart?.(child.pid);
  return new Promise((done, failed) => {
    child.once("close", () => {
      leading.delete(child);
      if (leading.size === 0) process.off("exit", endLeading);
    });
    if (stop.aborted) end();
    stop.addEventListener("abort", end, { once: true });
    child.once("close", () => stop.removeEventListener("abort", end));
    child.once("error", (error: NodeJS.ErrnoException) => failed(notStarted(program, error)));
    child.once("close", (code, signal) => done({ code, signal }));
  });
}

/** Asks it to end, with what it started, and ends what does not. */
export function endChild(child: ChildProcess): void {
  const started = child.pid === undefined ? [] : processesUnder(child.pid).slice(1);
  const send = (signal: NodeJS.Signals): void => {
    child.kill(signal);
    for (const pid of started) sendTo(pid, signal);
  };
  send("SIGTERM");
  setTimeout(() => send("SIGKILL"), GRACE_MS).unref();
}

/** The same, with all that it started. */
function endGroup(child: ChildProcess): void {
  sendGroup(child, "SIGTERM");
  setTimeout(() => sendGroup(child, "SIGKILL"), GRACE_MS).unref();
}

function sendGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) sendTo(-pid, signal);
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // None of them is left.
  }
}

export const notStarted = (program: string, { code, message }: NodeJS.ErrnoException): BadInput =>
  badInput(
    program,
    code === "ENOENT"
      ? "no such program"
      : code === "ERR_INVALID_ARG_VALUE"
        ? "a null byte"
        : (code ?? message),
    "a command that this machine can start",
    "Write it as you would type it in a terminal, each word by itself.",
  );
