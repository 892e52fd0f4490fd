/**
 * What a sandbox is asked and what it answers: strict JSON, so that an answer can be recorded. The
 * answer comes from a process that ran untrusted code, and is read as if that code wrote it.
 */
import { isMap } from "../../machines/isMap.ts";
import type { Json } from "../../machines/letter.ts";

export interface SandboxLimits {
  /** Real milliseconds, and virtual ones for code that sleeps. */
  readonly wallMs: number;
  /** Jumps and function starts of Python; the same on every machine. No limit when absent. */
  readonly events?: number;
}

export interface CallSetting {
  /** 0 … 2³²−1: all of Python's entropy comes from it. */
  readonly seed: number;
  /** Python's clock at the start. */
  readonly nowMs: number;
  /** Named virtual files by path, relative ones below `/work`; a path that ends in `/` is a folder. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface SandboxRequest {
  /** `syntax` reads the code and runs none of it. */
  readonly mode: "exec" | "call" | "syntax";
  readonly code: string;
  /** The tool's own name; the alphabetically first public function when it has none of it. */
  readonly functionName: string;
  readonly kwargs: { readonly [name: string]: Json };
  readonly limits: SandboxLimits;
  readonly setting: CallSetting;
}

export interface SandboxError {
  /** The Python exception's class, or `TimedOut`, `SandboxBreach`, `ProcessLost`. */
  readonly type: string;
  readonly message: string;
  /** The end of Python's traceback; empty when there is none. */
  readonly traceback: string;
}

export interface FileChange {
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
  readonly bytes: number;
  /** Null when deleted, not UTF-8, or beyond what an answer carries. */
  readonly text: string | null;
}

/** The run of a module's code. */
export interface ExecResult {
  readonly ok: boolean;
  readonly error: SandboxError | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly outOfMemory: boolean;
  /** The interpreter did not survive the call; the next one gets another. */
  readonly killed: boolean;
  /** With which the code itself ended the interpreter; null when it did not, and where the machine or a limit did. */
  readonly exitCode: number | null;
  /** Whole virtual milliseconds that the code slept or saw pass. */
  readonly elapsedMs: number;
  /** Of the limit of events; null without one. */
  readonly events: number | null;
  readonly files: readonly FileChange[];
}

export interface CallResult extends ExecResult {
  readonly stage: "module" | "arguments" | "call";
  /** The function that was chosen; null when the module has none. */
  readonly functionName: string | null;
  /** Its parameters without a default, in order. */
  readonly requires: readonly string[];
  /** False when the arguments did not fit: then nothing was called. */
  readonly called: boolean;
  readonly isNone: boolean;
  /** JSON; in place of what JSON has no word for `{"$python": {"type", "text"}}`. */
  readonly result: Json;
  /** False where neither clock nor chance was looked at, which holds of calls at rest alone: sandboxPort.ts. */
  readonly looked: boolean;
}

const failed: CallResult = {
  ok: false,
  stage: "module",
  functionName: null,
  requires: [],
  called: false,
  isNone: false,
  result: null,
  looked: true,
  error: null,
  stdout: "",
  stderr: "",
  timedOut: false,
  outOfMemory: false,
  killed: false,
  exitCode: null,
  elapsedMs: 0,
  events: null,
  files: [],
};

/** What the wall stopped leaves nothing: how far it came depends on the machine. */
export function timedOut(limits: SandboxLimits, killed: boolean, looked = true): CallResult {
  return {
    ...failed,
    looked,
    error: {
      type: "TimedOut",
      message: `stopped at the limit of ${limits.wallMs} ms`,
      traceback: "",
    },
    timedOut: true,
    killed,
    elapsedMs: limits.wallMs,
    events: limits.events ?? null,
  };
}

export const lost = (
  type: string,
  message: string,
  more: Partial<CallResult> = {},
): CallResult => ({
  ...failed,
  killed: true,
  error: { type, message, traceback: "" },
  ...more,
});

export function execResultOf(result: CallResult): ExecResult {
  const { stage: _, functionName: _f, requires: _r, called: _c, ...rest } = result;
  const { isNone: _n, result: _v, looked: _l, ...exec } = rest;
  return exec;
}

/** Rebuilt field by field: what the process says beyond that is dropped. */
export function readAnswer(text: string): CallResult | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isMap(given)) return undefined;
  const stage = given["stage"];
  const name = given["functionName"];
  const events = given["events"];
  const exitCode = given["exitCode"];
  return {
    ok: given["ok"] === true && given["timedOut"] !== true,
    stage: stage === "arguments" || stage === "call" ? stage : "module",
    functionName: typeof name === "string" ? name : null,
    requires: listOf(given["requires"]).filter((item) => typeof item === "string"),
    called: given["called"] === true,
    isNone: given["isNone"] === true,
    result: strict(given["result"], 0),
    looked: given["looked"] !== false,
    error: readError(given["error"]),
    stdout: textOf(given["stdout"]),
    stderr: textOf(given["stderr"]),
    timedOut: given["timedOut"] === true,
    outOfMemory: given["outOfMemory"] === true,
    killed: given["killed"] === true,
    exitCode: typeof exitCode === "number" ? countOf(exitCode) : null,
    elapsedMs: countOf(given["elapsedMs"]),
    events: typeof events === "number" ? countOf(events) : null,
    files: listOf(given["files"]).flatMap(readChange),
  };
}

function readError(given: unknown): SandboxError | null {
  if (!isMap(given)) return null;
  return {
    type: textOf(given["type"]),
    message: textOf(given["message"]),
    traceback: textOf(given["traceback"]),
  };
}

function readChange(given: unknown): readonly FileChange[] {
  if (!isMap(given)) return [];
  const { path, change, text } = given;
  if (typeof path !== "string" || !path.startsWith("/")) return [];
  if (change !== "created" && change !== "changed" && change !== "deleted") return [];
  const bytes = countOf(given["bytes"]);
  return [{ path, change, bytes, text: typeof text === "string" ? text.toWellFormed() : null }];
}

/** The harness keeps to this by itself; code that replaced the harness may not. */
function strict(given: unknown, depth: number): Json {
  if (typeof given === "string") return given.toWellFormed();
  if (typeof given === "number") return Number.isFinite(given) ? given + 0 : null;
  if (typeof given === "boolean") return given;
  if (typeof given !== "object" || given === null || depth === RESULT_DEPTH_MAX) return null;
  if (Array.isArray(given)) return given.map((item) => strict(item, depth + 1));
  const entries = Object.entries(given);
  return Object.fromEntries(
    entries.map(([key, item]) => [key.toWellFormed(), strict(item, depth + 1)]),
  );
}

const RESULT_DEPTH_MAX = 40;

const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);
const textOf = (given: unknown): string => (typeof given === "string" ? given.toWellFormed() : "");
const countOf = (given: unknown): number =>
  typeof given === "number" && Number.isSafeInteger(given) && given >= 0 ? given : 0;
