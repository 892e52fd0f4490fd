/** A program of its own that opens a shell, starts a command line without end in it, and waits. It loads nothing else. */
import type { SandboxKind } from "../../../src/edges/processes/sandboxKind.ts";
import { lazyShell } from "../../../src/edges/shell/shellProcess.ts";
import type { ShellRun } from "../../../src/edges/shell/shellProtocol.ts";

const [kind = "pyodide", text = ""] = process.argv.slice(2);
const run = JSON.parse(text) as ShellRun;
const shell = lazyShell({ kind: kind as SandboxKind, wallMsMin: 500_000 });
await shell.run({ ...run, command: "echo ready" });
process.stdout.write("ready\n");
await shell.run(run);
