/**
 * The lines of a file that is larger than memory ought to be: once read through, it is known where each line
 * begins, and a piece is read whenever a line of it is asked for.
 */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Lines } from "../../substrate/log.ts";
import { NumberList } from "../../substrate/numberList.ts";
import { Divergence } from "../errors.ts";

const PIECE = 1 << 20;

/** Ours: below what a string can hold. */
export const LINE_BYTES_MAX = 256_000_000;

const NEWLINE = 10;

/** The code of the error that Node's decoder throws, too. */
export const NO_TEXT = "ERR_ENCODING_INVALID_ENCODED_DATA";

export class LineTooLong extends Error {
  /** From 1. */
  readonly line: number;
  constructor(line: number) {
    super(`a line of more than ${LINE_BYTES_MAX} bytes`);
    this.line = line;
  }
}

export interface LineFileOptions {
  /** Whether lines may be added behind those that were read. */
  readonly mayGrow: boolean;
  /** Bytes that are read at once; a longer line is read whole. */
  readonly piece?: number;
}

export class LineFile implements Lines {
  /** Whole lines. */
  readonly length: number;
  /** Bytes. */
  readonly size: number;
  /** Bytes follow the last newline. */
  readonly isTorn: boolean;
  /** Over all bytes. */
  readonly sha256: string;
  readonly #path: string;
  readonly #pieceBytes: number;
  /** Where each line begins, and where the last whole one ends. */
  readonly #starts: NumberList;
  /** What tells the file that was read from any later one; undefined where it may grow. */
  readonly #stamp: string | undefined;
  #piece: Buffer = Buffer.alloc(0);
  /** The lines that lie in the piece: from the first to before the second. */
  #held: readonly [number, number] = [0, 0];
  /** The line that was read out of turn last. */
  #alone = -2;

  /** Reads the whole file once. Throws LineTooLong, or an error with NO_TEXT or a code of the file system. */
  constructor(path: string, { mayGrow, piece = PIECE }: LineFileOptions) {
    this.#path = path;
    this.#pieceBytes = piece;
    const file = openSync(path, "r");
    try {
      this.#stamp = mayGrow ? undefined : stampOf(file);
      const { starts, size, sha256 } = readThrough(file, piece);
      this.#starts = starts;
      this.size = size;
      this.sha256 = sha256;
      this.length = starts.length - 1;
      this.isTorn = size > starts.at(this.length);
    } finally {
      closeSync(file);
    }
  }

  /** Throws Divergence when the file was changed since it was read. */
  at(place: number): string | undefined {
    if (place < 0 || place >= this.length) return undefined;
    const [first, end] = this.#held;
    if (place >= first && place < end) return this.#line(place);
    const ahead = this.#starts.at(place) - this.#starts.at(end);
    const isAhead = place >= end && ahead <= this.#pieceBytes;
    // One line out of turn leaves alone what is held for the lines in their turn; with the next, it is a turn.
    if (!isAhead && place !== this.#alone + 1) return this.#lineAlone(place);
    this.#hold(place, this.#endOfPiece(place));
    return this.#line(place);
  }

  /** Each of them, in memory. */
  all(): readonly string[] {
    return Array.from({ length: this.length }, (_, place) => this.at(place) ?? "");
  }

  /** From the last to the first. */
  *backwards(): Generator<string, undefined> {
    for (let place = this.length - 1; place >= 0; place--) {
      const [first, end] = this.#held;
      if (place < first || place >= end) this.#hold(this.#startOfPiece(place), place + 1);
      yield this.#line(place);
    }
  }

  #line(place: number): string {
    const from = this.#starts.at(this.#held[0]);
    const start = this.#starts.at(place) - from;
    return this.#piece.toString("utf8", start, this.#starts.at(place + 1) - from - 1);
  }

  #lineAlone(place: number): string {
    this.#alone = place;
    const bytes = Buffer.allocUnsafe(this.#starts.at(place + 1) - this.#starts.at(place));
    this.#read(bytes, place);
    return bytes.toString("utf8", 0, bytes.length - 1);
  }

  #hold(first: number, end: number): void {
    const size = this.#starts.at(end) - this.#starts.at(first);
    // A buffer for each piece would stay until it is collected.
    if (this.#piece.length < size)
      this.#piece = Buffer.allocUnsafe(Math.max(size, this.#pieceBytes));
    this.#held = [0, 0];
    this.#read(this.#piece.subarray(0, size), first);
    this.#held = [first, end];
  }

  #read(into: Buffer, first: number): void {
    const file = openSync(this.#path, "r");
    try {
      const isSame = this.#stamp === undefined || this.#stamp === stampOf(file);
      if (isSame && readAll(file, into, this.#starts.at(first)) === into.length) return;
    } finally {
      closeSync(file);
    }
    throw new Divergence({
      where: { file: this.#path, line: first + 1 },
      found: "a file that was changed while it was read",
      allowed: "the bytes that were verified",
      todo: "Ask again once nothing writes there any more.",
    });
  }

  #endOfPiece(first: number): number {
    const most = this.#starts.at(first) + this.#pieceBytes;
    let end = first + 1;
    while (end < this.length && this.#starts.at(end + 1) <= most) end++;
    return end;
  }

  #startOfPiece(last: number): number {
    const least = this.#starts.at(last + 1) - this.#pieceBytes;
    let first = last;
    while (first > 0 && this.#starts.at(first - 1) >= least) first--;
    return first;
  }
}

/** Every change of a file moves its ctime, which no program can set. */
function stampOf(file: number): string {
  const { ino, size, ctimeNs } = fstatSync(file, { bigint: true });
  return `${ino} ${size} ${ctimeNs}`;
}

function readThrough(file: number, piece: number) {
  const hash = createHash("sha256");
  const starts = new NumberList();
  starts.push(0);
  let buffer = Buffer.allocUnsafe(piece);
  // Bytes of a line whose end is still to be read, at the front of the buffer, which lies there in the file.
  let rest = 0;
  let offset = 0;
  for (;;) {
    if (rest === buffer.length) {
      if (rest >= LINE_BYTES_MAX) throw new LineTooLong(starts.length);
      buffer = Buffer.concat([buffer, Buffer.allocUnsafe(rest)]);
    }
    const read = readSync(file, buffer, rest, buffer.length - rest, offset + rest);
    const filled = rest + read;
    hash.update(buffer.subarray(rest, filled));
    let end = 0;
    for (let at = rest; at < filled; at = end) {
      const newline = buffer.subarray(0, filled).indexOf(NEWLINE, at);
      if (newline < 0) break;
      end = newline + 1;
      starts.push(offset + end);
    }
    const isOver = read === 0;
    if (!isUtf8(buffer.subarray(0, isOver ? filled : end))) {
      throw Object.assign(new Error("bytes that are no text"), { code: NO_TEXT });
    }
    if (isOver) return { starts, size: offset + filled, sha256: hash.digest("hex") };
    buffer.copyWithin(0, end, filled);
    rest = filled - end;
    offset += end;
  }
}

/** Bytes read: fewer only where the file ends. */
function readAll(file: number, into: Buffer, position: number): number {
  let done = 0;
  while (done < into.length) {
    const read = readSync(file, into, done, into.length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}
