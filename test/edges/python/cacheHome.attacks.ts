// A home for the cache that cannot be used is done without.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSandbox } from "../../../src/edges/python/sandbox.ts";
import { callTool, testCache } from "./opened.ts";

const before = process.env["XDG_CACHE_HOME"];
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "ghostlight-cache-"));
});
afterEach(() => {
  if (before === undefined) delete process.env["XDG_CACHE_HOME"];
  else process.env["XDG_CACHE_HOME"] = before;
  fs.chmodSync(folder, 0o700);
  fs.rmSync(folder, { recursive: true, force: true });
});

const fifo = (at: string): string => {
  execFileSync("mkfifo", [at]);
  return at;
};

it.each([
  ["below /proc, where nothing can be made", () => "/proc/x/y"],
  ["a pipe that nobody reads", () => fifo(path.join(folder, "pipe"))],
  [
    "read-only",
    () => {
      fs.mkdirSync(path.join(folder, "kept/ghostlight"), { recursive: true });
      fs.chmodSync(path.join(folder, "kept/ghostlight"), 0o500);
      return path.join(folder, "kept");
    },
  ],
  [
    "full of pipes by the names of the snapshot",
    () => {
      fs.mkdirSync(path.join(folder, "ghostlight"));
      for (const name of fs.readdirSync(testCache)) fifo(path.join(folder, "ghostlight", name));
      return folder;
    },
  ],
])("[SB14] Python starts where XDG_CACHE_HOME is %s", async (_about, make) => {
  process.env["XDG_CACHE_HOME"] = make();
  const sandbox = await openSandbox({ kind: "pyodide", spare: false });
  const { result } = await callTool(sandbox, "def tool(): return 1").finally(() => sandbox.close());

  expect(result).toBe(1);
});
