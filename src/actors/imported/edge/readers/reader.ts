/** What every reader of a format has in common. */

import { plainName } from "../../../../edges/plainName.ts";
import type { Format, LogPiece } from "../../record.ts";
import type { Item } from "../input/items.ts";
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

/** Names of logs, which are names of folders: `FILE` where a file is one log, else `FILE.LINE` or `FILE.ID`. */
const STEM_CHARS_MAX = 40;
const ID_CHARS_MAX = 36;

/** The stems of the names of files: unique, and without points. */
export class LogStems {
  readonly #used = new Set<string>();

  /** `path` is the file as it is shown. */
  of(path: string): string {
    const plain = path === "-" ? "stdin" : path.replace(/\.[A-Za-z0-9]{1,8}$/, "");
    const last = plain.replace(/^.*[/\\]/, "");
    const short = plainName(last, STEM_CHARS_MAX);
    const stem = this.#used.has(short.toLowerCase()) ? this.#other(plain, path) : short;
    this.#used.add(stem.toLowerCase());
    return stem;
  }

  #other(plain: string, path: string): string {
    let stem = plainName(plain.replace(/[/\\.]+/g, "-"), STEM_CHARS_MAX);
    for (let again = 2; this.#used.has(stem.toLowerCase()); again++)
      stem = plainName(`${path}#${again}`, STEM_CHARS_MAX);
    return stem;
  }
}

export const nameByNumber = (stem: string, number: number): string => `${stem}.${number}`;

/** An id that is a number would be taken for that of a line. */
export const nameById = (stem: string, id: string): string =>
  `${stem}.${/^\d+$/.test(id) && id.length < 16 ? `id-${id}` : plainName(id, ID_CHARS_MAX)}`;
