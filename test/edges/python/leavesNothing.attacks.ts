// What one call could leave for the next, by name. Judged by the answers of later calls.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import { callTool, noon, testCache } from "./opened.ts";

let sandbox: Sandbox;
/** Nothing nasty runs in this one. */
let fresh: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ cacheFolder: testCache, spare: false });
  fresh = await openSandbox({ cacheFolder: testCache, spare: false });
});
afterAll(async () => {
  await sandbox.close();
  await fresh.close();
});

// The first of this file: no other has asked the new process anything.
test("[SB1] how deep a text may nest is the same in a new process and in one that has worked", async () => {
  const deep = (depth: number) =>
    `import json\ndef tool():\n    return json.loads("[" * ${depth} + "]" * ${depth}) is not None`;
  const depths = [5_300, 9_000, 20_000, 200_000];
  const answers = async (one: Sandbox) => {
    const found = [];
    for (const depth of depths) found.push(await callTool(one, deep(depth)));
    return found;
  };
  const warm =
    "def tool():\n    f = lambda n: n and f(n - 1)\n    return [f(400) for _ in range(500)]";

  const first = await answers(fresh);
  for (let count = 0; count < 5; count++) await callTool(sandbox, warm);

  expect(await answers(sandbox)).toEqual(first);
});

test("[SB1] a standard stream that a tool closed is open for the next one", async () => {
  const say =
    "import sys\ndef tool():\n    print('seen'); print('too', file=sys.stderr)\n    return 1";
  const before = await callTool(sandbox, say);

  const close = "import os\ndef tool():\n    for one in (0, 1, 2): os.close(one)\n    return 1";
  const closed = await callTool(sandbox, close);
  const after = await callTool(sandbox, say);

  expect(closed).toMatchObject({ ok: true, result: 1 });
  expect(before).toMatchObject({ stdout: "seen\n", stderr: "too\n" });
  expect(after).toEqual(before);
});

test.each([
  "os.chdir('/tmp')",
  "[os.open('f%d' % n, os.O_CREAT) for n in range(5)]",
  "os.close(1)",
  "os.dup2(0, 2)",
])("[SB1] behind %s the next call has the same streams and folder", async (act) => {
  const look = `import os
def tool():
    def is_open(n):
        try: return os.fstat(n) is not None
        except OSError: return False
    return [os.getcwd(), [n for n in range(30) if is_open(n)], os.open("new", os.O_CREAT)]`;

  const left = await callTool(sandbox, `import os\ndef tool(): return [${act}] is not None`);

  expect(left.result).toBe(true);
  expect((await callTool(sandbox, look)).result).toEqual(["/work", [0, 1, 2], 3]);
});

test("[SB1] a write through mmap into the standard library reaches no later import", async () => {
  const spoil = String.raw`
import mmap
def tool():
    file = open("/lib/python314.zip", "r+b")
    view = mmap.mmap(file.fileno(), 0)
    view[:] = b"\0" * len(view)
    view.flush()
    return open("/lib/python314.zip", "rb").read(4).hex()`;
  const load =
    "import csv, html, colorsys, wave\ndef tool(): return colorsys.rgb_to_hsv(1, 0, 0)[2]";

  await callTool(sandbox, spoil);

  expect(await callTool(sandbox, load)).toEqual(await callTool(fresh, load));
  expect((await callTool(sandbox, load)).result).toBe(1);
});

test("[SB8] a given file is as old as its call, however old the process is", async () => {
  const look = "import os\ndef tool(): return os.stat('given').st_mtime";
  const at = async (nowMs: number) => {
    const setting = { ...noon, nowMs, files: { given: "x" } };
    return Math.floor(Number((await callTool(sandbox, look, { setting })).result) * 1000);
  };

  expect(await at(noon.nowMs)).toBe(noon.nowMs);
  expect(await at(noon.nowMs + 86_400_000)).toBe(noon.nowMs + 86_400_000);
});

test("[SB11] Python has the same memory, to the megabyte, whatever ran before", async () => {
  const fill = String.raw`
def tool():
    kept = []
    try:
        while True: kept.append(bytearray(1 << 20))
    except MemoryError:
        return len(kept)`;
  const first = await callTool(fresh, fill);
  await callTool(sandbox, "def tool(): return len(bytearray(150 << 20))");
  const afterLarge = await callTool(sandbox, fill);
  await callTool(sandbox, "def tool(): return 1");
  const afterSmall = await callTool(sandbox, fill);

  expect(Number(first.result)).toBeGreaterThan(180);
  expect(Number(first.result)).toBeLessThan(256);
  expect([afterLarge.result, afterSmall.result]).toEqual([first.result, first.result]);
});
