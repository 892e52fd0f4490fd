// Python's processes end with the program that started them, however it ends.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { descendants, isThere } from "./descendants.ts";

const program = fileURLToPath(new URL("./sandboxParent.ts", import.meta.url));
const hasBwrap = ["/usr/bin/bwrap", "/bin/bwrap"].some(existsSync);

/** In the middle of native code, where Python hears nothing. */
const POWER = "def tool(): return 7 ** (10 ** 8)";
const PATTERN = "import re\ndef tool(): return re.match('(a+)+$', 'a' * 60 + 'b')";
const LOOP = "def tool():\n    while True: pass";

async function started(kind: string, code: string): Promise<ChildProcess> {
  const parent = spawn(process.execPath, ["--no-warnings", program, kind, code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => parent.stdout?.once("data", resolve));
  await pause(500); // The call has begun.
  return parent;
}

const ends = [
  ["SIGKILL", "pyodide", "a huge power", POWER],
  ["SIGTERM", "pyodide", "a huge power", POWER],
  ["SIGINT", "pyodide", "a hanging pattern", PATTERN],
  ["SIGHUP", "pyodide", "a hanging pattern", PATTERN],
  ["SIGKILL", "pyodide", "a loop", LOOP],
  ...(hasBwrap ? ([["SIGKILL", "bwrap", "a huge power", POWER]] as const) : []),
] as const;

it.each(ends)(
  "[SB12] a %s to the parent alone ends them (%s, in the middle of %s)",
  async (signal, kind, _about, code) => {
    const parent = await started(kind, code);
    const children = descendants(parent.pid ?? 0).map(({ pid }) => pid);
    expect(children.length).toBeGreaterThan(1);

    parent.kill(signal);
    for (let looks = 0; looks < 300 && children.some(isThere); looks++) await pause(100);

    expect(children.filter(isThere)).toEqual([]);
  },
);
