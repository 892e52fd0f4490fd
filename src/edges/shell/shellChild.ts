/**
 * The process around a shell: it has threads ready, gives each command one of its own, and keeps watch.
 * It ends a thread at the wall or at the bound of its memory, and itself when the parent is gone or
 * when memory runs over that no heap of V8 counts.
 */
import fs from "node:fs";
import net from "node:net";
import { Worker } from "node:worker_threads";
import { linesOf } from "./shellLines.ts";
import {
  type ShellAnswer,
  type ShellRan,
  type ShellRequest,
  type ShellRun,
  stoppedRun,
} from "./shellProtocol.ts";

/** The pipe that nothing is written to: it closes when the parent ends, however it ends. */
const LIFE_LINE = 3;
/** Ours: what the shell's own code takes, beside what a command may. */
const OWN_MEMORY_MB = 128;
/**
 * Ours: so much that the shell's own bounds of depth, which count the same everywhere, are reached before
 * the end of the machine's stack, whose use depends on how far V8 has compiled. Only what is used is taken.
 */
const STACK_MB = 512;
const LOOK_MS = 50;
const MIB = 1024 * 1024;
/** Ours: all the virtual files there are, and a command line. */
const LINE_BYTES_MAX = 256 * MIB;
/** In a checkout Node runs the TypeScript; in the package it is compiled. */
const file = import.meta.url.endsWith(".ts") ? "./shellThread.ts" : "./shellThread.js";
const [memoryMb = 0, residentMb = 0] = process.argv.slice(2).map(Number);

const lifeLine = new net.Socket({ fd: LIFE_LINE, readable: true, writable: false });
const end = (): void => void process.kill(process.pid, "SIGKILL");
lifeLine.on("error", end).on("close", end).resume();

interface Ready {
  readonly thread: Worker;
  /** Whether it has loaded its shell; the error of its end when it could not. */
  readonly isReady: Promise<Error | null>;
}

const started = (): Ready => {
  const thread = new Worker(new URL(file, import.meta.url), {
    env: { TZ: "UTC" },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb + OWN_MEMORY_MB, stackSizeMb: STACK_MB },
  });
  const isReady = new Promise<Error | null>((resolve) => {
    thread.once("message", () => resolve(null));
    thread.once("error", resolve);
  });
  return { thread, isReady };
};

let next = started();

/** Set while a command runs: ends it, and the process after its answer. */
let overrun: (() => void) | undefined;
let isLast = false as boolean;
setInterval(() => {
  if (process.memoryUsage.rss() <= residentMb * MIB) return;
  if (overrun === undefined) end();
  overrun?.();
}, LOOK_MS).unref();

async function answered(run: ShellRun, wallMs: number): Promise<ShellRan> {
  const { thread, isReady } = next;
  const failed = await isReady;
  if (failed !== null) throw failed;
  const { limitMs } = run.bounds;
  const ran = await new Promise<ShellRan>((resolve, reject) => {
    const wall = setTimeout(() => resolve(stoppedRun("time", limitMs)), wallMs);
    const told = (answer: ShellRan): void => {
      clearTimeout(wall);
      resolve(answer);
    };
    overrun = () => {
      isLast = true;
      told(stoppedRun("memory", limitMs));
    };
    thread.once("message", told);
    thread.once("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(wall);
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve(stoppedRun("memory", limitMs));
      else reject(error);
    });
    thread.once("exit", (code) => reject(new Error(`the thread ended with exit code ${code}`)));
    thread.postMessage(run);
  });
  overrun = undefined;
  // What a command leaves in memory must not end the next one, which would then depend on its neighbour.
  isLast ||= process.memoryUsage.rss() > (residentMb * MIB) / 2;
  if (isLast) return ran;
  await thread.terminate();
  next = started();
  return ran;
}

const failed = await next.isReady;
if (failed !== null) throw failed;
send("ready");
for await (const line of linesOf(process.stdin, LINE_BYTES_MAX)) {
  const { id, run, wallMs } = JSON.parse(line) as ShellRequest;
  const ran = await answered(run, wallMs);
  send({ id, ran, ...(isLast && { isLast }) });
  if (isLast) end();
}
process.exit(0);

function send(answer: ShellAnswer | "ready"): void {
  const bytes = Buffer.from(`${JSON.stringify(answer)}\n`);
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += fs.writeSync(1, bytes, sent);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
