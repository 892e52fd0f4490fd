/** A program of its own: every process of its sandbox is killed while it has nothing to do. */
import { setTimeout as pause } from "node:timers/promises";
import { openSandbox } from "../../../src/edges/python/sandbox.ts";
import { descendants, isThere } from "./descendants.ts";
import { callTool, testCache } from "./opened.ts";

const sandbox = await openSandbox({ kind: "pyodide", cacheFolder: testCache });
const code = "import time\ndef tool(): return [id(tool), time.time()]";
const before = await callTool(sandbox, code);
await pause(2_000); // The spare is there, too.
const pids = descendants(process.pid)
  .map(({ pid }) => pid)
  .filter(isThere);
for (const pid of pids) process.kill(pid, "SIGKILL");
await pause(300);
const after = await callTool(sandbox, code);
await sandbox.close();
process.stdout.write(JSON.stringify({ killed: pids.length, before, after }));
