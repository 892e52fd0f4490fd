/** Starts a Node with as few rights as it can give, no environment, and pipes to talk to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import type { Walls } from "./bwrap.ts";
import { killWhole, onceEnded } from "./endWhole.ts";

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
