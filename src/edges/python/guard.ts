/**
 * The import guard: it owns every function that Python's WebAssembly module can call. The module has
 * no other way out, whatever happens to the memory inside it, so this file is the real wall; what
 * the scrub removes on the Python side is comfort.
 */
import crypto from "node:crypto";
import type { WebAssemblyApi, WebAssemblyModule } from "./emscripten.ts";
import { bootOnly, open, refused, served } from "./imports.ts";

/** Thrown through Python when it reaches for what it may not have. The interpreter is lost then. */
export class Breach extends Error {
  readonly exitCode: number | null;
  constructor(what: string, exitCode: number | null = null) {
    super(what);
    this.exitCode = exitCode;
  }
}

type Imported = ((...given: never[]) => unknown) & { sig?: string };
type Imports = Record<string, Record<string, Imported>>;

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };

export interface CallStart {
  readonly seed: number;
  readonly nowMs: number;
  readonly limitMs: number;
}

export interface CallEnd {
  /** The limit was reached, on the wall or by sleeping. */
  readonly interrupted: boolean;
  /** By sleeping through it: the same on every machine. */
  readonly overslept: boolean;
  readonly elapsedMs: number;
  readonly memoryRefused: boolean;
}

/** After an interrupt that went unheard, in case the parent is gone too. */
const ORPHAN_GRACE_MS = 2000;
/** Stands for the clock where a file's number is expected; harness.ts knows it too. */
const SLEEP_FILE = -5150;
const NS_PER_TICK = 1000n;
const NS_PER_MS = 1_000_000n;
const CLOCK_MS_MAX = 8.64e15;
/** Clock and entropy while Python starts, so that two snapshots are equal byte for byte. */
const boot: CallStart = { seed: 0, nowMs: 1_700_000_000_000, limitMs: 3_600_000 };

export class Guard {
  readonly #memoryBytesMax: number;
  readonly #wallMs = wallClock();
  readonly #quit = process.exit.bind(process);
  #locked = false;
  #call = boot;
  #elapsedNs = 0n;
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
    this.#ownTime();
    this.#ownEntropy();
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

  /** From here on nobody starts WebAssembly, and no import but the open ones works. */
  lock(): void {
    this.#locked = true;
    for (const name of ["instantiate", "compile", "Module", "Instance"]) {
      Object.defineProperty(WebAssembly, name, { value: () => this.#breach(name) });
    }
  }

  begin(call: CallStart): void {
    this.#call = call;
    this.#elapsedNs = 0n;
    this.#sleptMs = 0;
    this.#random = stirred(call.seed);
    this.#interrupted = false;
    this.#memoryRefused = false;
    this.#deadlineMs = this.#wallMs() + call.limitMs;
  }

  end(): CallEnd {
    this.#deadlineMs = Number.POSITIVE_INFINITY;
    const overslept = this.#sleptMs > this.#call.limitMs;
    return {
      interrupted: this.#interrupted || overslept,
      overslept,
      elapsedMs: Number(this.#elapsedNs / NS_PER_MS),
      memoryRefused: this.#memoryRefused,
    };
  }

  /** Bytes of `/dev/urandom`, `os.urandom`, `uuid4`, `secrets`: drawn from the call's seed. */
  fill<T extends ArrayBufferView>(view: T): T {
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
    if (open.has(name)) return original;
    if (Object.hasOwn(refused, name)) return () => refused[name];
    const call = original as (...given: unknown[]) => unknown;
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
    const memory = (): ArrayBuffer =>
      (env["memory"] as unknown as { readonly buffer: ArrayBuffer }).buffer;
    const leave = (code: number): never => {
      throw new Breach("left the interpreter", code);
    };
    return {
      emscripten_date_now: () => this.#nowMs(),
      emscripten_get_now: () => this.#nowMs(),
      clock_time_get: (_id: number, _precision: bigint, address: number) => {
        new DataView(memory()).setBigInt64(address >>> 0, this.#nowNs(), true);
        return 0;
      },
      random_get: (address: number, length: number) => {
        this.fill(new Uint8Array(memory(), address >>> 0, length >>> 0));
        return 0;
      },
      // Advice on files nobody needs: it carries `time.sleep` out of the harness.
      __syscall_fadvise64: (file: number, us: bigint | number) => {
        if (file === SLEEP_FILE) this.#sleep(Number(us) / 1000);
        return 0;
      },
      _setitimer_js: () => -1,
      emscripten_get_heap_max: () => this.#memoryBytesMax,
      emscripten_resize_heap: (bytes: number) => {
        if (bytes >>> 0 <= this.#memoryBytesMax) return original(bytes);
        this.#memoryRefused = true;
        return 0;
      },
      _Py_CheckEmscriptenSignals_Helper: () => this.#signal(),
      _Py_emscripten_runtime: () => 0,
      // Emscripten's would set the host process's own mask.
      __syscall_umask_js: () => 0o22,
      __syscall_getuid32_js: () => 0,
      exit: leave,
      proc_exit: leave,
      _abort_js: () => this.#breach("abort"),
      __assert_fail: () => this.#breach("assert"),
    } satisfies Record<string, unknown>;
  }

  /** Asked for by the interpreter every few instructions: 2 is SIGINT. */
  #signal(): number {
    const late = this.#wallMs() - this.#deadlineMs;
    if (late > ORPHAN_GRACE_MS) this.#quit(137);
    if (this.#interrupted || (late < 0 && this.#sleptMs <= this.#call.limitMs)) return 0;
    this.#interrupted = true;
    return 2;
  }

  #sleep(ms: number): void {
    if (!(ms > 0)) return;
    this.#sleptMs += Math.min(ms, this.#call.limitMs + 1);
    this.#elapsedNs += BigInt(Math.round(Math.min(ms, CLOCK_MS_MAX) * 1e6));
  }

  #nowNs(): bigint {
    this.#elapsedNs += NS_PER_TICK;
    return BigInt(this.#call.nowMs) * NS_PER_MS + this.#elapsedNs;
  }

  #nowMs(): number {
    return Math.min(Number(this.#nowNs()) / 1e6, CLOCK_MS_MAX);
  }

  #ownTime(): void {
    const RealDate = Date;
    const nowMs = () => Math.floor(this.#nowMs());
    class VirtualDate extends RealDate {
      constructor(...given: ConstructorParameters<typeof Date> | []) {
        super(...((given.length === 0 ? [nowMs()] : given) as [number]));
      }
      static override now(): number {
        return nowMs();
      }
    }
    globalThis.Date = VirtualDate as DateConstructor;
    Object.defineProperty(globalThis, "performance", { value: { now: () => this.#nowMs() } });
  }

  #ownEntropy(): void {
    const fill = <T extends ArrayBufferView>(view: T): T => this.fill(view);
    Object.assign(crypto, { randomFillSync: fill });
    Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: fill } });
  }

  #assertBooting(name: string): void {
    if (this.#locked) this.#breach(name);
  }

  #breach(name: string): never {
    throw new Breach(`reached for the host: ${name}`);
  }
}

function wallClock(): () => number {
  const hrtime = process.hrtime.bigint;
  return () => Number(hrtime() / NS_PER_MS);
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
