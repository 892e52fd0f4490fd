/**
 * A stand-in for the Python of skills and of self-play in random worlds: it looks at the text of a program and
 * never runs it. Labelled so in every manifest. Ours.
 */

import { isMap } from "../../../machines/isMap.ts";
import type { Json, Mail } from "../../../machines/letter.ts";
import { ownValue } from "../../../machines/ownValue.ts";
import { readJson } from "../../../machines/readJson.ts";
import { seconds } from "../../../machines/units.ts";
import type { PortReply, Provider } from "../../../substrate/port.ts";
import { namedRandom } from "../../../substrate/random.ts";

/** Marks in the text of a skill, and what becomes of a run of it. The first mark found decides. */
export const SKILL_TEXTS = {
  moody: {
    marks: 'get("fail")',
    text: 'import json, sys\nif json.loads(sys.argv[1]).get("fail"):\n    raise ValueError("moody")\nprint(json.dumps({"kept": 1}))\n',
  },
  raising: { marks: "raise ", text: 'import sys\nraise ValueError("no")\n' },
  leaving: { marks: "os._exit(7)", text: "import os\nos._exit(7)\n" },
  slow: { marks: "while True", text: "import sys\nwhile True:\n    pass\n" },
  silent: { marks: "sys.argv[0]", text: "import sys\nsys.argv[0]\n" },
  whole: { marks: "", text: 'import json, sys\nprint(json.dumps({"kept": 1}))\n' },
} as const;

/** What the solver of a random world writes, and what judges it. */
export const SOLUTIONS = {
  right: "def solve():\n    return 42\n",
  wrong: "def solve():\n    return 41\n",
} as const;
export const VALIDATOR = 'def validate(answer):\n    assert answer == 42, "another number"\n';

/** Ours: a run may take long enough for a call, a wipe or a retirement to come between. */
const LATENCY_MS = { least: 20, most: seconds(2) };

type Run = Mail["sandbox.run"];
type Verdict = Mail["sandbox.replied"];

const VERDICTS: { readonly [purpose: string]: (run: Run) => Verdict } = {
  skill: verdictOfRun,
  "skill-test": verdictOfRun,
  solve: ({ code }) => called("solve", code === SOLUTIONS.right ? 42 : 41),
  validate: ({ params }) =>
    params?.["answer"] === 42
      ? called("validate", null)
      : { ok: false, functionName: "validate", error: "AssertionError: another number" },
};

/** In front of what stands in for the Python of other parts. */
export function standInSkills(seed: number, before: Provider | undefined): Provider {
  const random = namedRandom(seed);
  return {
    answer(request): PortReply | null {
      const { from, purpose, nth, event } = request;
      const verdict =
        event.type === "sandbox.run" ? ownValue(VERDICTS, purpose)?.(event) : undefined;
      if (verdict === undefined) return before?.answer(request) ?? null;
      const draw = random.at(from, `stand-in ${purpose}`, nth);
      const latencyMs = draw.integer(LATENCY_MS.least, LATENCY_MS.most);
      return { event: { type: "sandbox.replied", ...verdict }, latencyMs };
    },
  };
}

const called = (functionName: string, result: Json): Verdict => ({
  ...{ ok: true, functionName, isNone: result === null, result },
});

function verdictOfRun({ params }: Run): Verdict {
  const code = String(params?.["code"]);
  const holds = (one: keyof typeof SKILL_TEXTS): boolean => code.includes(SKILL_TEXTS[one].marks);
  if (holds("moody")) return isAskedToFail(params?.["arguments"]) ? raised("moody") : PRINTED;
  if (holds("raising")) return raised("no");
  if (holds("leaving")) return LEFT;
  if (holds("slow")) return { ok: false, timedOut: true, error: "timed out" };
  return holds("silent") ? ended(0, "", "") : PRINTED;
}

function isAskedToFail(given: Json | undefined): boolean {
  const [text] = Array.isArray(given) ? given : [];
  const asked = typeof text === "string" ? readJson(text) : null;
  return isMap(asked) && asked["fail"] === true;
}

const ended = (exitCode: number, stdout: string, stderr: string): Verdict =>
  called("run", { exitCode, stdout, stderr });
const raised = (words: string): Verdict =>
  ended(1, "", `Traceback (most recent call last):\nValueError: ${words}\n`);
const LEFT: Verdict = { ok: false, exitCode: 7, error: "InterpreterLeft: the code ended it" };
const PRINTED: Verdict = ended(0, '{"kept": 1}\n', "");
