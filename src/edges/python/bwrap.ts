/**
 * `--sandbox bwrap`: the system's own python3 in namespaces of its own, a new process for every call.
 * Stronger walls than ours, on Linux only; its clock and entropy are patched in Python, so runs
 * repeat less exactly than in Pyodide.
 */
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import { BadInput } from "../errors.ts";
import { type CallResult, lost, readAnswer, type SandboxRequest, timedOut } from "./answer.ts";
import { bwrapProgram } from "./bwrapProgram.ts";
import type { Backend } from "./sandbox.ts";

export interface BwrapOptions {
  /** Where `bwrap` is looked for; the process's own PATH when absent. */
  readonly searchPath?: string;
  readonly memoryMb?: number;
}

const PYTHON = "/usr/bin/python3";
const MEMORY_MB = 256;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const START_MS_MAX = 10_000;

export async function openBwrap(options: BwrapOptions): Promise<Backend> {
  const bwrap = findBwrap(options.searchPath ?? process.env["PATH"] ?? "");
  if (!existsSync(PYTHON)) throw refusal(`no ${PYTHON}`);
  const memoryMb = options.memoryMb ?? MEMORY_MB;
  const run = (request: SandboxRequest) => runOnce(bwrap, memoryMb, request);
  const hello = await run({
    mode: "call",
    code: "import sys\ndef version(): return '%d.%d.%d' % sys.version_info[:3]",
    functionName: "version",
    kwargs: {},
    limits: { wallMs: START_MS_MAX },
    setting: { seed: 0, nowMs: 0 },
  });
  if (typeof hello.result !== "string") {
    throw refusal(`a bwrap that does not start (${hello.error?.message ?? "no answer"})`);
  }
  return {
    info: { kind: "bwrap", pythonVersion: hello.result, pyodideVersion: null },
    run,
    close: async () => {},
    peakMb: () => 0,
  };
}

function findBwrap(searchPath: string): string {
  if (process.platform !== "linux") throw refusal(`the platform ${process.platform}`);
  for (const folder of searchPath.split(path.delimiter)) {
    const file = path.join(folder, "bwrap");
    try {
      if (!path.isAbsolute(file)) continue;
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  throw refusal("no program bwrap");
}

const refusal = (found: string): BadInput =>
  new BadInput({
    where: { path: "--sandbox" },
    found,
    allowed: `bwrap with ${PYTHON}, on Linux`,
    todo: "Install bubblewrap (Debian, Ubuntu: apt install bubblewrap), or omit --sandbox: the embedded Python needs nothing.",
  });

/** Nothing of the host but its programs, read-only; no network but an empty one. */
const walls = (): readonly string[] => [
  ...["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"],
  ...["--uid", "65534", "--gid", "65534", "--hostname", "sandbox", "--cap-drop", "ALL"],
  ...["--ro-bind", "/usr", "/usr"],
  ...["/lib", "/lib64", "/bin"].flatMap((folder) => ["--ro-bind-try", folder, folder]),
  ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/work", "--chdir", "/work"],
  ...["--setenv", "TZ", "UTC", "--setenv", "LANG", "C.UTF-8", "--setenv", "HOME", "/tmp"],
  ...["--setenv", "PYTHONHASHSEED", "0", "--setenv", "PATH", "/usr/bin"],
];

function runOnce(bwrap: string, memoryMb: number, request: SandboxRequest): Promise<CallResult> {
  const { limits, setting, ...rest } = request;
  const { files = {}, seed, nowMs } = setting;
  const events = limits.events ?? null;
  const asked = { ...rest, files, seed, nowMs, events, limitMs: limits.wallMs, memoryMb };
  return new Promise((resolve) => {
    const args = [...walls(), "--", PYTHON, "-s", "-S", "-B", "-c", bwrapProgram];
    const child = spawn(bwrap, args, { env: {}, cwd: "/", stdio: ["pipe", "pipe", "pipe"] });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, limits.wallMs);
    const said: Buffer[] = [];
    let bytes = 0;
    let stderr = "";
    child.stdout.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > ANSWER_BYTES_MAX) child.kill("SIGKILL");
      else said.push(part);
    });
    child.stderr.on("data", (part: Buffer) => {
      stderr = (stderr + part.toString("utf8")).slice(-500);
    });
    child.stdin.on("error", () => {}); // It ended; `close` says how.
    child.on("error", (error) => {
      stderr = error.message;
    });
    child.on("close", () => {
      clearTimeout(timer);
      const answer = late ? undefined : readAnswer(Buffer.concat(said).toString("utf8"));
      if (late) resolve(timedOut(limits, true));
      else resolve(answer ?? lost("ProcessLost", stderr.trim() || "the process ended"));
    });
    child.stdin.end(JSON.stringify(asked));
  });
}
