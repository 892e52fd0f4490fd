/**
 * A stand-in for Python, so that a check plays hundreds of worlds in seconds: it looks at the text of
 * a tool and never runs it. Labelled so in every manifest. Ours.
 */
import type { MailEvent } from "../machines/letter.ts";
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

/** Ours: a test may take long enough for a call to come between. */
const LATENCY_MS = { least: 20, most: seconds(5) };

export function standInPython(seed: number): PromptProvider {
  const random = namedRandom(seed);
  return {
    answer({ from, purpose, nth, event }) {
      const draw = random.at(from, `stand-in ${purpose}`, nth);
      const latencyMs = draw.integer(LATENCY_MS.least, LATENCY_MS.most);
      return { event: { type: "sandbox.replied", ...verdictOn(event) }, latencyMs };
    },
  };
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
