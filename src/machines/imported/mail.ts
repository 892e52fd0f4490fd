/** What stands in a log that was read in place of a run: every event of the part `imported`, by type. */

/** The rule by which one record is said to rest on another; src/actors/imported/links.ts says each in words. */
export type LinkRule =
  | "faulted"
  | "result-of"
  | "made-by"
  | "parent"
  | "open-call"
  | "quotes"
  | "wrote-then-read"
  | "next-call"
  | "last-heard";

/** What a record rests on. A JSON value, so no interface. */
export type LogLink = {
  readonly seq: number;
  readonly rule: LinkRule;
  /** Not stated in the log. */
  readonly inferred: boolean;
  /** What shows it, such as the value that is quoted; null where the rule says all. */
  readonly value: string | null;
};

/** Where a record stands in its log, and what it rests on. */
export interface FromLog {
  /** The log's own number of it, such as its index in `history`, from 0; null where it has none. */
  readonly step: number | null;
  /** Milliseconds since 1970, as the log says; null where it does not. */
  readonly timeMs: number | null;
  /** Null where it is the file that the log began in. */
  readonly file: string | null;
  readonly line: number | null;
  /** Its own id there, such as a span's, and that of what it belongs to, such as the parent span; null where it has none. */
  readonly id: string | null;
  readonly parent: string | null;
  /** The most telling first: `why` follows that one. */
  readonly links: readonly LogLink[];
}

declare module "../letter.ts" {
  interface Mail {
    "log.opened": {
      readonly log: string;
      readonly format: string;
      readonly file: string;
      /** `steps`: the log has no times, and each record counts one second. */
      readonly clock: "log" | "steps";
    };
    "log.said": FromLog & {
      readonly speaker: string;
      readonly role: "user" | "system" | "agent";
      /** The one addressed, where the log says so. */
      readonly to: string | null;
      readonly text: string;
      readonly model: string | null;
      readonly promptTokens: number | null;
      readonly answerTokens: number | null;
      /** From the request to its whole answer. */
      readonly latencyMs: number | null;
    };
    "log.called": FromLog & {
      readonly agent: string;
      readonly tool: string;
      /** By which its result names it. */
      readonly call: string | null;
      /** Null where the log holds none, or `raw` is no JSON. */
      readonly args: Json;
      /** The arguments as text, where they are no JSON. */
      readonly raw: string | null;
    };
    "log.returned": FromLog & {
      /** Who called; null where no call is known. */
      readonly caller: string | null;
      readonly tool: string;
      readonly call: string | null;
      /** The seq of the call, where it is known. */
      readonly of: number | null;
      /** A text that holds JSON stays a text. */
      readonly result: Json;
      /** What the log itself says of it; null where it says nothing. */
      readonly ok: boolean | null;
      readonly error: string | null;
      readonly latencyMs: number | null;
    };
    "log.offered": FromLog & {
      readonly tool: string;
      readonly description: string | null;
      /** JSON Schema of its arguments. */
      readonly schema: Json;
    };
    "log.judged": FromLog & {
      readonly reward: number | null;
      readonly success: boolean | null;
      readonly mistake: {
        readonly agent: string | null;
        readonly step: number | null;
        readonly reason: string | null;
      } | null;
    };
    "log.noted": FromLog & {
      readonly who: string | null;
      readonly what: string;
      readonly data: Json;
    };
    "log.closed": {
      readonly records: number;
      /** What the importer let go of, by what it is; empty where it could keep all. */
      readonly forgotten: { readonly [what: string]: number };
    };
  }
}
