/** A log that is being read: it gives its pieces, and knows which calls wait for their results. */
import type { Json } from "../../../../machines/letter.ts";
import type {
  Called,
  Format,
  Judged,
  LogPiece,
  LogRecord,
  Noted,
  Offered,
  Place,
  Returned,
  Said,
} from "../../record.ts";

export interface Opening {
  readonly name: string;
  readonly format: Format;
  readonly file: string;
}

type Base = Pick<Noted, "place" | "atMs" | "step" | "id" | "parent">;

/** Where and when a record stands; of what is absent the log says nothing. */
export type At = Pick<Base, "place"> & Partial<Base>;

function baseOf({ place, atMs = null, step = null, id = null, parent = null }: At): Base {
  return { place, atMs, step, id, parent };
}

/** What is of one kind of records alone. */
type Own<R extends LogRecord> = Omit<R, "kind" | keyof Base>;
/** Without what is null where the log says nothing of it. */
type Given<R extends LogRecord, Needed extends keyof Own<R>> = Pick<R, Needed> & Partial<Own<R>>;

export function said(at: At, given: Given<Said, "speaker" | "role" | "text">): Said {
  const { speaker, role, to = null, text, model = null, usage = null, latencyMs = null } = given;
  return { ...baseOf(at), kind: "said", speaker, role, to, text, model, usage, latencyMs };
}

export function called(at: At, given: Given<Called, "agent" | "tool" | "call">): Called {
  const { agent, tool, call, args = null, raw = null } = given;
  return { ...baseOf(at), kind: "called", agent, tool, call, args, raw };
}

export function returned(at: At, given: Given<Returned, "tool" | "call">): Returned {
  const { tool, call, result = null, ok = null, error = null, latencyMs = null } = given;
  return { ...baseOf(at), kind: "returned", tool, call, result, ok, error, latencyMs };
}

export function offered(at: At, given: Own<Offered>): Offered {
  return { ...baseOf(at), kind: "offered", ...given };
}

export function judged(at: At, given: Own<Judged>): Judged {
  return { ...baseOf(at), kind: "judged", ...given };
}

export function noted(at: At, what: string, data: Json, who: string | null = null): Noted {
  return { ...baseOf(at), kind: "noted", who, what, data };
}

/** What a message gave, and what of it could not be read. */
export interface ReadMessage {
  readonly records: readonly LogRecord[];
  /** Reasons. */
  readonly unread: readonly string[];
}

export class OpenLog {
  readonly name: string;
  readonly format: Format;
  #pieces: LogPiece[];
  /** Calls by their ids. */
  readonly #open = new Map<string, "waits" | "answered">();
  /** Calls with an id that wait, and those without one. */
  #named = 0;
  #unnamed = 0;

  constructor({ name, format, file }: Opening) {
    this.name = name;
    this.format = format;
    this.#pieces = [{ kind: "opened", head: { name, format, file } }];
  }

  /** What it gave since it was asked last. */
  taken(): readonly LogPiece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  /** Ends it. */
  closed(): readonly LogPiece[] {
    return [...this.taken(), { kind: "closed", log: this.name }];
  }

  unread(place: Place, reason: string): void {
    const unread = { place, reason: `${reason} (log ${this.name})`, log: this.name };
    this.#pieces.push({ kind: "unread", unread });
  }

  give(...records: readonly LogRecord[]): void {
    for (const record of records) {
      if (record.kind === "called") this.#called(record);
      else if (record.kind === "returned") this.#returned(record);
      else this.#put(record);
    }
  }

  giveRead(place: Place, { records, unread }: ReadMessage): void {
    this.give(...records);
    for (const reason of unread) this.unread(place, reason);
  }

  #put(record: LogRecord): void {
    this.#pieces.push({ kind: "record", log: this.name, record });
  }

  #called(record: Called): void {
    const { call, place } = record;
    if (call === null) this.#unnamed++;
    else if (this.#open.get(call) === "waits") {
      this.unread(
        place,
        `the id of a call that still waits for its result, ${JSON.stringify(call)}, is given to another call, which now has none`,
      );
      this.#unnamed++;
      this.#put({ ...record, call: null });
      return;
    } else {
      this.#open.set(call, "waits");
      this.#named++;
    }
    this.#put(record);
  }

  #returned(record: Returned): void {
    const { call, place } = record;
    // A result without an id may be that of a call with one.
    const waits = call === null ? this.#unnamed > 0 || this.#named > 0 : this.#open.get(call);
    if (call !== null && waits === "waits") {
      this.#open.set(call, "answered");
      this.#named--;
      this.#put(record);
    } else if (call === null && waits === true) {
      this.#unnamed = Math.max(0, this.#unnamed - 1);
      this.#put(record);
    } else {
      const why = waits === "answered" ? "a second result of one call" : "a result without a call";
      const named = call === null ? "" : `, ${JSON.stringify(call)}`;
      this.unread(place, `${why}${named}; it is kept as a note`);
      // What it said stays, but nothing can be tied to a call by it.
      const { tool, result, ok, error } = record;
      this.#put(noted(record, why, { tool, call, result, ok, error }, tool));
    }
  }
}
