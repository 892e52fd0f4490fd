/** Starts the process that Python runs in, with as few rights as Node can give, and talks to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ChildSetup } from "./childProtocol.ts";
import { killWhole, onceEnded } from "./endWhole.ts";

/** In a checkout Node runs the TypeScript; in the package it is compiled. */
const childFile = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./child.ts" : "./child.js", import.meta.url),
);
const require = createRequire(import.meta.url);

/** Ours: the longest line that is read from a child; more is an attack. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const MESSAGE_CHARS_MAX = 2000;

export const pyodideFile = (): string => realpathSync(require.resolve("pyodide/pyodide.mjs"));

export interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly stderr: string;
}

/** Everything the child sends goes through `onBytes`; framing is the caller's. */
export interface ChildHandle {
  readonly pid: number | undefined;
  send(content: string | Uint8Array): void;
  /** The next line, or how the process ended instead. */
  line(): Promise<string | Ended>;
  /** Exactly this many bytes. */
  bytes(count: number): Promise<Uint8Array | Ended>;
  kill(): void;
  readonly ended: Promise<Ended>;
}

/** `walls` puts more around it: bwrap.ts. */
export function startChild(setup: ChildSetup, walls: Walls = NO_WALLS): ChildHandle {
  const reads = readable(setup);
  const args = [...permissions(reads), childFile, JSON.stringify(setup)];
  const [program, ...given] = walls([process.execPath, ...args], reads);
  return handleOf(
    spawn(program, given, {
      // Python gets its own environment; this one is Node's, and TZ what JavaScript's Date reads.
      env: process.platform === "win32" ? { TZ: "UTC", ...windows() } : { TZ: "UTC" },
      cwd: path.parse(childFile).root,
      // The fourth is the life line of child.ts.
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      windowsHide: true,
    }),
  );
}

type Command = readonly [program: string, ...args: string[]];
/** The command that starts this command, which reads these files and folders. */
export type Walls = (command: Command, reads: readonly string[]) => Command;
const NO_WALLS: Walls = (command) => command;

const windows = (): NodeJS.ProcessEnv => ({ SystemRoot: process.env["SystemRoot"] });

function permissions(reads: readonly string[]): readonly string[] {
  const stable = process.allowedNodeEnvironmentFlags.has("--permission");
  return [
    stable ? "--permission" : "--experimental-permission",
    ...reads.map((file) => `--allow-fs-read=${file}`),
    "--allow-worker", // Python's own thread; the guard leaves it no way to start another.
    "--disallow-code-generation-from-strings",
    "--no-addons",
    "--no-warnings",
    // Python's functions are checked as they are first compiled; most never are. A third of the start.
    "--wasm-lazy-validation",
  ];
}

/** Our own code, Pyodide, and the package `ws` that Pyodide loads unasked. */
function readable(setup: ChildSetup): readonly string[] {
  const code = path.dirname(childFile);
  const pyodide = path.dirname(setup.pyodide);
  const ws = path.dirname(realpathSync(createRequire(setup.pyodide).resolve("ws/package.json")));
  const manifests = [...manifestsAbove(code), ...manifestsAbove(pyodide)];
  return [path.join(code, "*"), path.join(pyodide, "*"), path.join(ws, "*"), ...manifests];
}

/** Node looks for the nearest package.json to know what a `.ts` or `.js` file is. */
function manifestsAbove(folder: string): readonly string[] {
  for (let at = folder; ; at = path.dirname(at)) {
    const manifest = path.join(at, "package.json");
    if (existsSync(manifest)) return [manifest];
    if (at === path.dirname(at)) return [];
  }
}

const living = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of living) killWhole(child);
});

function handleOf(child: ChildProcess): ChildHandle {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let stderr = "";
  let wake = (): void => {};
  let over: Ended | undefined;
  living.add(child);
  const kill = (): void => killWhole(child);
  const ended = new Promise<Ended>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      living.delete(child);
      over ??= { code, signal, stderr };
      resolve(over);
      wake();
    };
    onceEnded(child, end);
    child.on("error", (error) => {
      stderr += error.message;
      end(null, null);
    });
  });
  child.stdin?.on("error", () => {}); // It ended; `ended` says how.
  child.stderr?.on("data", (bytes: Buffer) => {
    stderr = (stderr + bytes.toString("utf8")).slice(-MESSAGE_CHARS_MAX);
  });
  child.stdout?.on("data", (bytes: Buffer) => {
    held.push(bytes);
    heldBytes += bytes.length;
    wake();
  });

  const take = async (lengthOf: (held: Buffer) => number): Promise<Buffer | Ended> => {
    let seen = -1;
    for (;;) {
      if (heldBytes !== seen) {
        const all = Buffer.concat(held);
        seen = heldBytes;
        held = [all];
        const length = lengthOf(all);
        if (length >= 0) {
          held = [all.subarray(length)];
          heldBytes -= length;
          return all.subarray(0, length);
        }
      } else if (over !== undefined) {
        return over;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  };
  return {
    pid: child.pid,
    ended,
    kill,
    send: (content) => void child.stdin?.write(content),
    line: async () => {
      const found = await take((all) => {
        if (all.length > LINE_BYTES_MAX) kill();
        return all.length > LINE_BYTES_MAX ? -1 : all.indexOf(10) + 1 || -1;
      });
      return Buffer.isBuffer(found) ? found.toString("utf8") : found;
    },
    bytes: (count) => take((all) => (all.length >= count ? count : -1)),
  };
}
