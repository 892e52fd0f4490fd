/** A stream of bytes as lines, each of a bounded length. */
import { isUtf8 } from "node:buffer";

/** Ours: one line holds the whole history of a long conversation, and no more. */
export const LINE_BYTES_MAX = 64 * 1024 * 1024;

export interface TextLine {
  /** From 1. */
  readonly line: number;
  /** Without its end; null where it cannot be a text, for the reason in `fault`. */
  readonly text: string | null;
  readonly fault: string | null;
  /** The file ends within it. */
  readonly isLast: boolean;
}

const NEWLINE = 10;

/** Takes a file piece by piece. Lines that hold nothing but blanks are counted, and left out. */
export class ByteLines {
  readonly #bytesMax: number;
  /** What was read of the line at hand. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #line = 1;

  constructor(bytesMax = LINE_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  *push(chunk: Buffer): Generator<TextLine, undefined> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield* this.#ended(chunk.subarray(from, end), false);
      from = end + 1;
    }
    this.#hold(chunk.subarray(from));
  }

  *end(): Generator<TextLine, undefined> {
    yield* this.#ended(Buffer.alloc(0), true);
  }

  #hold(bytes: Buffer): void {
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > this.#bytesMax) this.#held = [];
    else if (bytes.length > 0) this.#held.push(Buffer.from(bytes));
  }

  *#ended(bytes: Buffer, isLast: boolean): Generator<TextLine, undefined> {
    const size = this.#heldBytes + bytes.length;
    const whole = this.#held.length === 0 ? bytes : Buffer.concat([...this.#held, bytes]);
    this.#held = [];
    this.#heldBytes = 0;
    const line = this.#line++;
    const refused = (fault: string): TextLine => ({ line, text: null, fault, isLast });
    if (size > this.#bytesMax) yield refused(`a line of more than ${this.#bytesMax} bytes`);
    else if (!isUtf8(whole)) yield refused("bytes that are no UTF-8");
    else {
      const text = whole.toString("utf8").replace(/^\uFEFF/, "");
      if (text.trim() !== "") yield { line, text, fault: null, isLast };
    }
  }
}
