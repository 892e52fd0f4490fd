// What `port/python.parse` says of a text is what CPython says of it.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { standInParser } from "../../../src/actors/agents/properties/standInPython.ts";
import { SKILL_TEXTS } from "../../../src/actors/skills/properties/standIn.ts";
import { noParser } from "../../../src/actors/world/scriptedPorts.ts";
import { anyText } from "../../../src/contract/anyText.ts";
import { EXECUTOR_TEXTS } from "../../../src/contract/standInExecutor.ts";
import { Inbox } from "../../../src/edges/play/inbox.ts";
import { lost, timedOut } from "../../../src/edges/python/answer.ts";
import { PYTHON_CHARS_MAX, parsePort, readPython } from "../../../src/edges/python/parsePort.ts";
import { lazySandbox } from "../../../src/edges/python/sandboxPort.ts";
import { tryWorld, worldOf } from "../../../src/run/check/check.ts";
import type { PortRequest } from "../../../src/substrate/port.ts";
import { policyWith } from "../../builtIn.ts";
import { properties, randomWorlds } from "../../builtInPromises.ts";
import { pythonReader } from "./reader.ts";

const read = pythonReader();
/** Some in `npm test`; `syntax.soak.ts` says more. */
const RUNS = Number(process.env["GHOSTLIGHT_TEXTS"] ?? 60);
const WORLDS = Number(process.env["GHOSTLIGHT_READ_WORLDS"] ?? 48);

const bodies = async (text: string) =>
  (await read(text)).functions.map(({ name, body }) => [name, body]);

describe("reading", () => {
  it("[SY3] lists every function in order, at whatever depth", async () => {
    const text = `
class A:
    def m(self, x):
        def inner(y, /): return y
        return inner
async def b(*args, self=None):
    try:
        def c(): return 1
    except E:
        def d(): return 2
    else:
        def e(): return 3
    finally:
        def f(): return 4
match x:
    case 1:
        def g(): return 5
`;

    const { ok, functions } = await read(text);

    expect(ok).toBe(true);
    expect(functions.map(({ name }) => name)).toEqual(["m", "inner", "b", "c", "d", "e", "f", "g"]);
    expect(functions.slice(0, 3)).toEqual([
      { name: "m", firstArgument: "self", inClass: true, body: "code" },
      { name: "inner", firstArgument: "y", inClass: false, body: "code" },
      { name: "b", firstArgument: null, inClass: false, isAsync: true, body: "code" },
    ]);
  });

  it("[SY3] tells apart what a body does", async () => {
    expect(await bodies("def f():\n    pass")).toEqual([["f", "pass"]]);
    expect(await bodies('def f():\n    """Does."""')).toEqual([["f", "docstring"]]);
    expect(await bodies('def f():\n    """Does."""\n    pass')).toEqual([["f", "docstring"]]);
    expect(await bodies("def f():\n    42")).toEqual([["f", "docstring"]]);
    expect(await bodies("def f():\n    return None")).toEqual([["f", "code"]]);
    const modules = [];
    for (const text of ["pass", "# only a comment", "", "return_1 = 1"]) {
      modules.push((await read(text)).module);
    }
    expect(modules).toEqual(["pass", "code", "code", "code"]);
  });

  it("[SB2] the gate hears what stands in a text, synt also what it reaches for", async () => {
    const text = "import os\ndef invoke(args):\n    return os.getcwd()\n";
    const { imports, calls, opensToWrite, ...syntax } = await read(text, "profile");

    expect({ imports, calls, opensToWrite }).toEqual({
      ...{ imports: ["os"], calls: ["os.getcwd"], opensToWrite: false },
    });
    expect(await read(text, "gate")).toEqual(syntax);
  });
});

/** Each was read wrongly by a grammar that only looks like CPython's. */
const TAKEN = [
  ["a leading form feed", "\fdef t():\n    return 1\n"],
  ["a warning about an escape", "def t():\n    return '\\d'\n"],
  ["an f-string with its own quotes inside", 'def t(a):\n    return f"{a["b"]}"\n'],
  ["a lazy annotation that names nothing", "def t(a: Nowhere):\n    return a\n"],
  ["except without parentheses", "try:\n    pass\nexcept A, B:\n    pass\n"],
  ["a type parameter with a default", "def t[T = int](a: T) -> T:\n    return a\n"],
  ["a soft keyword as a name", "match = 1\ntype = match\n_ = type\n"],
  // The compiler refuses these two, not the parser: a text may yet get a head, at step 4.
  ["a return outside", "return 1\n"],
  ["two parameters of a name", "def t(a, a):\n    return a\n"],
  ["names that fold to one", "def t(ﬁ):\n    return fi\n"],
] as const;
const REFUSED = [
  ["tabs mixed with blanks", "if 1:\n\tx = 1\n        y = 2\n", /inconsistent use of tabs/],
  ["an octal number of old", "x = 0777\n", /leading zeros in decimal integer/],
  ["a number that ends in _", "x = 1_000_\n", /invalid decimal literal/],
  ["NUL", "x = 1\0\n", /null bytes/],
  [
    "a slash first",
    "def t(/, a):\n    return a\n",
    /at least one (parameter|argument) must precede \//,
  ],
  ["an unfinished escape", "x = '\\x1'\n", /truncated \\xXX escape/],
  ["an unknown name of a character", "x = '\\N{no such}'\n", /unknown Unicode character name/],
  ["a surrogate", "x = '\ud800'\n", /surrogates not allowed/],
  ["a default before none", "def t(a=1, b):\n    return b\n", /without a default|non-default/],
  ["an assignment to a call", "f() = 1\n", /cannot assign to function call/],
  ["a bracket that is not closed", "x = (1,\n", /'\(' was never closed/],
  ["a keyword as a name", "def t(None):\n    pass\n", /invalid syntax/],
  ["a bytes text with letters beyond ASCII", "x = b'é'\n", /ASCII literal characters/],
  ["an invisible character", "x\u200b = 1\n", /invalid non-printable character U\+200B/],
] as const;

describe("CPython itself decides", () => {
  it.each(TAKEN)("[SB2] %s is taken", async (_about, text) => {
    expect(await read(text)).toMatchObject({ ok: true });
  });

  it.each(REFUSED)(
    "[SB2] %s is refused at step 2, in CPython's words",
    async (_about, text, error) => {
      const found = await read(text, "gate");

      expect(found).toMatchObject({ ok: false, functions: [] });
      expect(found.error).toMatch(error);
    },
  );
});

describe("limits", () => {
  it("[SY4] says where a text is no Python", async () => {
    expect(await read("x = 1\ndef f(:\n  pass")).toMatchObject({
      ...{ ok: false, error: "invalid syntax (line 2)", functions: [] },
    });
  });

  it("[SY4] reads up to its bound and no further", async () => {
    expect((await read("#".repeat(PYTHON_CHARS_MAX))).ok).toBe(true);
    expect((await read("#".repeat(PYTHON_CHARS_MAX + 1))).error).toContain("at most 262144");
  });

  it.each([
    ["parentheses", "(".repeat(100_000)],
    ["calls", "a<b>(".repeat(40_000)],
    ["signs", "-".repeat(200_000)],
    ["f-strings", `${'f"{a:'.padEnd(5)}${"{a:".repeat(65_000)}${"}".repeat(65_000)}}"`],
    ["f-strings in f-strings", `${"f'{".repeat(60_000)}`],
    ["attributes", `x = a${".b".repeat(130_000)}`],
    ["sums", `x = 1${"+1".repeat(130_000)}`],
    ["braces that no rule fits", `${"{".repeat(90)}}`],
    ["blocks", Array.from({ length: 120 }, (_, depth) => `${" ".repeat(depth)}if 1:\n`).join("")],
  ])("[SB3] what nests without end is a named fault, never a hang: %s", async (_about, text) => {
    const found = await read(text);

    expect(found.ok === false ? found.error : "").not.toBe("");
    expect(await read("x = 1")).toMatchObject({ ok: true });
  });

  it("[SY4] more functions or names than a tool has are refused, not passed over", async () => {
    expect((await read("def f(): return 1\n".repeat(2_001))).error).toBe(
      "more than 2000 functions",
    );
    const names = Array.from({ length: 5_001 }, (_, index) => `import m${index}`).join("\n");
    expect((await read(names)).error).toBe("more than 5000 names");
  });

  it("[SB3] a limit that stops the reading is a fault of the syntax that says which", async () => {
    const { sandbox: limits } = policyWith({ "sandbox.parseLimitMs": 70 });
    const said = (answer: ReturnType<typeof lost>) =>
      readPython({ syntax: async () => answer }, "x = 1", "profile", limits);

    expect(await said(timedOut({ wallMs: 70 }, true))).toEqual({
      ...{ type: "python.parsed", ok: false, error: "not read within 70 ms", functions: [] },
      ...{ module: "code", imports: [], calls: [], opensToWrite: true },
    });
    expect(await said(lost("MemoryError", "Python's memory is full"))).toMatchObject({
      ...{ ok: false, error: "Python could not read it (MemoryError: Python's memory is full)" },
    });
  });

  it("[SY4] never throws, and says of each text one of the two", async () => {
    const pieces = fc.constantFrom(
      ...["def ", "f", "(", ")", ":", "\n", "    ", "self", '"', "'''", "\\", "{", "class "],
      ...["\t", "async ", "lambda", "=", "\u0000", "😀", "\ud800"],
    );
    const texts = fc.oneof(
      anyText(),
      fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join("")),
    );

    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect((await read(text)).ok).toBeTypeOf("boolean");
      }),
      { numRuns: RUNS },
    );
  });
});

it("[SB2] without a sandbox a run ends at the first text that has to be read, and says so", () => {
  const request = { from: "synthesis/cedar/1" } as PortRequest<"python.parse">;

  expect(() => noParser.answer(request)).toThrow(
    "a text of synthesis/cedar/1 is written in Python: this run needs a sandbox",
  );
});

it("[SB2] what is read takes no virtual time", async () => {
  const inbox = new Inbox();
  const sandbox = lazySandbox();
  const text = "x".repeat(PYTHON_CHARS_MAX + 1);
  const request = { seq: 1, purpose: "gate", event: { type: "python.parse", text } };
  parsePort({ sandbox, inbox, policy: policyWith({}).sandbox }).answer(
    request as PortRequest<"python.parse">,
  );

  await inbox.arrival(1_000);

  expect(inbox.take()).toMatchObject([{ seq: 1, reply: { latencyMs: 0 } }]);
});

it("[SB4] in random worlds a stand-in reads, and says of each of their texts what CPython says", async () => {
  // Of agents, who write tools, however many parts there are.
  const worlds = randomWorlds(
    {},
    properties.filter(({ id }) => id === "broken-not-routed"),
  );
  const seen = new Map<string, { readonly purpose: "gate" | "profile"; readonly said: object }>();
  const watched: typeof worlds = {
    ...worlds,
    stage: (scenario) => {
      const stage = worlds.stage(scenario);
      const parser = stage.ports["port/python.parse"];
      if (parser === undefined) throw new Error("random worlds have a parser");
      const answer: typeof parser.answer = (request) => {
        const reply = parser.answer(request);
        const purpose = request.purpose as "gate" | "profile";
        const { event } = request;
        if (event.type !== "python.parse") return reply;
        seen.set(event.text, { purpose, said: reply?.event ?? {} });
        return reply;
      };
      return { ...stage, ports: { ...stage.ports, "port/python.parse": { ...parser, answer } } };
    },
  };
  for (let seed = 1; seed <= WORLDS; seed++) await tryWorld(watched, seed, []);

  expect(seen.size).toBeGreaterThan(8);
  for (const [text, { purpose, said }] of seen) {
    const { error: _ours, ...ours } = said as { readonly error?: string };
    const { error: _theirs, ...theirs } = await read(text, purpose);
    expect(ours, text).toEqual(theirs);
  }
  expect(worldOf(worlds, 1)).toBeDefined();
});

it.each([
  ...Object.entries(EXECUTOR_TEXTS).map(
    ([name, { text }]) => ["executor", name, text, "profile"] as const,
  ),
  ...Object.entries(SKILL_TEXTS).map(([name, { text }]) => ["skill", name, text, "gate"] as const),
  [
    "executor",
    "of two calls",
    "def run(x):\n    print(x)\n    abs(x)\n    return x\n",
    "profile",
  ] as const,
])(
  "[SB4] of the %s that is %s the stand-in says what CPython says",
  async (_, _name, text, purpose) => {
    const event = { type: "python.parse", text } as const;
    const said = standInParser.answer({ event, purpose } as PortRequest<"python.parse">);
    const { error: _ours, ...ours } = { error: "", ...said?.event };
    const { error: _theirs, ...theirs } = await read(text, purpose);

    expect(ours).toEqual(theirs);
  },
);
