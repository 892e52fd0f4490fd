/** A program of its own that opens a shell, starts a command line without end in it, and waits. */
import type { SandboxKind } from "../../../src/edges/processes/sandboxKind.ts";
import { lazyShell } from "../../../src/edges/shell/shellProcess.ts";
import { runIn } from "./shellRuns.ts";

const [kind = "pyodide", command = ""] = process.argv.slice(2);
const shell = lazyShell({ kind: kind as SandboxKind, wallMsMin: 500_000 });
await runIn(shell, "echo ready");
process.stdout.write("ready\n");
await runIn(shell, command, { bounds: { steps: 100_000_000, limitMs: 500_000 } });
