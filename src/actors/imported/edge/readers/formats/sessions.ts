/** Readers of sessions: files whose lines, or whose one value, are what one agent and its helpers did. */
import { type LogPiece, type Place, unread } from "../../../record.ts";
import type { Item } from "../../input/items.ts";
import { type Fields, idIn, mapIn, mapOf } from "../fields.ts";
import { OpenLog } from "../openLog.ts";
import type { Reader, ReaderOf } from "../reader.ts";
import { nameById } from "../reader.ts";

/** Takes what stands in a line of a log. */
export type TakeLine = (fields: Fields, place: Place) => void;

/** A file is one log. */
export class SessionReader implements Reader {
  readonly #log: OpenLog;
  readonly #takeLine: TakeLine;

  constructor(of: ReaderOf, session: (log: OpenLog) => TakeLine) {
    this.#log = new OpenLog({ ...of, name: of.stem });
    this.#takeLine = session(this.#log);
  }

  take({ place, value }: Item): readonly LogPiece[] {
    const fields = mapOf(value);
    if (fields === null) this.#log.unread(place, "a value that is no object");
    else this.#takeLine(fields, place);
    return this.#log.taken();
  }

  end = (): readonly LogPiece[] => this.#log.closed();
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
    if (fields === null) return [unread(place, "a value that is no object")];
    const logs = this.#told.logs(fields);
    const isOnly = is === "whole" && logs.length === 1;
    return logs.flatMap((own) => {
      const log = new OpenLog({ ...this.#of, name: this.#nameOf(own, isOnly) });
      this.#told.tell(log, place, own);
      return log.closed();
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

/** Each value is a log of its own. */
export const itself = {
  logs: (fields: Fields): readonly Fields[] => [fields],
  id: (fields: Fields): string | null => idIn(fields, "instance_id", "task_id", "id"),
};

/** A file of events is one log; one of runs holds a log each. */
export const eventsOrRuns =
  (
    isEvent: (fields: Fields) => boolean,
    tellEvent: (log: OpenLog, place: Place, event: Fields, step: number) => void,
    tell: Told["tell"],
  ) =>
  (of: ReaderOf): Reader => {
    if (!of.first.some(({ value }) => isEvent(mapIn(value))))
      return new RunReader(of, { ...itself, tell });
    let step = 0;
    return new SessionReader(of, (log) => (fields, place) => tellEvent(log, place, fields, step++));
  };
