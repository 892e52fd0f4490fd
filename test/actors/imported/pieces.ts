// Records of a log, as readers give them; what a test does not care about is filled in.
import type {
  Called,
  Judged,
  LogPiece,
  LogRecord,
  Noted,
  Offered,
  Returned,
  Said,
} from "../../../src/actors/imported/record.ts";

const base = {
  place: { file: "log.jsonl", line: 1 },
  ...{ atMs: null, step: null, id: null, parent: null },
};

export const said = (speaker: string, text: string, given: Partial<Said> = {}): Said => ({
  ...{ ...base, kind: "said", speaker, text, to: null, model: null, usage: null },
  role: speaker === "user" || speaker === "system" ? speaker : "agent",
  latencyMs: null,
  ...given,
});

export const called = (
  tool: string,
  args: Called["args"],
  given: Partial<Called> = {},
): Called => ({
  ...{ ...base, kind: "called", agent: "assistant", tool, args, call: null, raw: null },
  ...given,
});

export const returned = (result: Returned["result"], given: Partial<Returned> = {}): Returned => ({
  ...{ ...base, kind: "returned", tool: null, call: null, result, ok: null, error: null },
  latencyMs: null,
  ...given,
});

export const offered = (tool: string, description: string): Offered => ({
  ...{ ...base, kind: "offered", tool, description, schema: null },
});

export const judged = (given: Partial<Judged>): Judged => ({
  ...{ ...base, kind: "judged", reward: null, success: null, mistake: null },
  ...given,
});

export const noted = (who: string | null, what: string, given: Partial<Noted> = {}): Noted => ({
  ...{ ...base, kind: "noted", who, what, data: null },
  ...given,
});

/** One log, from its opening to its end. */
export const pieces = (log: string, records: readonly LogRecord[]): readonly LogPiece[] => [
  { kind: "opened", head: { name: log, format: "openai", file: "log.jsonl" } },
  ...records.map((record) => ({ kind: "record", log, record }) as const),
  { kind: "closed", log },
];
