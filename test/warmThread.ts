// A thread that is one thread of the product after another. Started by warmThreads.ts.
import { createRequire, syncBuiltinESMExports } from "node:module";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { Left, Role } from "./warmThreads.ts";

const threads = createRequire(import.meta.url)("node:worker_threads");
const control = workerData as MessagePort;
let roles = 0;

/** Nothing may be left of a role: no listener, and no process, which ends when its thread does. */
const leave = (): void => {
  parentPort?.removeAllListeners("message");
  const isFreeForAnother = !process.getActiveResourcesInfo().includes("ProcessWrap");
  parentPort?.postMessage({ isFreeForAnother } satisfies Left);
};

control.on("message", async (role: Role | null) => {
  if (role === null) return leave();
  for (const name of Object.keys(process.env)) if (!(name in role.env)) delete process.env[name];
  Object.assign(process.env, role.env);
  threads.workerData = role.workerData;
  syncBuiltinESMExports();
  // Another address is another module: it plays its role anew, what it imports stays loaded.
  await import(`${role.url}?${++roles}`);
  // Else it listens for more, until it is told to end.
  if (parentPort?.listenerCount("message") === 0) leave();
});
