// What one call could leave for the next, by name. Judged by the answers of later calls.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import { callTool, noon, testCache } from "./opened.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ cacheFolder: testCache });
});
afterAll(() => sandbox.close());

async function cold<T>(work: (other: Sandbox) => Promise<T>): Promise<T> {
  const other = await openSandbox({ cacheFolder: testCache, spare: false });
  return work(other).finally(() => other.close());
}

test("[SB7] a standard stream that a tool closed is open for the next one", async () => {
  const say =
    "import sys\ndef tool():\n    print('seen'); print('too', file=sys.stderr)\n    return 1";
  const before = await callTool(sandbox, say);

  await callTool(sandbox, "import os\ndef tool(): os.close(1); os.close(2); os.close(0)");
  const after = await callTool(sandbox, say);

  expect(before).toMatchObject({ stdout: "seen\n", stderr: "too\n" });
  expect(after).toEqual(before);
});

test("[SB7] a write through mmap into the standard library reaches no later import", async () => {
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

  expect(await callTool(sandbox, load)).toEqual(await cold((other) => callTool(other, load)));
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

test("[SB9] how deep a text may nest is the same in a new process and in one that has worked", async () => {
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

  const first = await cold(answers);
  for (let count = 0; count < 5; count++) await callTool(sandbox, warm);

  expect(await answers(sandbox)).toEqual(first);
});

/** The same loop, behind something that would hide what it burns. */
const FORGED = [
  [
    "monitoring",
    "import sys\nfor n in range(6):\n  try: sys.monitoring.free_tool_id(n)\n  except Exception: pass",
  ],
  [
    "tracing",
    "import sys\nsys.settrace(None); sys.setprofile(None); sys.monitoring.restart_events()",
  ],
  [
    "the harness's frames",
    "import sys\nframe = sys._getframe()\nwhile frame:\n  frame.f_locals.update({'events': 0, 'answer': {'events': 0, 'elapsedMs': 0}})\n  frame = frame.f_back",
  ],
  [
    "the answer's text",
    "import json\ntrue = json.dumps\njson.dumps = lambda *a, **k: true({**a[0], 'events': 0, 'elapsedMs': 0}) if isinstance(a[0], dict) else true(*a, **k)",
  ],
  ["the clock", "import time\ntime.time = time.monotonic = lambda: 0"],
  ["signals", "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)"],
] as const;

test.each(FORGED)(
  "[SB5] what a call burnt and slept is counted out of reach of %s",
  async (_by, forge) => {
    const loop = "def tool():\n    time.sleep(0.5)\n    for _ in range(50_000): pass\n    return 1";
    const limits = { wallMs: 30_000, events: 2_000_000 };

    const honest = await callTool(sandbox, `import time\n${loop}`, { limits });
    const forged = await callTool(sandbox, `${forge}\nimport time\n${loop}`, { limits });
    const endless = `${forge}\ndef tool():\n  while True:\n    try:\n      while True: pass\n    except BaseException: pass`;
    const stopped = await callTool(sandbox, endless, {
      limits: { wallMs: 30_000, events: 200_000 },
    });

    expect(forged.events).toBeGreaterThanOrEqual(50_000);
    expect(forged.events).toBeGreaterThanOrEqual((honest.events ?? 0) - 51);
    expect(forged.elapsedMs).toBeGreaterThanOrEqual(500);
    expect(stopped).toMatchObject({ ok: false, timedOut: true });
  },
);

test("[SB11] Python has the same memory, to the megabyte, whatever ran before", async () => {
  const fill = String.raw`
def tool():
    kept = []
    try:
        while True: kept.append(bytearray(1 << 20))
    except MemoryError:
        return len(kept)`;
  const first = await cold((other) => callTool(other, fill));
  await callTool(sandbox, "def tool(): return len(bytearray(150 << 20))");
  const afterLarge = await callTool(sandbox, fill);
  await callTool(sandbox, "def tool(): return 1");
  const afterSmall = await callTool(sandbox, fill);

  expect(Number(first.result)).toBeGreaterThan(180);
  expect(Number(first.result)).toBeLessThan(256);
  expect([afterLarge.result, afterSmall.result]).toEqual([first.result, first.result]);
});

test("[SB7] of what a call held in memory nothing is left in the process", () => {
  const program = fileURLToPath(new URL("./clearedMemory.ts", import.meta.url));
  const node = ["--no-warnings", "--stack-size=4000", program];

  expect(JSON.parse(execFileSync(process.execPath, node, { encoding: "utf8" }))).toEqual({
    ...{ before: false, result: 2_000, retire: false, after: false },
  });
});
