/**
 * A stand-in for Python, so that a check plays hundreds of worlds in seconds: it looks at the text of
 * a tool and never runs it. Labelled so in every manifest. Ours.
 */

import { EXECUTOR_TEXTS, invoked } from "../../../contract/standInExecutor.ts";
import type { Mail } from "../../../machines/letter.ts";
import type { FunctionSyntax, SyntaxSummary } from "../../../machines/pythonSyntax.ts";
import { seconds } from "../../../machines/units.ts";
import type { PromptProvider } from "../../../substrate/port.ts";
import { namedRandom } from "../../../substrate/random.ts";

/** Marks in the text of a tool, and what becomes of it. The first mark found decides. */
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

/** Ours: a test may take long enough for a call to come between. */
const LATENCY_MS = { least: 20, most: seconds(5) };

export function standInPython(seed: number): PromptProvider<"sandbox.run"> {
  const random = namedRandom(seed);
  return {
    answer({ from, purpose, nth, event }) {
      const draw = random.at(from, `stand-in ${purpose}`, nth);
      const latencyMs = draw.integer(LATENCY_MS.least, LATENCY_MS.most);
      const verdict = event.name === "invoke" ? invoked(event) : verdictOn(event);
      return { event: { type: "sandbox.replied", ...verdict }, latencyMs };
    },
  };
}

/**
 * Reads the few texts that stand in random worlds, line by line, and says of them what CPython would;
 * a test compares the two. Anything else a model says there is no Python.
 */
export const standInParser: PromptProvider<"python.parse"> = {
  answer: ({ event, purpose }) => ({
    event: { type: "python.parsed", ...readingOf(event.text, purpose) },
    latencyMs: 0,
  }),
};

function readingOf(text: string, purpose: string): Mail["python.parsed"] {
  const isPython = /^(?:def |import |[{]|x = )/.test(text) && text !== EXECUTOR_TEXTS.broken.text;
  const heads = [...text.matchAll(/(?<![^\r\n])def (\w+)\((\w*)/g)];
  const functions = heads.map(
    ([, name = "", first = ""]): FunctionSyntax => ({
      ...{ name, firstArgument: first === "" ? null : first, inClass: false, body: "code" },
    }),
  );
  const called = namesIn(text, /(?<![\w.]|def )([a-z_][\w.]*)\(/gi);
  const profile = {
    imports: namesIn(text, /(?<![^\r\n])import (\w+)/g),
    calls: [...new Set(called)].sort(),
    opensToWrite: false,
  };
  const syntax: SyntaxSummary = isPython
    ? { ok: true, functions, module: text.startsWith("{") ? "docstring" : "code" }
    : { ok: false, error: "invalid syntax", functions: [], module: "code" };
  const unknown = { imports: [], calls: [], opensToWrite: true };
  return { ...syntax, ...(purpose === "profile" && (isPython ? profile : unknown)) };
}

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

type Run = Mail["sandbox.run"];
type Verdict = Mail["sandbox.replied"];

function verdictOn({ purpose, code, name, params }: Run): Verdict {
  const holds = (tool: keyof typeof TOOL_TEXTS): boolean => code.includes(TOOL_TEXTS[tool].marks);
  if (holds("gone")) return { ok: false, error: "NameError: name 'undefined_name' is not defined" };
  if (purpose === "exec") return { ok: true };
  const found = { functionName: name };
  if (holds("raising")) return { ok: false, ...found, error: "ValueError: no" };
  if (holds("needy") && params?.["path"] === undefined) {
    return { ok: false, ...found, needsArguments: true, error: "TypeError: missing arguments" };
  }
  if (holds("null")) return { ok: true, ...found, isNone: true, result: null };
  return { ok: true, ...found, isNone: false, result: { kept: 1 } };
}
