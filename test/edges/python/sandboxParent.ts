/** A program of its own that opens a sandbox with a spare process, starts the given tool in it, and waits. */
import type { SandboxKind } from "../../../src/edges/processes/sandboxKind.ts";
import { openSandbox } from "../../../src/edges/python/sandbox.ts";
import { callTool, testCache } from "./opened.ts";

const [kind = "pyodide", code = ""] = process.argv.slice(2);
const sandbox = await openSandbox({ kind: kind as SandboxKind, cacheFolder: testCache });
await callTool(sandbox, "import os\ndef tool(): os._exit(1)"); // Who has lost a process keeps a spare.
await callTool(sandbox, "def tool(): return 1");
process.stdout.write("ready\n");
await callTool(sandbox, code, { limits: { wallMs: 500_000 } });
