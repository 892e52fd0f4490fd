/**
 * The process around a shell: it has threads ready, gives each command one of its own, and keeps watch.
 * It ends a thread at the wall or at the bound of its memory, and itself when the parent is gone.
 */
import fs from "node:fs";
import net from "node:net";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
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
/** In a checkout Node runs the TypeScript; in the package it is compiled. */
const file = import.meta.url.endsWith(".ts") ? "./shellThread.ts" : "./shellThread.js";
const memoryMb = Number(process.argv[2]);

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
    resourceLimits: { maxOldGenerationSizeMb: memoryMb + OWN_MEMORY_MB },
  });
  const isReady = new Promise<Error | null>((resolve) => {
    thread.once("message", () => resolve(null));
    thread.once("error", resolve);
  });
  return { thread, isReady };
};

let next = started();

async function answered(run: ShellRun): Promise<ShellRan> {
  const { thread, isReady } = next;
  const failed = await isReady;
  if (failed !== null) throw failed;
  const ran = await new Promise<ShellRan>((resolve, reject) => {
    const { limitMs } = run.bounds;
    const wall = setTimeout(() => resolve(stoppedRun("time", limitMs)), limitMs);
    thread.once("message", (told: ShellRan) => {
      clearTimeout(wall);
      resolve(told);
    });
    thread.once("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(wall);
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve(stoppedRun("memory", limitMs));
      else reject(error);
    });
    thread.postMessage(run);
  });
  await thread.terminate();
  next = started();
  return ran;
}

const failed = await next.isReady;
if (failed !== null) throw failed;
send("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const { id, run } = JSON.parse(line) as ShellRequest;
  send({ id, ran: await answered(run) } satisfies ShellAnswer);
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
