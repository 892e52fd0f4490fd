/**
 * The process around Python: one thread runs it (pythonThread.ts), this one keeps watch. It ends the
 * process, also in the middle of native code, when the parent is gone or memory runs over. Being a
 * thread of the child it has no right that the child does not have.
 */
import fs from "node:fs";
import net from "node:net";
import { Worker } from "node:worker_threads";
import type { ChildSetup } from "./childProtocol.ts";

/**
 * The pipe that nothing is written to: it closes when the parent ends, however it ends. The shell's child
 * says the same again: this process may read no file beside this folder, so that nothing can be shared.
 */
const LIFE_LINE = 3;
/**
 * Ours: so much that CPython's own bound, which counts the same everywhere, is reached before the end
 * of the machine's stack, whose use depends on how far V8 has compiled. Only what is used is taken.
 */
const STACK_MB = 256;
/** Ours: JavaScript's own memory, beside WebAssembly's. */
const SCRIPT_MEMORY_MB = 256;
const LOOK_MS = 50;
const MIB = 1024 * 1024;

const setup = JSON.parse(process.argv[2] ?? "") as ChildSetup;
const end = (): void => void process.kill(process.pid, "SIGKILL");

const lifeLine = new net.Socket({ fd: LIFE_LINE, readable: true, writable: false });
lifeLine.on("error", end).on("close", end).resume();

/** In a checkout Node runs the TypeScript; in the package it is compiled. */
const file = import.meta.url.endsWith(".ts") ? "./pythonThread.ts" : "./pythonThread.js";
const thread = new Worker(new URL(file, import.meta.url), {
  workerData: setup,
  env: { TZ: "UTC" },
  resourceLimits: { maxOldGenerationSizeMb: SCRIPT_MEMORY_MB, stackSizeMb: STACK_MB },
});
thread.on("error", (error: NodeJS.ErrnoException) => {
  const full = error.code === "ERR_WORKER_OUT_OF_MEMORY";
  fs.writeSync(2, full ? "heap out of memory\n" : `${error.message.slice(0, 1500)}\n`);
  process.exit(1);
});
thread.on("exit", (code) => process.exit(code));

setInterval(() => {
  if (process.memoryUsage.rss() <= setup.residentMb * MIB) return;
  fs.writeSync(2, "heap out of memory\n");
  end();
}, LOOK_MS).unref();
