/** A log that is being read: it gives its pieces, and knows which calls wait for their results. */
import type { Json } from "../../../../machines/letter.ts";
import type { Called, Format, LogPiece, LogRecord, Place, Returned } from "../../record.ts";

export interface Opening {
  readonly name: string;
  readonly format: Format;
  readonly file: string;
}

/** What every record has, where the log says nothing of it. */
export const bare = (place: Place): Pick<Called, "place" | "atMs" | "step" | "id" | "parent"> => ({
  place,
  atMs: null,
  step: null,
  id: null,
  parent: null,
});

export class OpenLog {
  readonly name: string;
  readonly format: Format;
  readonly file: string;
  #pieces: LogPiece[];
  /** Calls by their ids. */
  readonly #open = new Map<string, "waits" | "answered">();
  /** Calls with an id that wait, and those without one. */
  #named = 0;
  #unnamed = 0;

  constructor({ name, format, file }: Opening) {
    this.name = name;
    this.format = format;
    this.file = file;
    this.#pieces = [{ kind: "opened", head: { name, format, file } }];
  }

  /** What it gave since it was asked last. */
  taken(): readonly LogPiece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  close(): void {
    this.#pieces.push({ kind: "closed", log: this.name });
  }

  unread(place: Place, reason: string): void {
    this.#pieces.push({
      kind: "unread",
      unread: { place, reason: `${reason} (log ${this.name})`, log: this.name },
    });
  }

  give(record: LogRecord): void {
    if (record.kind === "called") this.#called(record);
    else if (record.kind === "returned") this.#returned(record);
    else this.#put(record);
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
      this.unread(
        place,
        `${why}${call === null ? "" : `, ${JSON.stringify(call)}`}; it is kept as a note`,
      );
      this.#put(asNote(record, why));
    }
  }
}

/** What a result said stays, but nothing can be tied to a call by it. */
function asNote(record: Returned, what: string): LogRecord {
  const { place, atMs, step, id, parent, tool, call, result, ok, error } = record;
  const data: Json = { tool, call, result, ok, error };
  return { kind: "noted", place, atMs, step, id, parent, who: tool, what, data };
}
