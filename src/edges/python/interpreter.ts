/**
 * One Python interpreter: every call starts from the same memory and the same disk. It is reached
 * through CPython's C functions and by text only, so that no object of one language meets the other.
 */
import type { ChildAnswer, ChildRequest } from "./childProtocol.ts";
import type { PythonModule } from "./emscripten.ts";
import { Breach, type CallEnd, type Guard } from "./guard.ts";
import { VirtualDisk } from "./virtualDisk.ts";

interface Printed {
  readonly stdout: { take(): string };
  readonly stderr: { take(): string };
}

/** Ours: an answer's JSON is at most this long before it crosses the pipe. */
const ANSWER_BYTES_MAX = 2 * 1024 * 1024;

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
  readonly #growthBytesMax: number;
  readonly #run: number;
  readonly #memory: Uint8Array;

  constructor(module: PythonModule, guard: Guard, printed: Printed, growthBytesMax: number) {
    this.#module = module;
    this.#guard = guard;
    this.#printed = printed;
    this.#growthBytesMax = growthBytesMax;
    this.#run = this.#named("__main__", "_ghostlight_run");
    this.#disk = new VirtualDisk(module, (bytes) => guard.fill(bytes));
    module.HEAP8[module._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
    guard.lock();
    this.#memory = module.HEAPU8.slice();
    const { result } = this.answer(WARM_UP);
    if (typeof result !== "string") throw new Breach("Python does not answer");
    this.version = result;
  }

  answer(request: ChildRequest): ChildAnswer {
    try {
      this.#disk.begin(request.files);
    } catch (error) {
      return { ...failure("BadFile", messageOf(error)), retire: true };
    }
    this.#guard.begin(request);
    try {
      const { id: _, files: _f, limitMs: _l, ...asked } = request;
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
      stdout: this.#printed.stdout.take(),
      stderr: this.#printed.stderr.take(),
      files: this.#disk.end(),
    };
    const grown = this.#module.HEAPU8.length - this.#memory.length;
    const retire = grown > this.#growthBytesMax;
    this.#rewind();
    if (end.interrupted) return { timedOut: true, ok: false, killed: false, retire };
    return { ...said, killed: false, retire };
  }

  /** JavaScript's exceptions end the interpreter: its memory is in the middle of something. */
  #broken(error: unknown, end: CallEnd): ChildAnswer {
    const events = error instanceof Breach && error.exitCode === 124;
    const timedOut = end.interrupted || events;
    if (timedOut) return { timedOut, killed: true, retire: true };
    const tooDeep = error instanceof RangeError;
    const full = !tooDeep && end.memoryRefused;
    const type = full ? "MemoryError" : tooDeep ? "RecursionError" : "SandboxBreach";
    return { ...failure(type, messageOf(error)), outOfMemory: full, retire: true };
  }

  #rewind(): void {
    const memory = this.#module.HEAPU8;
    memory.set(this.#memory);
    memory.fill(0, this.#memory.length);
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
  if (error instanceof Breach) return error.message;
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
