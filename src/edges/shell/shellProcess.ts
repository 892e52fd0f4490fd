/** Starts the process in which shells run, with as few rights as Node can give, and talks to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { notStarted } from "../python/sandboxPort.ts";
import { type ShellAnswer, type ShellRan, type ShellRun, stoppedRun } from "./shellProtocol.ts";

/** In a checkout Node runs the TypeScript; in the package it is compiled. */
const childFile = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./shellChild.ts" : "./shellChild.js", import.meta.url),
);
/** Ours: how long after its limit a run is waited for, before its process is killed. */
const GRACE_MS = 5_000;
const MESSAGE_CHARS_MAX = 2_000;

/** A shell that is started by the first command that needs one. */
export interface LazyShell {
  /** One command at a time, in the order asked. Rejects when the process ends without an answer. */
  run(run: ShellRun): Promise<ShellRan>;
  /** Whether a process was ever started. */
  isStarted(): boolean;
  close(): Promise<void>;
}

export function lazyShell(): LazyShell {
  let child: Child | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  const inTurn = async (run: ShellRun): Promise<ShellRan> => {
    if (closed) throw new Error("the shell is closed");
    if (child === undefined || child.isOver()) child = startChild(run.bounds.memoryMb);
    return child.run(run);
  };
  return {
    run: (run) => {
      const turn = last.then(() => inTurn(run));
      last = turn.catch(() => undefined);
      return turn;
    },
    isStarted: () => child !== undefined,
    close: async () => {
      closed = true;
      await child?.close();
    },
  };
}

interface Child {
  run(run: ShellRun): Promise<ShellRan>;
  isOver(): boolean;
  close(): Promise<void>;
}

const living = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});

function startChild(memoryMb: number): Child {
  const stable = process.allowedNodeEnvironmentFlags.has("--permission");
  const child = spawn(
    process.execPath,
    [
      stable ? "--permission" : "--experimental-permission",
      ...readable().map((file) => `--allow-fs-read=${file}`),
      "--allow-worker", // One thread for each command.
      ...["--disallow-code-generation-from-strings", "--no-addons", "--no-warnings"],
      ...[childFile, String(memoryMb)],
    ],
    {
      env: {
        TZ: "UTC",
        ...(process.platform === "win32" && { SystemRoot: process.env["SystemRoot"] }),
      },
      cwd: path.parse(childFile).root,
      // The fourth is the life line of shellChild.ts.
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      windowsHide: true,
    },
  );
  living.add(child);
  let stderr = "";
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    const end = (error?: unknown): void => {
      if (error instanceof Error) stderr += error.message;
      living.delete(child);
      isOver = true;
      resolve();
    };
    child.once("close", () => end());
    child.once("error", end);
  });
  child.stdin?.on("error", () => {}); // It ended; `ended` says so.
  child.stderr?.on("data", (bytes: Buffer) => {
    stderr = (stderr + bytes.toString("utf8")).slice(-MESSAGE_CHARS_MAX);
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[
    Symbol.asyncIterator
  ]();
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done !== true) return value;
    await ended;
    throw new Error(`the shell's process ended: ${stderr.split("\n", 1)[0] || "no reason given"}`);
  };
  const ready = line();
  ready.catch(() => undefined); // Who runs a command hears it.
  return {
    isOver: () => isOver,
    run: async (run) => {
      await ready.catch((error: unknown) => {
        throw notStarted("shell", error);
      });
      const id = randomUUID();
      child.stdin?.write(`${JSON.stringify({ id, run })}\n`);
      const late = setTimeout(() => child.kill("SIGKILL"), run.bounds.limitMs + GRACE_MS);
      try {
        const answer = JSON.parse(await line()) as ShellAnswer;
        if (answer.id !== id) throw new Error("the shell answered something else");
        return answer.ran;
      } catch {
        // A command that ends its process has ended nothing but itself.
        child.kill("SIGKILL");
        return stoppedRun("process", run.bounds.limitMs);
      } finally {
        clearTimeout(late);
      }
    },
    close: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Our own code and what it imports: in the package, the shell is part of that code. */
function readable(): readonly string[] {
  const own = createRequire(import.meta.url);
  const code = path.dirname(path.dirname(path.dirname(childFile)));
  const shell = childFile.endsWith(".ts") ? checkoutShell() : { files: [], folders: [] };
  const folders = [code, folderOf("pure-rand", own), ...shell.folders];
  return [
    ...shell.files,
    ...folders.map((folder) => path.join(folder, "*")),
    ...[...shell.files.map((file) => path.dirname(file)), ...folders].flatMap(manifestsAbove),
  ];
}

/** The shell in one file, and the packages that this file names and that those name. */
function checkoutShell(): {
  readonly files: readonly string[];
  readonly folders: readonly string[];
} {
  const bundle = realpathSync(fileURLToPath(import.meta.resolve("just-bash/browser")));
  const from = createRequire(bundle);
  const names = [
    ...["diff", "minimatch", "sprintf-js", "turndown"],
    ...["brace-expansion", "balanced-match", "@mixmark-io/domino"],
  ];
  return { files: [bundle], folders: names.map((name) => folderOf(name, from)) };
}

/** The nearest folder of that name on the way up from whoever asks. */
function folderOf(name: string, from: NodeJS.Require): string {
  const paths = from.resolve.paths(name) ?? [];
  const found = paths.map((folder) => path.join(folder, name)).find((one) => existsSync(one));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return realpathSync(found);
}

/** Node looks for the nearest package.json to know what a `.ts` or `.js` file is. */
function manifestsAbove(folder: string): readonly string[] {
  for (let at = folder; ; at = path.dirname(at)) {
    const manifest = path.join(at, "package.json");
    if (existsSync(manifest)) return [manifest];
    if (at === path.dirname(at)) return [];
  }
}
