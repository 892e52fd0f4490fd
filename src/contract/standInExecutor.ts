/**
 * Executors as models write them in random worlds, and what the stand-in for Python says of a run
 * of one. Ours.
 */
import type { Mail } from "../machines/letter.ts";

/** Marks in the text of one, whose `invoke` works through a list of items. The first mark found decides. */
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

export function invoked({ code, params }: Mail["sandbox.run"]): Mail["sandbox.replied"] {
  const holds = (one: keyof typeof EXECUTOR_TEXTS): boolean =>
    code.includes(EXECUTOR_TEXTS[one].marks);
  if (holds("raising")) return { ok: false, timedOut: false, error: "ValueError: no" };
  if (holds("slow")) return { ok: false, timedOut: true };
  if (holds("wrong")) return { ok: true, timedOut: false, result: { ok: true, ok_count: 99 } };
  const args = params?.["args"];
  const items = typeof args === "object" && args !== null && "items" in args ? args.items : null;
  const result = Array.isArray(items)
    ? { ok: true, entries: items.map((value) => ({ value })), ok_count: items.length }
    : { ok: false, error: "items must be a list", error_class: "invalid_args" };
  return { ok: true, timedOut: false, result };
}
