// Threads of the product that are used again and again: to load its modules takes longer than most of their jobs.
// Importing this file puts them in the place of Node's own, for whoever starts a thread that plays runs. Whoever names no number of
// threads has one.
import { EventEmitter } from "node:events";
import { createRequire, syncBuiltinESMExports } from "node:module";
import os from "node:os";
import type { MessagePort, Worker, WorkerOptions } from "node:worker_threads";

const threads = createRequire(import.meta.url)(
  "node:worker_threads",
) as typeof import("node:worker_threads");
const { Worker: RealWorker, MessageChannel } = threads;

/** Does all its jobs and is over. */
const POOL = /\/poolWorker\.ts$/;
/** Answers until it is ended. */
const SERVING = /\/(studyWorker|trialWorker)\.ts$/;
/** Each holds all code. */
const IDLE_MAX = 2;

/** What a thread is told to be next. */
export interface Role {
  readonly url: string;
  readonly workerData: unknown;
  readonly env: NodeJS.ProcessEnv;
}

/** The last that a thread says in a role: whether it can have another. */
export interface Left {
  readonly isFreeForAnother: boolean;
}

interface Warm {
  readonly worker: Worker;
  /** Roles go in; null ends one. */
  readonly control: MessagePort;
}

const idle: Warm[] = [];

function started(): Warm {
  const { port1: control, port2 } = new MessageChannel();
  const worker = new RealWorker(new URL("./warmThread.ts", import.meta.url), {
    workerData: port2,
    transferList: [port2],
  });
  return { worker, control };
}

const isLeft = (message: unknown): message is Left =>
  typeof message === "object" && message !== null && "isFreeForAnother" in message;

/** As much of Node's Worker as the product uses. */
class WarmWorker extends EventEmitter {
  readonly #warm = idle.pop() ?? started();
  readonly #isServing: boolean;
  #isOver = false;
  /** What it has not answered: its start, and messages to it. */
  #open = 1;

  constructor(url: URL, { workerData }: WorkerOptions) {
    super();
    this.#isServing = SERVING.test(url.href);
    const { worker, control } = this.#warm;
    worker.ref();
    worker.on("message", (message) => {
      if (isLeft(message)) return this.#left(message);
      this.#open -= 1;
      this.emit("message", message);
    });
    worker.on("error", (error) => this.emit("error", error));
    worker.on("exit", (code) => this.#end(code));
    control.postMessage({ url: url.href, workerData, env: { ...process.env } } satisfies Role);
  }

  postMessage(message: unknown): void {
    this.#open += 1;
    this.#warm.worker.postMessage(message);
  }

  async terminate(): Promise<number> {
    if (this.#isOver) return 0;
    // Whoever plays cannot listen.
    if (!this.#isServing || this.#open > 0) return this.#warm.worker.terminate();
    const over = new Promise((resolve) => this.once("exit", resolve));
    this.#warm.control.postMessage(null);
    await over;
    return 0;
  }

  #left({ isFreeForAnother }: Left): void {
    const { worker } = this.#warm;
    if (!isFreeForAnother || idle.length >= IDLE_MAX) return void worker.terminate();
    // One by one: what refers to its port listens, too.
    for (const name of ["message", "error", "exit"]) worker.removeAllListeners(name);
    worker.unref();
    idle.push(this.#warm);
    this.#end(0);
  }

  #end(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.emit("exit", code);
  }
}

const isKept = (file: string | URL, { workerData }: WorkerOptions): file is URL =>
  file instanceof URL &&
  (POOL.test(file.href) || SERVING.test(file.href)) &&
  // The modules of a part may be written anew under the same name.
  !JSON.stringify(workerData).includes('"partFiles":["');

/** Set where this file was loaded before, as before each file of tests. */
const installed = Symbol.for("ghostlight.test.warmThreads");
if (!Reflect.has(globalThis, installed)) {
  Reflect.set(globalThis, installed, true);
  threads.Worker = new Proxy(RealWorker, {
    construct: (_, [file, options = {}]: [string | URL, WorkerOptions?]) =>
      isKept(file, options) ? new WarmWorker(file, options) : new RealWorker(file, options),
  });
  // Several tests run at once: none needs a thread for each core, and to start one costs more than most of its jobs.
  os.availableParallelism = () => 1;
  syncBuiltinESMExports();
}
