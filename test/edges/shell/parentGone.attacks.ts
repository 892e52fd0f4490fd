// A shell's process ends with the program that started it, however it ends.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { descendants, isThere } from "../python/descendants.ts";
import { runOf } from "./shellRuns.ts";

const program = fileURLToPath(new URL("./shellParent.ts", import.meta.url));
const hasBwrap = ["/usr/bin/bwrap", "/bin/bwrap"].some(existsSync);

const LOOP = "while :; do :; done";
/** One pattern of the machine's own engine, which hears nothing. */
const PATTERN = "touch aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab; ls *a*a*a*a*a*a*a*a*a*a*a*a*a*a*c";

async function started(kind: string, command: string): Promise<ChildProcess> {
  const run = runOf(command, { bounds: { steps: 100_000_000, limitMs: 500_000 } });
  const parent = spawn(process.execPath, ["--no-warnings", program, kind, JSON.stringify(run)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => parent.stdout?.once("data", resolve));
  await pause(1_000); // The command has begun, also where five parents start at once.
  return parent;
}

// Together: each waits most of its time.
it.concurrent.each([
  ["SIGKILL", "pyodide", LOOP],
  ["SIGTERM", "pyodide", LOOP],
  ["SIGINT", "pyodide", PATTERN],
  ["SIGHUP", "pyodide", PATTERN],
  ...(hasBwrap ? ([["SIGKILL", "bwrap", LOOP]] as const) : []),
] as const)(
  "[SB12] a %s to the parent alone ends it (%s, in the middle of %s)",
  async (signal, kind, command) => {
    const parent = await started(kind, command);
    const children = descendants(parent.pid ?? 0).map(({ pid }) => pid);
    expect(children.length).toBeGreaterThan(0);

    parent.kill(signal);
    for (let looks = 0; looks < 1_500 && children.some(isThere); looks++) await pause(20);

    expect(children.filter(isThere)).toEqual([]);
  },
);
