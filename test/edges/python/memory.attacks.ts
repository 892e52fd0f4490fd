// What a hostile tool can take of the machine's memory, measured from outside.
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import { descendants } from "./descendants.ts";
import { callTool, testCache } from "./opened.ts";

/** Ours: the 768 MB at which a process ends itself, and what it takes between two looks of 50 ms. */
const RESIDENT_MB_MAX = 1_000;

let sandbox: Sandbox;
beforeAll(async () => {
  // More than a process may take: it is not for want of memory that Python stays below.
  sandbox = await openSandbox({ cacheFolder: testCache, spare: false, memoryMb: 1_500 });
});
afterAll(() => sandbox.close());

it.each([
  [
    "msync of maps into ever new files",
    String.raw`
import mmap
def tool():
    for number in range(10 ** 6):
        file = open("f%d" % number, "w+b"); file.truncate(1 << 20)
        view = mmap.mmap(file.fileno(), 0); view[:] = b"x" * (1 << 20); view.flush(); view.close()`,
  ],
  ["memory without end", "def tool():\n    x = []\n    while True: x.append(bytearray(1 << 20))"],
  [
    "files, pipes and memory at once",
    String.raw`
import os
def tool():
    kept = []
    while True:
        try: kept.append(bytearray(1 << 20))
        except MemoryError: pass
        try: open("f%d" % len(kept), "wb").write(b"x" * (1 << 20))
        except OSError: pass
        ends = os.pipe()
        os.write(ends[1], b"x" * 65_000)`,
  ],
])("[SB13] %s stays below a bound", async (_about, code) => {
  let mostMb = 0;
  const looks = setInterval(() => {
    for (const { residentMb } of descendants(process.pid)) mostMb = Math.max(mostMb, residentMb);
    // Often: a call may be over within a quarter of a second.
  }, 20);
  const result = await callTool(sandbox, code, { limits: { wallMs: 20_000 } });
  clearInterval(looks);

  expect(result.ok).toBe(false);
  expect(mostMb).toBeGreaterThan(50);
  expect(mostMb).toBeLessThan(RESIDENT_MB_MAX);
  expect((await callTool(sandbox, "def tool(): return 1")).result).toBe(1);
});
