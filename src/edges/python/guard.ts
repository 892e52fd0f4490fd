/**
 * The import guard: it owns every function that Python's WebAssembly module can call. The module has
 * no other way out, whatever happens to the memory inside it, so this file is the real wall; what
 * the scrub removes on the Python side is comfort.
 */

import crypto from "node:crypto";
import type { PythonModule, WebAssemblyApi, WebAssemblyModule } from "./emscripten.ts";
import {
  bootOnly,
  harmless,
  REFUSED_CALLS,
  restored,
  restoredBut,
  served,
  spending,
} from "./imports.ts";

/** Thrown through Python when it reaches for what it may not have. The interpreter is lost then. */
export class Breach extends Error {
  /** What a system gives a process that it ends for it; null where the code has no part in it. */
  readonly exitCode: number | null;

  constructor(message: string, exitCode: number | null = null) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Python ended itself, as with `os._exit`. */
export class Left extends Error {
  readonly exitCode: number;

  constructor(code: number) {
    super(`the code ended the interpreter with exit code ${code}`);
    this.exitCode = code & 0xff;
  }
}

/** The limit of events is reached, and Python did not listen. */
export class OutOfEvents extends Error {}

type Imported = ((...given: never[]) => unknown) & { sig?: string };
type Imports = Record<string, Record<string, Imported>>;

// Node's types know WebAssembly only where they know the browser.
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };

export interface CallStart {
  readonly seed: number;
  readonly nowMs: number;
  readonly limitMs: number;
  /** Null without a limit. */
  readonly events: number | null;
}

export interface CallEnd {
  /** A limit was reached: by the wall, by sleeping or by events. */
  readonly interrupted: boolean;
  readonly elapsedMs: number;
  readonly events: number;
  readonly memoryRefused: boolean;
  /** The call touched what is not put back. */
  readonly spent: boolean;
  /** The call was told of its clock, or given entropy. */
  readonly looked: boolean;
}

/** How many backward jumps and calls of Python pass from one look for an interrupt to the next: CPython counts 50 down to 0. */
export const EVENTS_PER_LOOK = 51;
/** Ours: looks that code may go on for after it was told that its events are used up. */
const LOOKS_AFTER_END = 200;
/** Ours: the memory that Python has before it must ask for more, which uses the process up. */
const ROOM_BYTES = 64 * 1024 * 1024;
/** Ours: what it gets at least when it asks. */
const GROWTH_BYTES = 4 * 1024 * 1024;
const PAGE_BYTES = 64 * 1024;
/** Stands for the clock where a file's number is expected; harness.ts knows it too. */
const SLEEP_FILE = -5150;
/** As a shell tells of SIGABRT, and of SIGSYS, by which a system ends who makes a forbidden call. */
const ABORTED = 134;
const FORBIDDEN = 159;
const NS_PER_TICK = 1000n;
const NS_PER_MS = 1_000_000n;
const CLOCK_MS_MAX = 8.64e15;
/** From this one on, WASI's clocks are the processor's: of the process, and of the thread. */
const PROCESSOR_CLOCK = 2;
/** Clock and entropy while Python starts, so that two snapshots are equal byte for byte. */
const boot: CallStart = {
  seed: 0,
  nowMs: 1_700_000_000_000,
  limitMs: 3_600_000,
  events: null,
};
/** In it every file was made that no call made; the clock of a call at rest is far from it. */
const BOOT_SECOND = boot.nowMs / 1000;
/** Where Emscripten's `stat` holds seconds, in words of four bytes: of access, change, and change of the entry. */
const STAT_TIMES = [10, 14, 18];

export class Guard {
  readonly #memoryBytesMax: number;
  readonly #wallMs = wallClock();
  #locked = false;
  #grow: (bytes: number) => unknown = () => undefined;
  #call = boot;
  #looks = 0;
  #spent = false;
  #looked = false;
  #elapsedNs = 0n;
  #sleptNs = 0n;
  #sleptMs = 0;
  #deadlineMs = Number.POSITIVE_INFINITY;
  #interrupted = false;
  #memoryRefused = false;
  #random = stirred(boot.seed);

  constructor(memoryBytesMax: number) {
    this.#memoryBytesMax = memoryBytesMax;
  }

  /** Before Pyodide is loaded: it keeps references to what it finds. */
  install(): void {
    ownTime(() => this.#nowMs());
    ownEntropy((view) => this.fill(view));
    const instantiate = WebAssembly.instantiate.bind(WebAssembly);
    const guarded = async (source: WebAssemblyModule | Uint8Array, imports?: Imports) => {
      this.#assertBooting("WebAssembly.instantiate");
      const given = source instanceof WebAssembly.Module;
      const module = given ? source : await WebAssembly.compile(source);
      if (imports?.["wasi_snapshot_preview1"] !== undefined) this.#own(module, imports);
      const instance = await instantiate(module, imports);
      return given ? instance : { module, instance };
    };
    Object.defineProperty(WebAssembly, "instantiate", { value: guarded });
    Object.defineProperty(WebAssembly, "instantiateStreaming", { value: undefined });
  }

  /** From here on no WebAssembly is started, and Python reaches JavaScript no more. */
  lock(module: Pick<PythonModule, "growMemory">): void {
    this.#locked = true;
    this.#grow = module.growMemory;
    this.#grow(ROOM_BYTES);
    for (const name of ["instantiate", "compile", "Module", "Instance"]) {
      Object.defineProperty(WebAssembly, name, { value: () => this.#breach(name) });
    }
  }

  begin(call: CallStart): void {
    this.#call = call;
    this.#elapsedNs = 0n;
    this.#sleptNs = 0n;
    this.#sleptMs = 0;
    this.#random = stirred(call.seed);
    this.#interrupted = false;
    this.#memoryRefused = false;
    this.#looks = 0;
    this.#spent = false;
    this.#looked = false;
    this.#deadlineMs = this.#wallMs() + call.limitMs;
  }

  end(): CallEnd {
    this.#deadlineMs = Number.POSITIVE_INFINITY;
    const overslept = this.#sleptMs > this.#call.limitMs;
    return {
      interrupted: this.#interrupted || overslept,
      elapsedMs: Number(this.#elapsedNs / NS_PER_MS),
      events: this.#looks * EVENTS_PER_LOOK,
      memoryRefused: this.#memoryRefused,
      spent: this.#spent,
      looked: this.#looked,
    };
  }

  /** Bytes of `/dev/urandom`, `os.urandom`, `uuid4`, `secrets`: drawn from the call's seed. */
  fill<T extends ArrayBufferView>(view: T): T {
    this.#looked = true;
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let index = 0; index < bytes.length; index++) bytes[index] = this.#random() & 0xff;
    return view;
  }

  #own(module: WebAssemblyModule, imports: Imports): void {
    const wanted = WebAssembly.Module.imports(module).filter(({ kind }) => kind === "function");
    const isWanted = new Set(wanted.map(({ name }) => name));
    for (const [space, functions] of Object.entries(imports)) {
      if (space !== "env" && space !== "wasi_snapshot_preview1") continue;
      for (const [name, original] of Object.entries(functions)) {
        if (typeof original !== "function") continue;
        const owned = isWanted.has(name)
          ? this.#ownedImport(name, original, imports)
          : () => this.#breach(name);
        functions[name] = Object.assign(owned, { sig: original.sig }) as Imported;
      }
    }
    for (const { module: space, name } of wanted) {
      if (imports[space]?.[name] === undefined) throw new Breach(`no import ${space}.${name}`);
    }
  }

  #ownedImport(name: string, original: Imported, imports: Imports): Imported {
    if (harmless.has(name) || restored.has(name)) return original;
    if (Object.hasOwn(REFUSED_CALLS, name)) return () => REFUSED_CALLS[name];
    const call = original as (...given: unknown[]) => unknown;
    const spends = spending.has(name) ? () => true : restoredBut[name];
    if (spends !== undefined) {
      return (...given: unknown[]) => {
        this.#spent ||= spends(...(given as number[]));
        return call(...given);
      };
    }
    if (bootOnly.has(name)) {
      return (...given: unknown[]) => {
        this.#assertBooting(name);
        return call(...given);
      };
    }
    if (!served.has(name)) throw new Breach(`Pyodide asks for an unknown import: ${name}`);
    const own: Record<string, unknown> = this.#servedImports(call, imports);
    return own[name] as Imported;
  }

  #servedImports(original: (...given: unknown[]) => unknown, imports: Imports) {
    const { env = {} } = imports;
    // Among the functions stands the one thing that is none: the memory itself.
    const memory = (): ArrayBuffer =>
      (env["memory"] as unknown as { readonly buffer: ArrayBuffer }).buffer;
    /** Tells of a file what it also tells of its times; `at` is the argument that says where to. */
    const statTo =
      (at: number) =>
      (...given: number[]) => {
        const failure = original(...given);
        const from = (given[at] ?? 0) >>> 2;
        const words = new Int32Array(memory());
        const isOfBoot = STAT_TIMES.every((word) => words[from + word] === BOOT_SECOND);
        this.#looked ||= failure === 0 && !isOfBoot;
        return failure;
      };
    const leave = (code: number): never => {
      throw new Left(code);
    };
    return {
      emscripten_date_now: () => this.#told(this.#nowMs()),
      emscripten_get_now: () => this.#told(this.#nowMs()),
      clock_time_get: (id: number, _precision: bigint, address: number) => {
        const now = id < PROCESSOR_CLOCK ? this.#nowNs() : this.#workedNs();
        new DataView(memory()).setBigInt64(address >>> 0, this.#told(now), true);
        return 0;
      },
      random_get: (address: number, length: number) => {
        this.fill(new Uint8Array(memory(), address >>> 0, length >>> 0));
        return 0;
      },
      __syscall_stat64: statTo(1),
      __syscall_lstat64: statTo(1),
      __syscall_fstat64: statTo(1),
      __syscall_newfstatat: statTo(2),
      // Advice on files is of use to no program: it carries `time.sleep` out of the harness.
      __syscall_fadvise64: (file: number, us: bigint | number) => {
        if (file === SLEEP_FILE) this.#sleep(Number(us) / 1000);
        return 0;
      },
      _setitimer_js: () => -1,
      emscripten_get_heap_max: () => this.#memoryBytesMax,
      emscripten_resize_heap: (bytes: number) =>
        this.#locked ? this.#grown(bytes >>> 0, memory().byteLength) : original(bytes),
      _Py_CheckEmscriptenSignals_Helper: () => this.#signal(),
      _Py_emscripten_runtime: () => 0,
      // Emscripten's would set the host process's own mask.
      __syscall_umask_js: () => 0o22,
      __syscall_getuid32_js: () => 0,
      exit: leave,
      proc_exit: leave,
      _abort_js: () => this.#breach("abort", ABORTED),
      __assert_fail: () => this.#breach("assert", ABORTED),
    } satisfies Record<string, unknown>;
  }

  /** Emscripten's own way takes a fifth more than is asked for, beyond any bound of ours. */
  #grown(asked: number, now: number): number {
    if (asked > this.#memoryBytesMax) {
      this.#memoryRefused = true;
      return 0;
    }
    this.#spent = true;
    const pages = Math.ceil(Math.max(asked, now + GROWTH_BYTES) / PAGE_BYTES);
    return this.#grow(Math.min(this.#memoryBytesMax, pages * PAGE_BYTES)) === 1 ? 1 : 0;
  }

  /**
   * Asked by the interpreter every so many jumps and calls, wherever Python code goes: that is the
   * fuel, counted where the code cannot reach it. 2 is SIGINT.
   */
  #signal(): number {
    this.#looks++;
    const { events, limitMs } = this.#call;
    const over = events === null ? 0 : this.#looks - Math.ceil(events / EVENTS_PER_LOOK);
    if (over > LOOKS_AFTER_END) throw new OutOfEvents();
    const isLate = over > 0 || this.#sleptMs > limitMs || this.#wallMs() >= this.#deadlineMs;
    if (this.#interrupted || !isLate) return 0;
    this.#interrupted = true;
    return 2;
  }

  #sleep(ms: number): void {
    if (!(ms > 0)) return;
    this.#sleptMs += Math.min(ms, this.#call.limitMs + 1);
    const ns = BigInt(Math.round(Math.min(ms, CLOCK_MS_MAX) * 1e6));
    this.#elapsedNs += ns;
    this.#sleptNs += ns;
  }

  #nowNs(): bigint {
    this.#elapsedNs += NS_PER_TICK;
    return BigInt(this.#call.nowMs) * NS_PER_MS + this.#elapsedNs;
  }

  /** Of a process that began with the call. */
  #workedNs(): bigint {
    this.#elapsedNs += NS_PER_TICK;
    return this.#elapsedNs - this.#sleptNs;
  }

  #nowMs(): number {
    return Math.min(Number(this.#nowNs()) / 1e6, CLOCK_MS_MAX);
  }

  /** Python hears of it: Emscripten alone, which notes when files change, does not look. */
  #told<T>(time: T): T {
    this.#looked = true;
    return time;
  }

  #assertBooting(name: string): void {
    if (this.#locked) this.#breach(name);
  }

  #breach(name: string, exitCode = FORBIDDEN): never {
    throw new Breach(`reached for the host: ${name}`, exitCode);
  }
}

function wallClock(): () => number {
  const hrtime = process.hrtime.bigint;
  return () => Number(hrtime() / NS_PER_MS);
}

/* JavaScript's own clock and entropy, which Pyodide asks too, replaced by those of the call. */

/** `Date` and `performance` tell the virtual time, in milliseconds. */
function ownTime(exactMs: () => number): void {
  const RealDate = Date;
  const nowMs = () => Math.floor(exactMs());
  class VirtualDate extends RealDate {
    constructor(...given: ConstructorParameters<typeof Date> | []) {
      super(...((given.length === 0 ? [nowMs()] : given) as [number]));
    }
    static override now(): number {
      return nowMs();
    }
  }
  globalThis.Date = VirtualDate as DateConstructor;
  Object.defineProperty(globalThis, "performance", { value: { now: exactMs } });
}

/** Code that asks for random bytes gets them from `fill`. */
function ownEntropy(fill: <T extends ArrayBufferView>(view: T) => T): void {
  Object.assign(crypto, { randomFillSync: fill });
  Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: fill } });
}

/** xorshift32 from a stirred seed: cheap, and the same on every machine. Not for secrets. */
function stirred(seed: number): () => number {
  let state = Math.imul((seed ^ 0x9e3779b9) >>> 0, 0x85ebca6b) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state >>> 8;
  };
}
