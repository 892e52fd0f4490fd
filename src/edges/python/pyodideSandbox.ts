/** Pyodide in child processes: one that works and, once one had to go, a warm spare that takes its place. */
import { randomUUID } from "node:crypto";
import { notBegun } from "../processes/bareNode.ts";
import { startWithin, type Walls } from "../processes/bwrap.ts";
import type { SandboxKind } from "../processes/sandboxKind.ts";
import { type CallResult, lost, readAnswer, type SandboxRequest, timedOut } from "./answer.ts";
import type { Backend } from "./backend.ts";
import { type ChildHandle, pyodideFile, startChild } from "./childProcess.ts";
import type { ChildAnswer, ChildReady, ChildRequest, ChildSetup } from "./childProtocol.ts";
import { PYODIDE_VERSION } from "./imports.ts";
import { cacheFolder, findSnapshot, type Snapshot } from "./snapshot.ts";

export interface PyodideOptions {
  readonly kind?: SandboxKind;
  /** Where `bwrap` is looked for; the process's own PATH when absent. */
  readonly searchPath?: string;
  /** For the snapshot; the user's own cache folder when absent, none when null. */
  readonly cacheFolder?: string | null;
  /** Of Python's own memory. */
  readonly memoryMb?: number;
  /** A further process, ready for when one has to go again; most sandboxes never lose one. */
  readonly spare?: boolean;
}

/** Ours. Python itself takes 32 MB; a tool that needs more than this is not a tool. */
const MEMORY_MB = 256;
/** Ours: what a process with Python's memory, its files and JavaScript's own full stays below. */
const RESIDENT_MB = 768;
/** Ours: one that took more than this keeps it; another takes its place. */
const KEPT_RESIDENT_MB = 350;
/** After the limit: time for Python to hear the interrupt and say what happened. */
const KILL_GRACE_MS = 500;
/** Ours: two tries, for the one time that a loaded machine kills a starting process. */
const STARTS_MAX = 2;

interface Ready {
  readonly child: ChildHandle;
  readonly hasEnded: () => boolean;
  readonly pythonVersion: string;
}

export async function openPyodide(options: PyodideOptions): Promise<Backend> {
  const setup: ChildSetup = {
    mode: "serve",
    pyodide: pyodideFile(),
    snapshot: null,
    memoryMb: options.memoryMb ?? MEMORY_MB,
    residentMb: RESIDENT_MB,
  };
  const folder = options.cacheFolder === undefined ? cacheFolder() : options.cacheFolder;
  const snapshot = await findSnapshot(folder, setup);
  const spare = options.spare ?? true;
  const { kind = "auto", searchPath } = options;
  const start = async (walls: Walls | undefined): Promise<Opened> => {
    const pool = new Pool(setup, snapshot, spare, walls);
    try {
      return { pool, ready: await pool.current() };
    } catch (error) {
      await pool.close();
      throw error;
    }
  };
  const { pool, ready } = await startWithin(kind, start, searchPath);
  const { pythonVersion } = ready;
  return {
    info: { kind: "pyodide", pythonVersion, pyodideVersion: PYODIDE_VERSION, walls: pool.walls },
    run: (request) => runIn(pool, request),
    close: () => pool.close(),
    peakMb: () => pool.peakMb,
  };
}

interface Opened {
  readonly pool: Pool;
  readonly ready: Ready;
}

class Pool {
  peakMb = 0;
  readonly #setup: ChildSetup;
  readonly #snapshot: Snapshot;
  readonly #keepsSpare: boolean;
  readonly #walls: Walls | undefined;
  readonly #children = new Set<ChildHandle>();
  #current: Promise<Ready> | undefined;
  #spare: Promise<Ready> | undefined;
  #hasDropped = false;
  #closed = false;

  constructor(setup: ChildSetup, snapshot: Snapshot, keepsSpare: boolean, walls?: Walls) {
    const { bytes, sha256 } = snapshot;
    this.#setup = { ...setup, snapshot: { bytes, sha256 } };
    this.#snapshot = snapshot;
    this.#keepsSpare = keepsSpare;
    this.#walls = walls;
  }

  get walls(): "bwrap" | null {
    return this.#walls === undefined ? null : "bwrap";
  }

  async current(): Promise<Ready> {
    this.#current ??= this.#spare ?? this.#start();
    if (this.#spare === this.#current) this.#spare = undefined;
    let ready = await this.#current;
    // The machine may have ended it while it had nothing to do; no tool is to blame for that.
    while (ready.hasEnded()) {
      this.#current = this.#start();
      ready = await this.#current;
    }
    const wantsSpare = this.#keepsSpare && this.#hasDropped && !this.#closed;
    if (wantsSpare && this.#spare === undefined) {
      this.#spare = this.#start();
      this.#spare.catch(() => undefined); // The call that needs it hears of it.
    }
    return ready;
  }

  /** The process is gone or not to be trusted any more. */
  drop(child: ChildHandle): void {
    child.kill();
    this.#current = undefined;
    this.#hasDropped = true;
  }

  /** Whether the process may serve another call. */
  saw(rssMb: unknown): boolean {
    if (typeof rssMb !== "number") return false;
    this.peakMb = Math.max(this.peakMb, rssMb);
    return rssMb <= KEPT_RESIDENT_MB;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const child of this.#children) child.kill();
    await Promise.all([...this.#children].map((child) => child.ended));
  }

  async #start(): Promise<Ready> {
    for (let tries = 1; ; tries++) {
      const child = startChild(this.#setup, this.#walls);
      this.#children.add(child);
      let hasEnded = false;
      void child.ended.then(() => {
        hasEnded = true;
        this.#children.delete(child);
      });
      child.send(await this.#snapshot.content(tries > 1));
      const line = await child.line();
      if (typeof line === "string") {
        const { pythonVersion, rssMb } = JSON.parse(line) as ChildReady;
        this.saw(rssMb);
        return { child, pythonVersion, hasEnded: () => hasEnded };
      }
      child.kill();
      if (this.#closed || tries === STARTS_MAX) {
        throw notBegun("Python", line);
      }
    }
  }
}

async function runIn(pool: Pool, request: SandboxRequest): Promise<CallResult> {
  const { child } = await pool.current();
  const { limits } = request;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill();
  }, limits.wallMs + KILL_GRACE_MS);
  try {
    const id = randomUUID();
    child.send(`${JSON.stringify(childRequest(id, request))}\n`);
    const line = await child.line();
    if (typeof line !== "string") {
      pool.drop(child);
      // V8 aborts when JavaScript's own memory in the child is full.
      const full = /heap out of memory|Allocation failed/.test(line.stderr);
      if (late) return timedOut(limits, true);
      if (full) return lost("MemoryError", "the process ran out of memory", { outOfMemory: true });
      return lost("ProcessLost", "the process ended in the middle of the call");
    }
    return read(pool, child, { id, line, request });
  } finally {
    clearTimeout(timer);
  }
}

interface Answered {
  readonly id: string;
  readonly line: string;
  readonly request: SandboxRequest;
}

function read(pool: Pool, child: ChildHandle, { id, line, request }: Answered): CallResult {
  const answer = readAnswer(line);
  const { id: answeredId, retire, rssMb } = answer === undefined ? {} : about(line);
  if (answer === undefined || answeredId !== id) {
    pool.drop(child);
    return lost("ProcessLost", "the process answered with something else than an answer");
  }
  if (!pool.saw(rssMb) || retire === true) pool.drop(child);
  const unexplained = answer.timedOut && answer.error === null;
  return unexplained ? timedOut(request.limits, answer.killed, answer.looked) : answer;
}

const about = (line: string): Partial<ChildAnswer> => JSON.parse(line);

function childRequest(id: string, request: SandboxRequest): ChildRequest {
  const { limits, setting, ...rest } = request;
  const { files = {}, seed, nowMs } = setting;
  const limitMs = limits.wallMs;
  return { ...rest, id, seed, nowMs, limitMs, events: limits.events ?? null, files };
}
