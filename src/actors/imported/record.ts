/**
 * What a reader of foreign logs finds, whatever the format: records in the order of the log, as they stand
 * there. A reader infers nothing; links between records are made by the importer.
 */
import type { Json } from "../../machines/letter.ts";

/** Of what shape a log was. */
export const FORMATS = [
  "otlp",
  "langsmith",
  "langfuse",
  "openai-agents",
  "claude-code",
  "codex",
  "mcp",
  "adk",
  "gemini",
  "autogen",
  "langchain",
  "vercel",
  "mini-swe-agent",
  "swe-agent",
  "openhands",
  "inspect",
  "openai",
  "anthropic",
  "ollama",
  "speakers",
  "mapped",
  "hollow",
] as const;

export type Format = (typeof FORMATS)[number];

/** Where a record stands. */
export interface Place {
  /** As the user named it, or its path below the folder that the user named; `-` for standard input. */
  readonly file: string;
  /** From 1; null in a file that is one JSON value. */
  readonly line: number | null;
}

/** What is known of a log before its first record. */
export interface LogHead {
  /** Unique among the logs of one import: 1 … 80 of a-z, A-Z, 0-9, `.`, `_` and `-`. */
  readonly name: string;
  readonly format: Format;
  readonly file: string;
}

interface Base {
  readonly place: Place;
  /** Milliseconds since 1970, UTC; null where the log does not say. */
  readonly atMs: number | null;
  /** The log's own number of it, such as its index in `history`, from 0; null where it has none. */
  readonly step: number | null;
  /** Its own id, such as a span's; null where it has none. */
  readonly id: string | null;
  /** The id of what the log says it belongs to, such as the parent span. */
  readonly parent: string | null;
}

export interface Usage {
  readonly promptTokens: number | null;
  readonly answerTokens: number | null;
}

/** A message. Calls that a message of an agent makes follow it as records of their own. */
export interface Said extends Base {
  readonly kind: "said";
  readonly speaker: string;
  readonly role: "user" | "system" | "agent";
  /** The one addressed, where the log says so. */
  readonly to: string | null;
  readonly text: string;
  readonly model: string | null;
  readonly usage: Usage | null;
  /** From the request to its whole answer. */
  readonly latencyMs: number | null;
}

export interface Called extends Base {
  readonly kind: "called";
  readonly agent: string;
  readonly tool: string;
  /** By which its result names it. */
  readonly call: string | null;
  /** Null where the log holds none, or `raw` is no JSON. */
  readonly args: Json;
  /** The arguments as text, where they are no JSON. */
  readonly raw: string | null;
}

export interface Returned extends Base {
  readonly kind: "returned";
  /** Null where only `call` says it. */
  readonly tool: string | null;
  readonly call: string | null;
  /** A text that holds JSON stays a text. */
  readonly result: Json;
  /** What the log itself says of it; null where it says nothing. */
  readonly ok: boolean | null;
  readonly error: string | null;
  readonly latencyMs: number | null;
}

/** A tool of the catalogue, as agents were offered it. */
export interface Offered extends Base {
  readonly kind: "offered";
  readonly tool: string;
  readonly description: string | null;
  /** JSON Schema of its arguments. */
  readonly schema: Json;
}

/** What people or a benchmark said of the whole log. */
export interface Judged extends Base {
  readonly kind: "judged";
  readonly reward: number | null;
  readonly success: boolean | null;
  readonly mistake: {
    readonly agent: string | null;
    readonly step: number | null;
    readonly reason: string | null;
  } | null;
}

/** Anything else that the log holds of a moment, such as the span of an agent's run. */
export interface Noted extends Base {
  readonly kind: "noted";
  readonly who: string | null;
  readonly what: string;
  readonly data: Json;
}

export type LogRecord = Said | Called | Returned | Offered | Judged | Noted;

/** What could not be read, and why. */
export interface Unread {
  readonly place: Place;
  /** In words, such as `no JSON: Unexpected end of input`. */
  readonly reason: string;
  /** The log that lacks it; absent where only the file is known. */
  readonly log?: string;
}

/** One piece of what a reader gives: records of several logs may alternate. */
export type LogPiece =
  | { readonly kind: "opened"; readonly head: LogHead }
  | { readonly kind: "record"; readonly log: string; readonly record: LogRecord }
  /** In so many texts of the log secrets were replaced by marks. Before the log is closed, where there were any. */
  | { readonly kind: "redacted"; readonly log: string; readonly texts: number }
  | { readonly kind: "closed"; readonly log: string }
  | { readonly kind: "unread"; readonly unread: Unread };

export const unread = (place: Place, reason: string): LogPiece => ({
  kind: "unread",
  unread: { place, reason },
});
