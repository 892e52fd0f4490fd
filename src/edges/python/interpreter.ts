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

const ZEROS = Buffer.alloc(1024 * 1024);

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
  readonly #memory: Uint8Array;

  constructor(module: PythonModule, guard: Guard, printed: Printed) {
    this.#module = module;
    this.#guard = guard;
    this.#printed = printed;
    this.#run = this.#named("__main__", "_ghostlight_run");
    this.#disk = new VirtualDisk(module, (bytes) => guard.fill(bytes));
    module.HEAP8[module._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
    this.#memory = module.HEAPU8.slice();
    guard.lock(module);
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
      return this.#finished(text, this.#guard.end());
    } catch (error) {
      return this.#broken(error, this.#guard.end());
    }
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
    };
    const retire = end.spent || end.interrupted;
    if (!retire) this.#rewind();
    if (end.interrupted) return { timedOut: true, ok: false, killed: false, retire };
    return { ...said, killed: false, retire };
  }

  /** JavaScript's exceptions end the interpreter: its memory is in the middle of something. */
  #broken(error: unknown, end: CallEnd): ChildAnswer {
    const timedOut = end.interrupted || error instanceof OutOfEvents;
    if (timedOut) return { timedOut, killed: true, retire: true };
    return { ...this.#lost(error, end), retire: true };
  }

  #lost(error: unknown, end: CallEnd) {
    if (error instanceof Breach) return failure("SandboxBreach", error.message);
    if (error instanceof Left) return failure("InterpreterLeft", error.message);
    if (error instanceof RangeError) return failure("RecursionError", "the stack is full");
    if (end.memoryRefused) {
      return { ...failure("MemoryError", "Python's memory is full"), outOfMemory: true };
    }
    return failure("InterpreterCrashed", messageOf(error));
  }

  #rewind(): void {
    const memory = this.#module.HEAPU8;
    memory.set(this.#memory);
    // Most calls never touch the room above; writing zeros there would only make it resident.
    for (let from = this.#memory.length; from < memory.length; from += ZEROS.length) {
      const length = Math.min(ZEROS.length, memory.length - from);
      const room = Buffer.from(memory.buffer, memory.byteOffset + from, length);
      if (!room.equals(ZEROS.subarray(0, length))) room.fill(0);
    }
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
