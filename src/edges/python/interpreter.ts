/**
 * One Python interpreter: every call starts from the same memory and the same disk. It is reached
 * through CPython's C functions and by text only, so that no object of one language meets the other.
 */
import type { ChildAnswer, ChildRequest } from "./childProtocol.ts";
import type { PythonModule } from "./emscripten.ts";
import { Breach, type CallEnd, type Guard, Left, OutOfEvents } from "./guard.ts";
import { VirtualDisk } from "./virtualDisk.ts";

interface Printed {
  readonly stdout: { take(): string };
  readonly stderr: { take(): string };
}

/** Ours: an answer's JSON is at most this long before it crosses the pipe. */
const ANSWER_BYTES_MAX = 2 * 1024 * 1024;

/** Ours: a few pages of memory, compared at once and written again where they differ. */
const BLOCK_BYTES = 16 * 1024;
/** As a shell tells of SIGSEGV. */
const BAD_MEMORY = 139;

/** `_random.Random` after its header: where in its numbers it is, and the 624 of them. */
const DRAWN = { offset: 8, bytes: 4 * 625 };

const ZEROS = Buffer.alloc(BLOCK_BYTES);

const WARM_UP: ChildRequest = {
  id: "",
  mode: "call",
  code: "import sys\ndef version():\n    return '%d.%d.%d' % sys.version_info[:3]\n",
  functionName: "version",
  kwargs: {},
  seed: 0,
  nowMs: 0,
  limitMs: 60_000,
  events: 1000,
  files: {},
};

export class Interpreter {
  readonly version: string;
  readonly #module: PythonModule;
  readonly #guard: Guard;
  readonly #printed: Printed;
  readonly #disk: VirtualDisk;
  readonly #run: number;
  readonly #random: number;
  /** Of a call whose seed is 0, as long as it draws nothing. */
  readonly #undrawn: Buffer;
  readonly #blocks: readonly Block[];

  constructor(module: PythonModule, guard: Guard, printed: Printed) {
    this.#module = module;
    this.#guard = guard;
    this.#printed = printed;
    this.#run = this.#named("__main__", "_ghostlight_run");
    this.#random = this.#named("random", "_inst");
    this.#undrawn = Buffer.from(this.#state());
    this.#disk = new VirtualDisk(module, (bytes) => guard.fill(bytes));
    module.HEAP8[module._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
    const kept = blocksIn(module.HEAPU8).map(keptOf);
    guard.lock(module);
    const blocks = blocksIn(module.HEAPU8);
    // The room that is new is empty.
    this.#blocks = blocks.map((now, at) => ({ now, kept: kept[at] ?? ZEROS }));
    const { result } = this.answer(WARM_UP);
    if (typeof result !== "string") throw new Breach("Python does not answer");
    this.version = result;
  }

  answer(request: ChildRequest): ChildAnswer {
    this.#guard.begin(request); // Before the files, whose times are this call's.
    try {
      this.#disk.begin(request.files);
    } catch (error) {
      return { ...failure("BadFile", messageOf(error)), retire: true };
    }
    try {
      const { id: _, files: _f, limitMs: _l, events: _e, ...asked } = request;
      const text = this.#call(JSON.stringify(asked));
      return this.#finished(text, this.#end());
    } catch (error) {
      return this.#broken(error, this.#end());
    }
  }

  /** Python's own generator is seeded before the call, and never asks for entropy again: it shows by its state. */
  #end(): CallEnd {
    const end = this.#guard.end();
    return { ...end, looked: end.looked || !this.#undrawn.equals(this.#state()) };
  }

  #state(): Uint8Array {
    const from = this.#random + DRAWN.offset;
    return this.#module.HEAPU8.subarray(from, from + DRAWN.bytes);
  }

  #finished(text: string | null, end: CallEnd): ChildAnswer {
    const said = {
      ...(text === null ? failure("ResultLost", "Python gave no answer") : recordOf(text)),
      elapsedMs: end.elapsedMs,
      events: end.events,
      stdout: this.#printed.stdout.take(),
      stderr: this.#printed.stderr.take(),
      files: this.#disk.end(),
      timedOut: false, // Only a limit says so, and no text of Python's.
      looked: end.looked,
    };
    const retire = end.spent || end.interrupted;
    if (!retire) this.#rewind();
    if (end.interrupted) {
      return { timedOut: true, ok: false, killed: false, retire, looked: end.looked };
    }
    return { ...said, killed: false, retire };
  }

  /** JavaScript's exceptions end the interpreter: its memory is in the middle of something. */
  #broken(error: unknown, end: CallEnd): ChildAnswer {
    const timedOut = end.interrupted || error instanceof OutOfEvents;
    const ended = timedOut ? { timedOut, killed: true } : this.#lost(error, end);
    return { ...ended, retire: true, looked: end.looked };
  }

  /** What the code itself brought about has the exit code that a system gives a process for it. */
  #lost(error: unknown, end: CallEnd) {
    if (error instanceof Left) {
      return { ...failure("InterpreterLeft", error.message), exitCode: error.exitCode };
    }
    if (error instanceof Breach) {
      return { ...failure("SandboxBreach", error.message), exitCode: error.exitCode };
    }
    if (error instanceof RangeError) {
      return { ...failure("RecursionError", "the stack is full"), exitCode: BAD_MEMORY };
    }
    if (end.memoryRefused) {
      return { ...failure("MemoryError", "Python's memory is full"), outOfMemory: true };
    }
    return { ...failure("InterpreterCrashed", messageOf(error)), exitCode: BAD_MEMORY };
  }

  /** Most calls leave most of it as it was, and it costs less to see that than to write it. */
  #rewind(): void {
    for (const { now, kept } of this.#blocks) if (!kept.equals(now)) now.set(kept);
  }

  #call(request: string): string | null {
    const given = this.#copyIn(request);
    const text = this.#module._PyUnicode_FromStringAndSize(given.address, given.bytes);
    const result = text === 0 ? 0 : this.#module._PyObject_CallOneArg(this.#run, text);
    const size = this.#module._malloc(8);
    const start = result === 0 ? 0 : this.#module._PyUnicode_AsUTF8AndSize(result, size) >>> 0;
    if (start === 0) return null;
    const heap = this.#module.HEAPU8;
    const bytes = new DataView(heap.buffer).getUint32(size, true);
    if (bytes > ANSWER_BYTES_MAX || start + bytes > heap.length) return null;
    return new TextDecoder().decode(heap.slice(start, start + bytes));
  }

  #named(module: string, name: string): number {
    const owner = this.#module._PyImport_AddModule(this.#copyIn(module).address);
    const found = this.#module._PyObject_GetAttrString(owner, this.#copyIn(name).address);
    if (found === 0) throw new Breach(`${module}.${name} is missing`);
    return found;
  }

  #copyIn(text: string): { readonly address: number; readonly bytes: number } {
    const encoded = new TextEncoder().encode(text);
    const address = this.#module._malloc(encoded.length + 1) >>> 0;
    if (address === 0) throw new Breach("no memory for the request");
    this.#module.HEAPU8.set(encoded, address);
    this.#module.HEAPU8[address + encoded.length] = 0;
    return { address, bytes: encoded.length };
  }
}

interface Block {
  readonly now: Uint8Array;
  readonly kept: Buffer;
}

/** Memory comes in pages of four blocks. One that grows later is not put back: its process retires. */
const blocksIn = (memory: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: memory.length / BLOCK_BYTES }, (_, at) =>
    memory.subarray(at * BLOCK_BYTES, (at + 1) * BLOCK_BYTES),
  );

/** Half of Python's memory is empty at its start. */
const keptOf = (block: Uint8Array): Buffer => (ZEROS.equals(block) ? ZEROS : Buffer.from(block));

const failure = (type: string, message: string) => ({
  ok: false,
  killed: true,
  error: { type, message, traceback: "" },
});

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : "an unknown exception";
}

/** Python may have written anything here: the parent reads it field by field. */
function recordOf(text: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === "object" && found !== null) return { ...found };
  } catch {
    // Falls through to the failure below.
  }
  return failure("ResultLost", "Python's answer is no JSON");
}
