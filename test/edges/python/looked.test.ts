// What code looks at besides what it is given: the answer of code that looks at nothing serves every run.
import { afterAll, beforeAll, expect, it } from "vitest";
import { KeptAnswers } from "../../../src/edges/play/keptAnswers.ts";
import type { CallSetting } from "../../../src/edges/python/answer.ts";
import { AT_REST, openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import { lazySandbox, type SandboxOptions } from "../../../src/edges/python/sandboxPort.ts";
import { newFolder } from "../../folders.ts";
import { callTool, noon, testCache } from "./opened.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ cacheFolder: testCache });
});
afterAll(() => sandbox.close());

const files = { "given.txt": "given" };
const atRest = { setting: { ...AT_REST, files } };
const tool = (line: string): string => `def tool():\n    ${line}\n`;
/** As code that does not want to be found out names a module, and what is in it. */
const spelt = (name: string): string => `${JSON.stringify([...name])}.__str__()[2::5]`;
const hidden = (name: string): string => `__import__(${spelt(name)})`;

it.each([
  ["calculates", "return [sum(range(9)), hash('a'), id(object()) > 0, list({'a', 'b', 'c'})]"],
  ["prints", "print('a')"],
  [
    "uses modules that are loaded",
    "import json, re, math, gc, sys; return json.dumps([gc.collect()])",
  ],
  ["writes no file and reads none", "import os; return [os.listdir('.'), os.path.exists('none')]"],
  ["sleeps", "import time; time.sleep(1)"],
  ["fails", "return {}['none']"],
  ["does not end", "while True: pass"],
  ["seeds a generator of its own", "import random; return random.Random(5).random()"],
])("[SB30] code that %s looks at neither clock nor chance", async (_about, line) => {
  const { looked } = await callTool(sandbox, tool(line), {
    ...atRest,
    limits: { wallMs: 10_000, events: 100_000 },
  });

  expect(looked).toBe(false);
});

it("[SB33] a call has used none of the processor's time at first, and none while it sleeps", async () => {
  const line =
    "import time; a = time.process_time(); time.sleep(7); return [a, time.process_time(), time.process_time_ns()]";
  const { result } = await callTool(sandbox, tool(line), { setting: noon });

  // In millionths of a second, as often as a clock was looked at.
  expect(result).toEqual([0.000001, 0.000002, 3000]);
});

it.each([
  ["the clock", "import time; time.time()"],
  ["a clock of another kind", "import time; time.perf_counter()"],
  ["the processor's clock", "import time; time.process_time()"],
  ["the clock by another name", "from time import monotonic as m; m()"],
  ["the day", "import datetime; datetime.date.today()"],
  ["the hour", "import time; time.strftime('%H')"],
  ["the clock of an event loop", "import asyncio; asyncio.run(asyncio.sleep(0))"],
  ["a file's time", "import os; os.stat('given.txt').st_mtime"],
  ["a file", "open('given.txt').read()"],
  ["a file of its own", "open('own.txt', 'w')"],
  ["entropy", "import os; os.urandom(1)"],
  ["entropy as a file", "import os; os.read(os.open('/dev/urandom', os.O_RDONLY), 1)"],
  ["a number of chance", "import random; random.random()"],
  ["a generator that chance seeds", "import random; random.Random()"],
  ["a generator that is seeded anew", "import random; random.seed()"],
  ["chance, through a module that draws", "import statistics; statistics.NormalDist().samples(1)"],
  [
    "chance, found among all objects",
    "import gc\n    [o for o in gc.get_objects() if type(o).__name__ == 'Random'][0].random()",
  ],
  ["an id", "import uuid; uuid.uuid4()"],
  ["a secret", "import secrets; secrets.token_hex()"],
  ["a name of a file", "import tempfile; tempfile.mktemp()"],
  [
    "the clock, and catches what ends it",
    "import time\n    try: time.time()\n    finally: raise SystemExit",
  ],
  ["the clock, and does not end", "import time; time.time()\n    while True: pass"],
  ["the clock, and ends Python", "import time, os; time.time(); os._exit(0)"],
])("[SB31] code that looks at %s is seen to", async (_about, line) => {
  const { looked } = await callTool(sandbox, tool(line), {
    ...atRest,
    limits: { wallMs: 10_000, events: 100_000 },
  });

  expect(looked).toBe(true);
});

it.each([
  [
    "the answer",
    'import time, json\n    json.dumps = lambda answer: \'{"ok": true, "looked": false}\'\n    time.time()',
  ],
  ["what it gives back", "import time; time.time(); return {'looked': False}"],
])("[SB32] code cannot say of itself that it did not look: in %s", async (_about, line) => {
  expect((await callTool(sandbox, tool(line), atRest)).looked).toBe(true);
});

const settings: readonly CallSetting[] = [noon, { seed: 8, nowMs: noon.nowMs + 1 }];
const asked = (lazy: ReturnType<typeof lazySandbox>, code: string, setting: CallSetting) =>
  lazy.call({ code, functionName: "tool", kwargs: {} }, { wallMs: 10_000 }, setting);

/** Each in a process of its own, at all settings. */
async function answersOf(code: string, options: SandboxOptions = {}) {
  const lazy = lazySandbox({ kind: "pyodide", spare: false, ...options });
  const answers = [];
  for (const setting of settings) answers.push(await asked(lazy, code, setting));
  await lazy.close();
  return answers;
}

it.each([
  ["names what it looks at", "import time, random\n    return [time.time(), random.random()]"],
  ["names chance, and draws nothing", "import random\n    return random.getstate()[1][1]"],
  [
    "reads the request in the frames around it",
    `frame = __import__("sys")._getframe()
    while frame and "asked" not in frame.f_locals: frame = frame.f_back
    return str(frame.f_locals["asked"])`,
  ],
  [
    "is handed the code that draws and puts chance back",
    `names = {}; exec("import ran" + "dom as r; s = r.getstate(); x = r.random(); r.setstate(s)", names)
    return names["x"]`,
  ],
  ["hides its clock", `return getattr(${hidden("time")}, ${spelt("time")})()`],
  ["hides its chance", `return getattr(${hidden("random")}, ${spelt("random")})()`],
])(
  "[SB31] code that %s is answered with the clock and the seed of its run, with and without a cache",
  async (_about, line) => {
    const code = tool(line);
    const alone = await Promise.all(
      settings.map((setting) => callTool(sandbox, code, { setting })),
    );
    const folder = newFolder();

    expect(alone[0]?.result).not.toEqual(alone[1]?.result);
    expect(await answersOf(code)).toEqual(alone);
    for (const _cold of [true, false]) {
      expect(await answersOf(code, { answers: new KeptAnswers(folder) })).toEqual(alone);
    }
  },
);

it("[SB30] the answer of code that does not look serves every run, and is the one that it has without a cache", async () => {
  const code = tool("return list({'a', 'b', 'c'})");
  const answers = new KeptAnswers(newFolder());
  const first = lazySandbox({ kind: "pyodide", spare: false, answers });
  const told = await asked(first, code, noon);
  await first.close();

  const never = lazySandbox({ kind: "bwrap", spare: false, answers });
  const { PATH } = process.env;
  process.env["PATH"] = ""; // Nothing can be started.
  try {
    expect(await asked(never, code, { seed: 8, nowMs: 5 })).toEqual(told);
  } finally {
    process.env["PATH"] = PATH;
  }
  expect(await answersOf(code)).toEqual([told, told]);
});
