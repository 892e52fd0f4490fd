/** A program of its own: every process of its sandbox is killed while it has nothing to do. */
import { setTimeout as pause } from "node:timers/promises";
import { openSandbox } from "../../../src/edges/python/sandbox.ts";
import { descendants, isThere } from "./descendants.ts";
import { callTool, testCache } from "./opened.ts";

const sandbox = await openSandbox({ kind: "pyodide", cacheFolder: testCache });
const code = "import time\ndef tool(): return [id(tool), time.time()]";
// A sandbox that has lost a process keeps a spare.
await callTool(sandbox, "import os\ndef tool(): os._exit(1)");
const before = await callTool(sandbox, code);
/** Ours: with less than this, Python is still loading. */
const LOADED_MB = 220;
const loaded = () => descendants(process.pid).filter(({ residentMb }) => residentMb > LOADED_MB);
for (let looks = 0; looks < 100 && loaded().length < 2; looks++) await pause(50); // The spare, too.
const pids = descendants(process.pid)
  .map(({ pid }) => pid)
  .filter(isThere);
for (const pid of pids) process.kill(pid, "SIGKILL");
for (let looks = 0; looks < 1_000 && pids.some(isThere); looks++) await pause(10);
await pause(50); // Their pipes are closed, too.
const after = await callTool(sandbox, code);
await sandbox.close();
process.stdout.write(JSON.stringify({ killed: pids.length, before, after }));
