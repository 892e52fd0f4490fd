/** Starts a Node with as few rights as it can give, no environment, and pipes to talk to it. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import type { Walls } from "./bwrap.ts";

const MESSAGE_CHARS_MAX = 2000;

export interface NodeStart {
  /** What it runs. */
  readonly file: string;
  /** What the file is given as its arguments. */
  readonly given: readonly string[];
  /** The only files it may read, and folders, with `/*` behind them. */
  readonly reads: readonly string[];
  /** Of Node, besides those that every bare Node has. */
  readonly flags?: readonly string[];
  /** Puts more around it. */
  readonly walls?: Walls | undefined;
}

export interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly stderr: string;
}

/** Why a process ended before it was asked: many a one that the system starves says nothing. */
export const notBegun = (what: string, { code, signal, stderr }: Ended): Error =>
  new Error(`${what} did not start (exit ${code ?? signal}): ${stderr.trim() || "without a word"}`);

export interface BareNode {
  readonly pid: number | undefined;
  readonly stdout: Readable;
  readonly ended: Promise<Ended>;
  send(content: string | Uint8Array): void;
  kill(): void;
}

/** Of those that are left when this program ends, none stays. */
const living = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of living) killWhole(child);
});

export function startBareNode({ file, given, reads, flags = [], walls }: NodeStart): BareNode {
  const bare = [process.execPath, ...permissions(reads), ...flags, file, ...given] as const;
  const [program, ...args] = walls?.(bare, reads) ?? bare;
  const child = spawn(program, args, {
    // What Node itself needs; TZ is what JavaScript's Date reads.
    env: process.platform === "win32" ? { TZ: "UTC", ...windows() } : { TZ: "UTC" },
    cwd: path.parse(file).root,
    // The fourth is the child's life line: nothing is written to it, and it closes when this program ends.
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  living.add(child);
  let stderr = "";
  const ended = new Promise<Ended>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      living.delete(child);
      resolve({ code, signal, stderr });
    };
    onceEnded(child, end);
    child.on("error", (error) => {
      stderr += error.message;
      end(null, null);
    });
  });
  child.stdin.on("error", () => {}); // It ended; `ended` says how.
  child.stderr.on("data", (bytes: Buffer) => {
    stderr = (stderr + bytes.toString("utf8")).slice(-MESSAGE_CHARS_MAX);
  });
  return {
    pid: child.pid,
    stdout: child.stdout,
    ended,
    send: (content) => void child.stdin.write(content),
    kill: () => killWhole(child),
  };
}

/** Node looks for the nearest package.json to know what a `.ts` or `.js` file is. */
export function manifestsAbove(folder: string): readonly string[] {
  for (let at = folder; ; at = path.dirname(at)) {
    const manifest = path.join(at, "package.json");
    if (existsSync(manifest)) return [manifest];
    if (at === path.dirname(at)) return [];
  }
}

const windows = (): NodeJS.ProcessEnv => ({ SystemRoot: process.env["SystemRoot"] });

function permissions(reads: readonly string[]): readonly string[] {
  const stable = process.allowedNodeEnvironmentFlags.has("--permission");
  return [
    stable ? "--permission" : "--experimental-permission",
    ...reads.map((file) => `--allow-fs-read=${file}`),
    "--allow-worker", // The child's first thread keeps watch, another one works.
    "--disallow-code-generation-from-strings",
    "--no-addons",
    "--no-warnings",
  ];
}

/* Ends a process that may stand inside bubblewrap, at any moment of its start. */

/** Ours: how long the pipes of a process that has ended may stay open. */
const CLOSE_MS = 2_000;
/** Ours: how long a process may take to stop, far above what it does. */
const STOP_MS_MAX = 500;

/**
 * bubblewrap makes its inner process first and ties it to itself a moment later. One that is killed in
 * between leaves the inner one waiting for ever, with our pipes in its hands: so that is killed, too.
 */
function killWhole(child: ChildProcess): void {
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
function onceEnded(
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
