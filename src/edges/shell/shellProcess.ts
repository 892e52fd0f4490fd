/** Starts the process in which shells run, with as few rights as Node can give, and talks to it. */
import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defined } from "../../machines/defined.ts";
import { isMap } from "../../machines/isMap.ts";
import { isEdgeError } from "../errors.ts";
import type { KeptAnswers } from "../play/keptAnswers.ts";
import { manifestsAbove, startBareNode } from "../processes/bareNode.ts";
import { startWithin, type Walls } from "../processes/bwrap.ts";
import { engineIn } from "../processes/engine.ts";
import { notStarted } from "../processes/notStarted.ts";
import type { SandboxKind } from "../processes/sandboxKind.ts";
import { linesOf } from "./shellLines.ts";
import {
  type ShellAnswer,
  type ShellRan,
  type ShellRun,
  type ShellStop,
  stoppedRun,
} from "./shellProtocol.ts";

/** In a checkout Node runs the TypeScript; in the package it is compiled. */
const childFile = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./shellChild.ts" : "./shellChild.js", import.meta.url),
);
/** Ours: how long after the wall a run is waited for, before its process is killed. */
const GRACE_MS = 5_000;
/** Ours: a virtual limit may be short; how long the machine needs for one command has nothing to do with it. */
const WALL_MS_MIN = 30_000;
/** Ours: what the process as a whole may take: so many times the memory of a command, and its own. */
const RESIDENT = { times: 4, ownMb: 512 };
/** Ours: the longest line that is read from a child; more is an attack. */
const LINE_BYTES_MAX = 32 * 1024 * 1024;
/** Ours: a run is tried again in a new process, since a busy machine may end one, or have no memory for it. */
const TRIES_MAX = 3;

/** A shell that is started by the first command that needs one. */
export interface LazyShell {
  /** One command at a time, in the order asked, where its answer is not kept. Rejects when no process starts. */
  run(run: ShellRun): Promise<ShellRan>;
  /** Whether a process was ever started. */
  isStarted(): boolean;
  close(): Promise<void>;
}

export interface ShellOptions {
  /** What stands around the process, as for Python. */
  readonly kind?: SandboxKind;
  /** How long the machine may work on one command at least, whatever its virtual limit. */
  readonly wallMsMin?: number;
  /** What the process as a whole may take. */
  readonly residentMb?: number;
  /** Where answers are kept; each is asked anew when absent. */
  readonly answers?: KeptAnswers | undefined;
}

// The answer of a shell's process, read as if the command line had written it: rebuilt field by field,
// and within the bounds that its run was given.

const STOPS: readonly ShellStop[] = ["time", "steps", "output", "files", "memory", "process"];

/** Undefined when it answers something else, or is no answer. */
export function readAnswer(line: string, id: string, run: ShellRun): ShellAnswer | undefined {
  const answer = mapIn(line);
  if (answer === undefined || answer["id"] !== id || !isMap(answer["ran"])) return undefined;
  const ran = ranOf(answer["ran"], run);
  if (ran === undefined) return undefined;
  return defined({ id, ran, isLast: answer["isLast"] === true ? true : undefined });
}

/** What a run came to, alone; undefined when it is not that. */
function readRan(text: string, run: ShellRun): ShellRan | undefined {
  const ran = mapIn(text);
  return ran === undefined ? undefined : ranOf(ran, run);
}

function mapIn(text: string): { readonly [name: string]: unknown } | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return isMap(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function ranOf(given: { readonly [name: string]: unknown }, run: ShellRun): ShellRan | undefined {
  const { exitCode, stdout, stderr, changed, reads, elapsedMs, fault, stopped } = given;
  const { outputChars, changedFiles, changedChars } = run.bounds;
  if (!isWhole(exitCode) || !isWhole(elapsedMs) || elapsedMs < 0) return undefined;
  if (!isText(stdout) || !isText(stderr) || !isMap(changed) || !Array.isArray(reads))
    return undefined;
  if (stdout.length > outputChars || stderr.length > outputChars) return undefined;
  const texts = Object.entries(changed);
  if (!texts.every((one): one is [string, string | null] => one[1] === null || isText(one[1])))
    return undefined;
  const chars = texts.reduce((sum, [path, text]) => sum + path.length + (text?.length ?? 0), 0);
  if (texts.length > changedFiles || chars > changedChars) return undefined;
  if (!reads.every((path) => isText(path) && Object.hasOwn(run.files, path))) return undefined;
  if (fault !== undefined && !isText(fault)) return undefined;
  const stop = STOPS.find((one) => one === stopped);
  if (stop !== stopped) return undefined;
  return defined({
    ...{ exitCode, stdout, stderr, changed: Object.fromEntries(texts), reads, elapsedMs },
    fault,
    stopped: stop,
  });
}

const isText = (value: unknown): value is string => typeof value === "string";
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

export function lazyShell({
  kind = "auto",
  wallMsMin = WALL_MS_MIN,
  residentMb,
  answers,
}: ShellOptions = {}): LazyShell {
  let child: Child | undefined;
  let started: Promise<Child> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  const inTurn = async (run: ShellRun): Promise<ShellRan> => {
    const wallMs = Math.max(run.bounds.limitMs, wallMsMin);
    for (let tries = 1; ; tries++) {
      if (closed) throw new Error("the shell is closed");
      if (started === undefined || child?.isOver()) {
        const { memoryMb } = run.bounds;
        const ofProcess = residentMb ?? memoryMb * RESIDENT.times + RESIDENT.ownMb;
        started = opened(kind, [memoryMb, ofProcess], (one) => {
          child = one;
        });
      }
      const ran = await (await started).run(run, wallMs);
      if (ran !== undefined && ran.stopped !== "process") return ran;
      if (tries === TRIES_MAX) return stoppedRun("process", run.bounds.limitMs);
    }
  };
  const ask = (run: ShellRun): Promise<ShellRan> => {
    const turn = last.then(() => inTurn(run));
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    run: async (run) =>
      answers?.answer({
        ...{ engine: engineIn(here), asked: run, isSure },
        ask: () => ask(run),
        read: (text) => readRan(text, run),
      }) ?? ask(run),
    isStarted: () => started !== undefined,
    close: async () => {
      closed = true;
      await child?.close();
    },
  };
}

const here = new URL("./", import.meta.url);

/** Where the machine has no part: neither its clock nor its memory ended the run. */
const isSure = ({ stopped }: ShellRan): boolean =>
  stopped === undefined || stopped === "steps" || stopped === "output" || stopped === "files";

/** Of a command, and of the process as a whole. */
type MemoryBounds = readonly [memoryMb: number, residentMb: number];

const opened = (
  kind: SandboxKind,
  bounds: MemoryBounds,
  hold: (child: Child) => void,
): Promise<Child> =>
  startWithin(kind, async (walls) => {
    const child = startChild(bounds, walls);
    hold(child);
    await child.ready;
    return child;
  }).catch((error: unknown) => {
    throw isEdgeError(error) ? error : notStarted("shell", error);
  });

interface Child {
  /** Rejects when it ends before it could serve. */
  readonly ready: Promise<unknown>;
  /** Undefined when the process ended without an answer, or answered something else. */
  run(run: ShellRun, wallMs: number): Promise<ShellRan | undefined>;
  isOver(): boolean;
  close(): Promise<void>;
}

function startChild(bounds: MemoryBounds, walls: Walls | undefined): Child {
  const given = bounds.map(String);
  const child = startBareNode({ file: childFile, given, reads: readable(childFile), walls });
  let isOver = false;
  void child.ended.then(() => {
    isOver = true;
  });
  // At once: the next command must not meet a process that is about to end.
  const kill = (): void => {
    isOver = true;
    child.kill();
  };
  const lines = linesOf(child.stdout, LINE_BYTES_MAX);
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done !== true) return value;
    const { stderr } = await child.ended;
    const reason = stderr.split("\n").find((said) => /Error|bwrap/.test(said)) ?? stderr.trim();
    throw new Error(`the shell's process ended: ${reason.split("\n", 1)[0] || "no reason given"}`);
  };
  const ready = line();
  ready.catch(() => undefined); // The caller that runs a command hears it.
  return {
    ready,
    isOver: () => isOver,
    run: async (run, wallMs) => {
      const id = randomUUID();
      child.send(`${JSON.stringify({ id, run, wallMs })}\n`);
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        kill();
      }, wallMs + GRACE_MS);
      const answer = await line()
        .then((text) => readAnswer(text, id, run))
        .catch(() => undefined)
        .finally(() => clearTimeout(late));
      if (answer === undefined || answer.isLast || answer.ran.stopped === "process") kill();
      return answer?.ran ?? (isLate ? stoppedRun("time", run.bounds.limitMs) : undefined);
    },
    close: async () => {
      kill();
      await child.ended;
    },
  };
}

/** Our own code and what it imports: in the package, the shell is part of that code. */
function readable(childFile: string): readonly string[] {
  const own = createRequire(import.meta.url);
  const code = path.dirname(path.dirname(path.dirname(childFile)));
  const shell = childFile.endsWith(".ts") ? checkoutShell(own) : { files: [], folders: [] };
  const packages = ["pure-rand", "@noble/hashes"].flatMap((name) => placesOf(name, own));
  const folders = [code, ...packages, ...shell.folders];
  const reads = [
    ...shell.files,
    ...folders.map((folder) => path.join(folder, "*")),
    ...[...shell.files.map((file) => path.dirname(file)), ...folders].flatMap(manifestsAbove),
  ];
  return [...new Set(reads)];
}

/** The shell in one file, and the packages that this file names and that those name. */
function checkoutShell(own: NodeJS.Require): {
  readonly files: readonly string[];
  readonly folders: readonly string[];
} {
  const [named, real] = placesOf("just-bash", own);
  const resolved = fileURLToPath(import.meta.resolve("just-bash/browser"));
  const file = path.relative(real, realpathSync(resolved));
  const bundle = path.join(named, file);
  const from = createRequire(bundle);
  const names = [
    ...["diff", "minimatch", "sprintf-js", "turndown"],
    ...["brace-expansion", "balanced-match", "@mixmark-io/domino"],
  ];
  return {
    files: [bundle, path.join(real, file)],
    folders: names.flatMap((name) => placesOf(name, from)),
  };
}

/** The nearest folder of that name on the way up from the module that asks, and what it is where that is a link. */
function placesOf(name: string, from: NodeJS.Require): readonly [named: string, real: string] {
  const paths = from.resolve.paths(name) ?? [];
  const found = paths.map((folder) => path.join(folder, name)).find((one) => existsSync(one));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return [found, realpathSync(found)];
}
