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

const BYTES_PER_CHAR_MAX = 3;
/** Longer ones the host writes in less time. */
const SHORT_CHARS = 64;
const ZERO = 48;
const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;
const TILDE = 126;
const POWERS = [10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const DIGITS_MAX = POWERS.length + 1;

const OPEN = piece("{");
const CLOSE = piece("}");
const COMMA = piece(",");
const COLON = piece(":");

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

  /** Likewise, from one place to before another. */
  part(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(from, to);
  }

  clear(): void {
    this.#length = 0;
  }

  text(text: string): void {
    const most = text.length * BYTES_PER_CHAR_MAX;
    if (this.#length + most > this.#bytes.length) this.#grow(most);
    this.#length += host.write(text, this.#bytes, this.#length);
  }

  piece(piece: Uint8Array): void {
    const { length } = piece;
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    const bytes = this.#bytes;
    const at = this.#length;
    // Most are so short that a call would cost more.
    for (let i = 0; i < length; i++) bytes[at + i] = piece[i] as number;
    this.#length = at + length;
  }

  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** As JSON has it. */
  quoted(text: string): void {
    if (!this.#short(text)) this.text(JSON.stringify(text));
  }

  /** As JSON has it. */
  json(value: Json): void {
    if (typeof value === "string") this.quoted(value);
    else if (typeof value === "number") this.number(value);
    else if (!this.#flat(value)) this.text(JSON.stringify(value));
  }

  /** Writes a short text in plain ASCII; false, with nothing written, for any other. */
  #short(text: string): boolean {
    const { length } = text;
    if (length > SHORT_CHARS) return false;
    if (this.#length + length + 2 > this.#bytes.length) this.#grow(length + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = QUOTE;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < SPACE || unit > TILDE || unit === QUOTE || unit === BACKSLASH) return false;
      bytes[at++] = unit;
    }
    bytes[at++] = QUOTE;
    this.#length = at;
    return true;
  }

  /** Writes a map of a few numbers and short texts, as most events are; false, with nothing written, for any other value. */
  #flat(value: Json): boolean {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
    const start = this.#length;
    this.piece(OPEN);
    let isFirst = true;
    for (const key in value) {
      const member = (value as { readonly [key: string]: Json })[key];
      if (!isFirst) this.piece(COMMA);
      isFirst = false;
      const isWritten = this.#short(key) && this.#member(member);
      if (isWritten) continue;
      this.#length = start;
      return false;
    }
    this.piece(CLOSE);
    return true;
  }

  #member(value: Json | undefined): boolean {
    this.piece(COLON);
    if (typeof value === "string") return this.#short(value);
    if (typeof value !== "number") return false;
    this.number(value);
    return true;
  }

  /** As JSON has it. */
  number(value: number): void {
    let left = value >>> 0;
    if (left !== value) {
      this.text(JSON.stringify(value));
      return;
    }
    if (this.#length + DIGITS_MAX > this.#bytes.length) this.#grow(DIGITS_MAX);
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

  #grow(length: number): void {
    const written = this.written();
    this.#bytes = host.allocate(2 * (this.#length + length));
    this.#bytes.set(written);
  }
}
