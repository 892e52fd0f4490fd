/**
 * What a reader of foreign logs finds, whatever the format: records in the order of the log, as they stand
 * there. A reader infers nothing; links between records are made by the importer.
 */
import type { FromLog } from "../../machines/imported/mail.ts";
import type { EventType, MailOf } from "../../machines/letter.ts";

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

interface Base extends Pick<FromLog, "step" | "id" | "parent"> {
  readonly place: Place;
  /** Milliseconds since 1970, UTC; null where the log does not say. */
  readonly atMs: number | null;
}

export type Usage = Pick<MailOf<"log.said">, "promptTokens" | "answerTokens">;

/** What an event of that type says besides where its record stands; src/machines/imported/mail.ts says what each field is. */
type Own<K extends EventType> = Omit<MailOf<K>, "type" | keyof FromLog>;

/** A message. Calls that a message of an agent makes follow it as records of their own. */
export interface Said extends Base, Omit<Own<"log.said">, keyof Usage> {
  readonly kind: "said";
  readonly usage: Usage | null;
}

export interface Called extends Base, Own<"log.called"> {
  readonly kind: "called";
}

export interface Returned extends Base, Omit<Own<"log.returned">, "caller" | "tool" | "of"> {
  readonly kind: "returned";
  /** Null where only `call` says it. */
  readonly tool: string | null;
}

/** A tool of the catalogue, as agents were offered it. */
export interface Offered extends Base, Own<"log.offered"> {
  readonly kind: "offered";
}

/** What people or a benchmark said of the whole log. */
export interface Judged extends Base, Own<"log.judged"> {
  readonly kind: "judged";
}

/** Anything else that the log holds of a moment, such as the span of an agent's run. */
export interface Noted extends Base, Own<"log.noted"> {
  readonly kind: "noted";
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

/** A secret that was taken out: where it stood, of what kind it was (`field`: by its field's name), and how long. */
export interface Removed extends Place {
  readonly step: number | null;
  readonly kind: string;
  readonly chars: number;
}

/** One piece of what a reader gives: records of several logs may alternate. */
export type LogPiece =
  | { readonly kind: "opened"; readonly head: LogHead }
  | { readonly kind: "record"; readonly log: string; readonly record: LogRecord }
  /** In so many texts of the log secrets were replaced by marks. Before the log is closed, where there were any. */
  | {
      readonly kind: "redacted";
      readonly log: string;
      readonly texts: number;
      /** The first of them. */
      readonly removed: readonly Removed[];
    }
  | { readonly kind: "closed"; readonly log: string }
  | { readonly kind: "unread"; readonly unread: Unread };

export const unread = (place: Place, reason: string): LogPiece => ({
  kind: "unread",
  unread: { place, reason },
});
