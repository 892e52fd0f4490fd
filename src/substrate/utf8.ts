/**
 * UTF-8 written piece by piece into one buffer. What is hashed or logged of every delivery is written so:
 * joined strings would be made first, flattened, encoded, and thrown away.
 */
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Json } from "../machines/letter.ts";
import { assert } from "./assert.ts";

/** How a host writes text. */
export interface Writing {
  readonly allocate: (length: number) => Uint8Array;
  /** Writes `text` at a place with room enough, and says how many bytes it took. */
  readonly write: (text: string, bytes: Uint8Array, at: number) => number;
}

/** For browsers, and what every other one is held against. */
export const portableWriting: Writing = {
  allocate: (length) => new Uint8Array(length),
  write: (text, bytes, at) => {
    const encoded = utf8ToBytes(text);
    bytes.set(encoded, at);
    return encoded.length;
  },
};

let host = portableWriting;

/** From here on the host's own way writes all text. */
export function writeWith(writing: Writing): void {
  const probe = "UTF-8 of é, 語, \u{1f600} and \ud800";
  const expected = utf8ToBytes(probe);
  const bytes = writing.allocate(expected.length);
  const isAlike = writing.write(probe, bytes, 0) === expected.length;
  assert(
    isAlike && expected.every((one, i) => one === bytes[i]),
    "the host's UTF-8 is another one",
  );
  host = writing;
}

/** A text that is written again and again. */
export const piece = (text: string): Uint8Array => utf8ToBytes(text);

/** More than a large world has actors; where there are more, all are made anew. */
const QUOTES_MAX = 20_000;
const QUOTED_CHARS_MAX = 100;
const quotes = new Map<string, Uint8Array>();

function quoteOf(text: string): Uint8Array {
  let quote = quotes.get(text);
  if (quote !== undefined) return quote;
  quote = piece(JSON.stringify(text));
  if (quotes.size >= QUOTES_MAX) quotes.clear();
  quotes.set(text, quote);
  return quote;
}

const BYTES_PER_CHAR_MAX = 3;
const ZERO = 48;
const POWERS = [10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

export class Utf8 {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = host.allocate(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** What was written so far, until more is. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  text(text: string): void {
    this.#makeRoom(text.length * BYTES_PER_CHAR_MAX);
    this.#length += host.write(text, this.#bytes, this.#length);
  }

  piece(piece: Uint8Array): void {
    const { length } = piece;
    this.#makeRoom(length);
    const bytes = this.#bytes;
    const at = this.#length;
    // Most are so short that a call would cost more.
    for (let i = 0; i < length; i++) bytes[at + i] = piece[i] as number;
    this.#length = at + length;
  }

  /** As JSON has it. For strings of which there are few: each is kept, unless it is long. */
  quoted(text: string): void {
    if (text.length > QUOTED_CHARS_MAX) this.text(JSON.stringify(text));
    else this.piece(quoteOf(text));
  }

  /** For values that are short strings, numbers or null, most of them. */
  json(value: Json): void {
    if (typeof value === "string") this.quoted(value);
    else if (typeof value === "number") this.number(value);
    else this.text(JSON.stringify(value));
  }

  /** As JSON has it. */
  number(value: number): void {
    let left = value >>> 0;
    if (left !== value) {
      this.text(JSON.stringify(value));
      return;
    }
    this.#makeRoom(POWERS.length + 1);
    let digits = 1;
    for (let i = 0; i < POWERS.length && left >= (POWERS[i] as number); i++) digits++;
    const bytes = this.#bytes;
    const end = this.#length + digits;
    for (let at = end - 1; at >= this.#length; at--) {
      const tenth = (left / 10) >>> 0;
      bytes[at] = ZERO + left - tenth * 10;
      left = tenth;
    }
    this.#length = end;
  }

  #makeRoom(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    const written = this.written();
    this.#bytes = host.allocate(2 * needed);
    this.#bytes.set(written);
  }
}
