/** What every reader of a format has in common. */

import type { Format, LogPiece } from "../../record.ts";
import type { Item } from "../input/items.ts";
import { nameById } from "./logNames.ts";
import { OpenLog } from "./openLog.ts";

export interface Reader {
  /** What the value gives; each is taken once, in the order of the file. */
  take(item: Item): readonly LogPiece[];
  /** Asked once, after the last value. What is read only then is given piece by piece. */
  end(): Iterable<LogPiece>;
}

export interface ReaderOf {
  readonly file: string;
  /** What names of logs begin with. */
  readonly stem: string;
  readonly format: Format;
  /** The values that were looked at to detect the format; there may be more. */
  readonly first: readonly Item[];
}

/** The logs of a file whose lines name by an id which they belong to. */
export class LogsById {
  readonly #of: ReaderOf;
  readonly #logs = new Map<string, OpenLog>();

  constructor(of: ReaderOf) {
    this.#of = of;
  }

  get count(): number {
    return this.#logs.size;
  }

  /** Null: that of lines which name none. */
  known = (id: string | null): OpenLog | undefined => this.#logs.get(id ?? "");

  of(id: string | null): OpenLog {
    const known = this.known(id);
    if (known !== undefined) return known;
    const { stem } = this.#of;
    const log = new OpenLog({ ...this.#of, name: id ? nameById(stem, id) : stem });
    this.#logs.set(id ?? "", log);
    return log;
  }

  end = (): readonly LogPiece[] => [...this.#logs.values()].flatMap((log) => log.closed());
}
