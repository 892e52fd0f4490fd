/**
 * A stand-in for Python, so that a check plays hundreds of worlds in seconds: it looks at the text of
 * a tool and never runs it. Labelled so in every manifest. Ours.
 */
import type { Json, MailEvent } from "../machines/letter.ts";
import { seconds } from "../machines/units.ts";
import type { PromptProvider } from "../substrate/port.ts";
import { namedRandom } from "../substrate/random.ts";

/** What stands in a tool, and what becomes of it. The first that stands there decides. */
export const TOOL_TEXTS = {
  gone: {
    marks: "undefined_name()",
    text: "def NAME(**kwargs):\n    return 1\nundefined_name()\n",
  },
  null: { marks: "return None", text: "def NAME(**kwargs):\n    return None\n" },
  raising: { marks: "raise ", text: 'def NAME(**kwargs):\n    raise ValueError("no")\n' },
  needy: {
    marks: "(path, content)",
    text: "def NAME(path, content):\n    return {'kept': path}\n",
  },
  whole: { marks: "", text: "def NAME(**kwargs):\n    return {'kept': len(kwargs)}\n" },
} as const;

/** The same for executors, whose `invoke` works through a list of items. */
export const EXECUTOR_TEXTS = {
  raising: { marks: "raise ", text: 'def invoke(args):\n    raise ValueError("no")\n' },
  slow: { marks: "while True", text: "def invoke(args):\n    while True:\n        pass\n" },
  wrong: {
    marks: '"ok_count": 99',
    text: 'def invoke(args):\n    return {"ok": True, "ok_count": 99}\n',
  },
  foreign: {
    marks: "import socket",
    text: 'import socket\ndef invoke(args):\n    return {"ok": True, "entries": args["items"]}\n',
  },
  unknown: {
    marks: "import subprocess",
    text: "import subprocess\ndef invoke(args):\n    return 1\n",
  },
  broken: { marks: "def invoke(args:", text: "def invoke(args:\n" },
  whole: {
    marks: "",
    text: 'def invoke(args):\n    return {"ok": True, "entries": args["items"]}\n',
  },
} as const;

/** Ours: a test may take long enough for a call to come between. */
const LATENCY_MS = { least: 20, most: seconds(5) };

export function standInPython(seed: number): PromptProvider {
  const random = namedRandom(seed);
  return {
    answer({ from, purpose, nth, event }) {
      const draw = random.at(from, `stand-in ${purpose}`, nth);
      const latencyMs = draw.integer(LATENCY_MS.least, LATENCY_MS.most);
      if (event["name"] === "invoke") return { event: invoked(event), latencyMs };
      return { event: { type: "sandbox.replied", ...verdictOn(event) }, latencyMs };
    },
  };
}

/**
 * Reads the few texts that stand in random worlds, line by line, and says of them what CPython would;
 * a test compares the two. Anything else a model says there is no Python.
 */
export const standInParser: PromptProvider = {
  answer: ({ event, purpose }) => ({
    event: { type: "python.parsed", ...readingOf(String(event["text"]), purpose) },
    latencyMs: 0,
  }),
};

function readingOf(text: string, purpose: string): object {
  const isPython = /^(?:def |import |[{]|x = )/.test(text) && text !== EXECUTOR_TEXTS.broken.text;
  const heads = [...text.matchAll(/^def (\w+)\((\w*)/gm)];
  const functions = heads.map(([, name, first = ""]) => ({
    ...{ name, firstArgument: first === "" ? null : first, inClass: false, body: "code" },
  }));
  const called = [...text.matchAll(/(?<![\w.]|def )([a-z_][\w.]*)\(/gi)].map(([, name]) => name);
  const profile = {
    imports: [...text.matchAll(/^import (\w+)/gm)].map(([, name]) => name),
    calls: [...new Set(called)].sort(),
    opensToWrite: false,
  };
  const syntax = isPython
    ? { ok: true, functions, module: text.startsWith("{") ? "docstring" : "code" }
    : { ok: false, error: "invalid syntax", functions: [], module: "code" };
  const unknown = { imports: [], calls: [], opensToWrite: true };
  return { ...syntax, ...(purpose === "profile" && (isPython ? profile : unknown)) };
}

function verdictOn({ purpose, code, name, params }: MailEvent): object {
  const text = String(code);
  const holds = (tool: keyof typeof TOOL_TEXTS): boolean => text.includes(TOOL_TEXTS[tool].marks);
  if (holds("gone")) return { ok: false, error: "NameError: name 'undefined_name' is not defined" };
  if (purpose === "exec") return { ok: true };
  const found = { functionName: name };
  if (holds("raising")) return { ok: false, ...found, error: "ValueError: no" };
  if (holds("needy") && (params as { path?: unknown } | undefined)?.path === undefined) {
    return { ok: false, ...found, needsArguments: true, error: "TypeError: missing arguments" };
  }
  if (holds("null")) return { ok: true, ...found, isNone: true, result: null };
  return { ok: true, ...found, isNone: false, result: { kept: 1 } };
}

function invoked({ code, params }: MailEvent): MailEvent {
  const type = "sandbox.replied";
  const holds = (one: keyof typeof EXECUTOR_TEXTS): boolean =>
    String(code).includes(EXECUTOR_TEXTS[one].marks);
  if (holds("raising")) return { type, ok: false, timedOut: false, error: "ValueError: no" };
  if (holds("slow")) return { type, ok: false, timedOut: true };
  if (holds("wrong"))
    return { type, ok: true, timedOut: false, result: { ok: true, ok_count: 99 } };
  const { items } = (params as { readonly args: { readonly items?: Json } }).args;
  const result = Array.isArray(items)
    ? { ok: true, entries: items.map((value) => ({ value })), ok_count: items.length }
    : { ok: false, error: "items must be a list", error_class: "invalid_args" };
  return { type, ok: true, timedOut: false, result };
}
