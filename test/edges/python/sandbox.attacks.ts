import { afterAll, beforeAll, expect, test } from "vitest";
import { BadInput } from "../../../src/edges/errors.ts";
import { openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import { WHITELISTED } from "../../../src/machines/synt/stages/executorProfile.ts";
import { callTool, noon, testCache } from "./opened.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox({ cacheFolder: testCache });
});
afterAll(() => sandbox.close());

test("runs a module as step 8 does: fine, failing, unparsable, leaving", async () => {
  const exec = (code: string) => sandbox.exec(code, { wallMs: 8000 });

  expect(await exec("print('hello')")).toMatchObject({ ok: true, stdout: "hello\n", error: null });
  expect(await exec("import requests")).toMatchObject({
    ok: false,
    error: { type: "ModuleNotFoundError", message: "No module named 'requests'" },
  });
  expect((await exec("def (")).error?.type).toBe("SyntaxError");
  expect(await exec("open('/sys/class/thermal/x')")).toMatchObject({
    error: { type: "FileNotFoundError" },
  });
  expect((await exec("raise SystemExit(0)")).ok).toBe(true);
  expect((await exec("raise SystemExit(3)")).ok).toBe(false);
});

test("[SN94] serves every module that the whitelist of executors admits", async () => {
  const code = `
import importlib
def tool():
    for name in ${JSON.stringify(WHITELISTED)}:
        importlib.import_module(name)
    return "all"`;

  expect(await callTool(sandbox, code)).toMatchObject({ result: "all", error: null });
});

test("takes the function with the tool's name, else the alphabetically first public one", async () => {
  const named = await callTool(sandbox, "def alpha(): return 1\ndef tool(): return 2");
  const first = await callTool(
    sandbox,
    "from os.path import abspath\ndef zeta(): return 1\ndef _a(): return 2\ndef beta(): return 3",
  );
  const none = await callTool(sandbox, "x = 1");

  expect([named.functionName, named.result]).toEqual(["tool", 2]);
  expect([first.functionName, first.result]).toEqual(["beta", 3]);
  expect(none).toMatchObject({ ok: false, functionName: null, stage: "arguments" });
});

test("names required parameters without calling", async () => {
  const code = "def tool(path, mode='r', *more, size, **rest):\n    raise ValueError('called')";

  const without = await callTool(sandbox, code);
  const withAll = await callTool(sandbox, code, { kwargs: { path: "a", size: "1" } });

  expect(without).toMatchObject({ called: false, stage: "arguments", requires: ["path", "size"] });
  expect(withAll).toMatchObject({
    called: true,
    stage: "call",
    error: { type: "ValueError", message: "called" },
  });
});

test("turns every value into strict JSON", async () => {
  const code = String.raw`
class Odd:
    def __repr__(self): raise ValueError
def tool():
    return [None, True, 1.5, -0.0, float("nan"), 2**60, "\ud800", b"x", {1, 2}, {1: (2,)}, Odd(), object()]`;
  const tagged = (type: string, text: string) => ({ $python: { type, text } });

  const { result, isNone } = await callTool(sandbox, code);

  expect(isNone).toBe(false);
  expect(result).toEqual([
    ...[null, true, 1.5, 0, tagged("float", "nan"), tagged("int", "1152921504606846976"), "\ufffd"],
    ...[tagged("bytes", "b'x'"), tagged("set", "{1, 2}"), { 1: [2] }],
    ...[tagged("Odd", "<Odd instance at 0x0>"), tagged("object", "<object object at 0x0>")],
  ]);
  expect(await callTool(sandbox, "def tool(): pass")).toMatchObject({ ok: true, isNone: true });
});

test("bounds output, results, files and depth", async () => {
  const code = String.raw`
import os
def tool():
    print("x" * 10**6)
    for number in range(300): open(f"f{number}", "w").write("y" * 10000)
    deep = []
    for _ in range(5000): deep = [deep]
    return ["z" * 10**6, deep]`;

  const { stdout, files, result } = await callTool(sandbox, code);
  const deep = await callTool(
    sandbox,
    "def tool():\n    d=[]\n    for _ in range(5000): d=[d]\n    return d",
  );

  expect(stdout).toHaveLength(65_536);
  expect(files).toHaveLength(200);
  expect(JSON.stringify(files).length).toBeLessThan(2 ** 21);
  expect(JSON.stringify(result).length).toBeLessThan(2000);
  expect(JSON.stringify(deep.result).length).toBeLessThan(2000);
});

test("shows named files and returns what changed", async () => {
  const code = String.raw`
import os
def tool():
    text = open("/agentOS/a.txt").read() + open("b.txt").read()
    open("/agentOS/a.txt", "a").write("!")
    os.remove("b.txt")
    open("new/c.bin", "wb").write(b"\xff") if os.makedirs("new") is None else None
    open("/tmp/scratch", "w").write("unreported")
    return text`;
  const files = { "/agentOS/a.txt": "é", "b.txt": "b", "/agentOS/same.txt": "s" };

  const result = await callTool(sandbox, code, { setting: { files } });

  expect(result.result).toBe("éb");
  expect(result.files).toEqual([
    { path: "/agentOS/a.txt", change: "changed", bytes: 3, text: "é!" },
    { path: "/work/b.txt", change: "deleted", bytes: 0, text: null },
    { path: "/work/new/c.bin", change: "created", bytes: 1, text: null },
  ]);
});

test.each([
  ["a loop", "def tool():\n    while True: pass", expect.any(Boolean)],
  [
    "a hanging regular expression",
    "import re\ndef tool(): re.match('(a+)+$', 'a'*40+'b')",
    expect.any(Boolean),
  ],
  ["a huge power", "def tool(): return 7**(10**8)", expect.any(Boolean)],
  ["a virtual sleep", "import time\ndef tool(): time.sleep(86_400)", false],
  [
    "a loop that swallows every exception",
    "def tool():\n  while True:\n    try:\n      while True: pass\n    except BaseException: pass",
    true,
  ],
])("stops %s at the limit", async (_name, code, killed) => {
  const result = await callTool(sandbox, code, { limits: { wallMs: 100 } });

  expect(result).toMatchObject({ ok: false, timedOut: true, killed, elapsedMs: 100, files: [] });
  expect((await callTool(sandbox, "def tool(): return 1")).result).toBe(1);
});

test("[SB5] stops at the same event on every machine; events are counted in steps of 51", async () => {
  const limits = { wallMs: 8000, events: 5000 };
  const swallow =
    "def tool():\n  while True:\n    try:\n      while True: pass\n    except BaseException: pass";

  const loop = await callTool(sandbox, "def tool():\n    while True: pass", { limits });
  const turns = (count: number) =>
    callTool(sandbox, `def tool():\n    for _ in range(${count}): pass`, { limits });
  const [few, more] = [await turns(0), await turns(51 * 40)];
  const deaf = await callTool(sandbox, swallow, { limits });
  // A thousand looks at the clock, none of which Python makes.
  const native = await callTool(
    sandbox,
    "import itertools, time\ndef tool():\n    for _ in range(0): pass\n    list(itertools.islice(iter(time.time_ns, -1), 1000))",
    { limits },
  );

  expect([native.ok, (native.events ?? 0) - (few.events ?? 0) <= 51]).toEqual([true, true]);
  expect(loop).toMatchObject({ timedOut: true, killed: false, events: 5_000 });
  expect([few.ok, more.ok]).toEqual([true, true]);
  expect((few.events ?? 0) % 51).toBe(0);
  expect((more.events ?? 0) - (few.events ?? 0)).toBe(51 * 40);
  expect(deaf).toMatchObject({ ok: false, timedOut: true });
});

test("caps memory, and disk, which is memory of another kind", async () => {
  const bomb = await callTool(
    sandbox,
    "def tool():\n    x=[]\n    while True: x.append(bytearray(10**6))",
  );
  const disk = await callTool(
    sandbox,
    "def tool():\n    f=open('big','wb')\n    while True: f.write(b'x'*10**6)",
  );
  const sparse = await callTool(
    sandbox,
    "import os\ndef tool(): os.truncate(os.open('s', os.O_CREAT|os.O_RDWR), 2**31-1)",
  );
  const pipe = await callTool(
    sandbox,
    "import os\ndef tool():\n    r,w=os.pipe()\n    while True: os.write(w,b'x'*10**6)",
  );
  const nodes = await callTool(
    sandbox,
    "import os\ndef tool():\n    for i in range(10**5): os.mkdir(str(i))",
  );

  expect(bomb).toMatchObject({ ok: false, outOfMemory: true, error: { type: "MemoryError" } });
  for (const full of [disk, sparse, pipe, nodes]) expect(full.error?.type).toBe("OSError");
  expect((await callTool(sandbox, "def tool(): return 1")).result).toBe(1);
});

test("gives the same answers twice, in another process, whatever ran before", async () => {
  const tools = Array.from({ length: 4 }, (_, index) => ({
    code: String.raw`
import asyncio, datetime, hashlib, os, random, secrets, tempfile, time, uuid
async def nap(seconds):
    await asyncio.sleep(seconds)
    return seconds
async def naps(): return await asyncio.gather(nap(.3), nap(.1))
def tool():
    time.sleep(${index} / 10)
    return [random.random(), time.time(), time.monotonic_ns(), str(datetime.datetime.now()), str(uuid.uuid1()),
            str(uuid.uuid4()), secrets.token_hex(8), os.urandom(4).hex(), open("/dev/urandom", "rb").read(4).hex(),
            hashlib.sha256(b"${index}").hexdigest(), str({"a", "b", "c", ${index}}), hash("x"), id(tool),
            tempfile.mkdtemp(), os.stat("/work").st_mtime, time.localtime().tm_zone, asyncio.run(naps())]`,
    setting: { seed: index },
  }));
  const run = async (one: Sandbox) => {
    const answers = [];
    for (const { code, setting } of tools) answers.push(await callTool(one, code, { setting }));
    return answers;
  };

  const first = await run(sandbox);
  const second = await run(sandbox);
  const other = await openSandbox({ cacheFolder: testCache, spare: false });
  const third = await run(other).finally(() => other.close());

  expect(first.every(({ ok }) => ok)).toBe(true);
  expect(second).toEqual(first);
  expect(third).toEqual(first);
  expect(first[0]?.result).not.toEqual(first[1]?.result);
});

test("refuses bwrap where there is none, and says what to do", async () => {
  const refused = await openSandbox({ kind: "bwrap", searchPath: "" }).catch((error) => error);

  expect(refused).toBeInstanceOf(BadInput);
  expect(refused.message).toContain("apt install bubblewrap");
});

test("answers in the order asked", async () => {
  const answers = await Promise.all(
    [1, 2, 3].map((value) => callTool(sandbox, `def tool(): return ${value}`)),
  );

  expect(answers.map(({ result }) => result)).toEqual([1, 2, 3]);
  expect(noon.seed).toBe(7);
});
