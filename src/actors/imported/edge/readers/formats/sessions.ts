/** Readers of sessions: files whose lines, or whose one value, are what one agent and its helpers did. */
import type { Format, LogPiece, Place } from "../../../record.ts";
import type { Item } from "../../input/items.ts";
import { type Fields, mapOf } from "../fields.ts";
import { nameById } from "../logNames.ts";
import type { Around } from "../message.ts";
import { OpenLog } from "../openLog.ts";
import type { Reader, ReaderOf } from "../reader.ts";

/** Takes what stands in a log, line by line. */
export interface Session {
  readonly take: (fields: Fields, place: Place) => void;
  readonly end?: () => void;
}

export type SessionOf = (log: OpenLog) => Session;

/** What is known of a message where nothing stands around it. */
export const aroundOf = (place: Place, format: Format): Around => ({
  ...{ place, format, atMs: null, step: null, id: null, parent: null },
  ...{ agent: null, model: null, usage: null, latencyMs: null },
});

/** A file is one log. */
export class SessionReader implements Reader {
  readonly #log: OpenLog;
  readonly #session: Session;

  constructor(of: ReaderOf, session: SessionOf) {
    this.#log = new OpenLog({ ...of, name: of.stem });
    this.#session = session(this.#log);
  }

  take({ place, value }: Item): readonly LogPiece[] {
    const fields = mapOf(value);
    if (fields === null) this.#log.unread(place, "a value that is no object");
    else this.#session.take(fields, place);
    return this.#log.taken();
  }

  end(): readonly LogPiece[] {
    this.#session.end?.();
    this.#log.close();
    return this.#log.taken();
  }
}

export interface Told {
  /** What is a log of its own in a value of the file. */
  readonly logs: (fields: Fields) => readonly Fields[];
  /** By what such a log is named where the file holds several; null: by its number. */
  readonly id: (fields: Fields) => string | null;
  readonly tell: (log: OpenLog, place: Place, fields: Fields) => void;
}

/** Each value of a file is a log, or holds some. */
export class RunReader implements Reader {
  readonly #of: ReaderOf;
  readonly #told: Told;
  readonly #names = new Set<string>();
  #count = 0;

  constructor(of: ReaderOf, told: Told) {
    this.#of = of;
    this.#told = told;
  }

  take({ place, value, is }: Item): readonly LogPiece[] {
    const fields = mapOf(value);
    if (fields === null)
      return [{ kind: "unread", unread: { place, reason: "a value that is no object" } }];
    const logs = this.#told.logs(fields);
    const isOnly = is === "whole" && logs.length === 1;
    return logs.flatMap((own) => {
      const log = new OpenLog({ ...this.#of, name: this.#nameOf(own, isOnly) });
      this.#told.tell(log, place, own);
      log.close();
      return log.taken();
    });
  }

  end = (): readonly LogPiece[] => [];

  #nameOf(own: Fields, isOnly: boolean): string {
    this.#count++;
    const { stem } = this.#of;
    const id = this.#told.id(own);
    const wanted = isOnly ? stem : nameById(stem, id ?? `log-${this.#count}`);
    const name = this.#names.has(wanted)
      ? nameById(stem, `${id ?? "log"} (${this.#count})`)
      : wanted;
    this.#names.add(name);
    return name;
  }
}
