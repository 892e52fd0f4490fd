/** Names of logs, which are names of folders: `FILE` where a file is one log, else `FILE.LINE` or `FILE.ID`. */
import { plainName } from "../../../../edges/plainName.ts";

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
