/** What every reader of a format has in common. */

import type { Format, LogPiece } from "../../record.ts";
import type { Item } from "../input/items.ts";

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
