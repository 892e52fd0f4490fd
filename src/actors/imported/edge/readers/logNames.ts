/** Names of logs, which are names of folders: `FILE` where a file is one log, else `FILE.LINE` or `FILE.ID`. */
import { createHash } from "node:crypto";

const STEM_CHARS_MAX = 40;
const ID_CHARS_MAX = 36;

const digest = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 8);

/** The text in letters that a name may have; where that changes it or cuts it, a digest keeps it apart from others. */
function tidied(text: string, charsMax: number): string {
  const plain = text.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  if (plain === text && plain.length <= charsMax && plain !== "") return plain;
  return `${plain.slice(0, charsMax - 9) || "log"}-${digest(text)}`;
}

/** The stems of the names of files: unique, and without points. */
export class LogStems {
  readonly #used = new Set<string>();

  /** `path` is the file as it is shown. */
  of(path: string): string {
    const plain = path === "-" ? "stdin" : path.replace(/\.[A-Za-z0-9]{1,8}$/, "");
    const short = plain
      .replace(/^.*[/\\]/, "")
      .replace(/[^A-Za-z0-9_-]+/g, "-")
      .replace(/^-+|-+$/g, "");
    const isFree = short !== "" && short.length <= STEM_CHARS_MAX && !this.#used.has(short);
    const stem = isFree ? short : this.#other(plain, path);
    this.#used.add(stem);
    return stem;
  }

  #other(plain: string, path: string): string {
    let stem = tidied(plain.replace(/[/\\.]+/g, "-"), STEM_CHARS_MAX);
    for (let again = 2; this.#used.has(stem); again++)
      stem = tidied(`${path}#${again}`, STEM_CHARS_MAX);
    return stem;
  }
}

export const nameByNumber = (stem: string, number: number): string => `${stem}.${number}`;

/** An id that is a number would be taken for that of a line. */
export const nameById = (stem: string, id: string): string =>
  `${stem}.${/^\d+$/.test(id) && id.length < 16 ? `id-${id}` : tidied(id, ID_CHARS_MAX)}`;
