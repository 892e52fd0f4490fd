/**
 * The thread in which Python runs, started by child.ts in a process without an environment and without
 * rights. Reads one request a line from standard input, answers one line, and nothing else. It only
 * waits by blocking, so no timer, promise or socket gets a turn between two requests.
 */
import { createHash } from "node:crypto";
import dgram from "node:dgram";
import fs from "node:fs";
import net from "node:net";
import { pathToFileURL } from "node:url";
import { workerData } from "node:worker_threads";
import type { ChildReady, ChildRequest, ChildSetup } from "./childProtocol.ts";
import type { Pyodide } from "./emscripten.ts";
import { Breach, Guard } from "./guard.ts";
import { harness, scrub, virtualTime } from "./harness.ts";
import { PYODIDE_VERSION } from "./imports.ts";
import { Interpreter } from "./interpreter.ts";

const STREAM_BYTES_MAX = 64 * 1024;
const MIB = 1024 * 1024;

const setup = workerData as ChildSetup;
const { hrtime } = process;
const startedNs = hrtime.bigint();
const quit = process.exit.bind(process);
const rss = process.memoryUsage.rss.bind(process.memoryUsage);
const pause = new Int32Array(new SharedArrayBuffer(4));
const guard = new Guard(setup.memoryMb * MIB);
const printed = { stdout: collector(), stderr: collector() };

try {
  const python = await start();
  if (setup.mode === "snapshot") sendSnapshot(python.makeMemorySnapshot());
  else serve(python);
} catch (error) {
  // Not by falling through: Node would print Pyodide's source, which is one long line.
  fs.writeSync(2, `${error instanceof Error ? error.stack?.slice(0, 1500) : error}\n`);
  quit(1);
}

async function start(): Promise<Pyodide> {
  // Pyodide asks for this one; under Node's permissions it cannot be had.
  Object.defineProperty(process, "binding", {
    value: () => ({ fs: fs.constants }),
  });
  process.argv[1] = "python3"; // Emscripten shows it to Python, and it is a path of the host.
  guard.install();
  const { loadPyodide } = await import(pathToFileURL(setup.pyodide).href);
  const loaded: Pyodide = await loadPyodide({
    env: { HOME: "/home/agent", TZ: "UTC", LANG: "C.UTF-8", PYTHONHASHSEED: "0" },
    jsglobals: {},
    ...(setup.mode === "snapshot" ? { _makeSnapshot: true } : {}),
    ...(setup.snapshot === null ? {} : { _loadSnapshot: receiveSnapshot(setup.snapshot) }),
  });
  if (loaded.version !== PYODIDE_VERSION) throw new Breach(`Pyodide ${loaded.version}`);
  if (setup.snapshot === null) {
    loaded.runPython(harness);
    loaded.runPython("import gc; gc.collect(); random.seed(0)");
  }
  return loaded;
}

/** It comes before the first request; the bytes that were checked are the bytes that are used. */
function receiveSnapshot({ bytes, sha256 }: NonNullable<ChildSetup["snapshot"]>): Uint8Array {
  const all = new Uint8Array(bytes);
  for (let read = 0; read < bytes; ) {
    const more = waiting(() => fs.readSync(0, all, read, bytes - read, null));
    if (more === 0) throw new Breach("the snapshot is cut short");
    read += more;
  }
  if (createHash("sha256").update(all).digest("hex") !== sha256) {
    throw new Breach("the snapshot is damaged");
  }
  return all;
}

function sendSnapshot(bytes: Uint8Array): void {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  send(Buffer.from(`${JSON.stringify({ bytes: bytes.length, sha256 })}\n`));
  send(bytes);
  quit(0);
}

function serve(loaded: Pyodide): void {
  loaded.setStdin({ stdin: () => undefined, error: false });
  loaded.setStdout({ write: printed.stdout.write, isatty: false });
  loaded.setStderr({ write: printed.stderr.write, isatty: false });
  loaded.runPython(virtualTime);
  loaded.runPython(scrub);
  const interpreter = new Interpreter(loaded._module, guard, printed);
  dropHost();
  const readyMs = Number((hrtime.bigint() - startedNs) / 1_000_000n);
  const ready: ChildReady = {
    readyMs,
    rssMb: Math.round(rss() / MIB),
    pythonVersion: interpreter.version,
  };
  reply(ready);
  for (const line of lines()) {
    const request = JSON.parse(line) as ChildRequest;
    const answer = interpreter.answer(request);
    reply({ ...answer, id: request.id, rssMb: Math.round(rss() / MIB) });
    if (answer.retire) quit(0);
  }
  quit(0);
}

/** Nothing below is needed any more. A JavaScript escape would find the cupboard bare. */
function dropHost(): void {
  const denied = (): never => {
    throw new Breach("reached for the network");
  };
  Object.assign(net.Socket.prototype, { connect: denied });
  Object.assign(net.Server.prototype, { listen: denied });
  Object.assign(dgram.Socket.prototype, { bind: denied, send: denied, connect: denied });
  for (const name of ["log", "info", "warn", "error", "debug", "trace", "dir"] as const) {
    console[name] = () => {}; // Standard output is for answers.
  }
  for (const name of ["fetch", "WebSocket", "EventSource", "require", "process"]) {
    Reflect.deleteProperty(globalThis, name);
  }
}

function collector() {
  let kept: Uint8Array[] = [];
  let room = STREAM_BYTES_MAX;
  return {
    write: (bytes: Uint8Array): number => {
      if (room > 0) kept.push(bytes.slice(0, room));
      room -= Math.min(room, bytes.length);
      return bytes.length;
    },
    take: (): string => {
      const text = Buffer.concat(kept).toString("utf8");
      kept = [];
      room = STREAM_BYTES_MAX;
      return text;
    },
  };
}

function* lines(): Generator<string> {
  const chunk = Buffer.alloc(64 * 1024);
  let parts: Buffer[] = [];
  for (;;) {
    const length = waiting(() => fs.readSync(0, chunk));
    if (length === 0) return;
    let from = 0;
    let end = chunk.subarray(0, length).indexOf(10);
    while (end >= 0) {
      parts.push(Buffer.from(chunk.subarray(from, end)));
      yield Buffer.concat(parts).toString("utf8");
      parts = [];
      from = end + 1;
      end = chunk.subarray(0, length).indexOf(10, from);
    }
    parts.push(Buffer.from(chunk.subarray(from, length)));
  }
}

function reply(answer: unknown): void {
  send(Buffer.from(`${JSON.stringify(answer)}\n`));
}

function send(bytes: Uint8Array): void {
  for (let sent = 0; sent < bytes.length; ) {
    sent += waiting(() => fs.writeSync(1, bytes, sent, bytes.length - sent));
  }
}

/** A pipe may be without data or room for a moment. */
function waiting(work: () => number): number {
  for (;;) {
    try {
      return work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 2);
    }
  }
}
