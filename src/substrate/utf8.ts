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
/** Of a number below 2^32. */
const DIGITS_MAX = 10;
const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;
const TILDE = 126;

/** The three digits of each number below a thousand. */
const DIGITS = piece(
  Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, "0")).join(""),
);

export const NOTHING = piece("");
const OPEN = piece("{");
const CLOSE = piece("}");
const COMMA = piece(",");

/** More than there are fields of events; where there are more, all are made anew. */
const KEYS_MAX = 5_000;
/** Each field's name in quotes, and a colon. */
const keys = new Map<string, Uint8Array>();

function keyOf(name: string): Uint8Array {
  let key = keys.get(name);
  if (key !== undefined) return key;
  key = piece(`${JSON.stringify(name)}:`);
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(name, key);
  return key;
}

/** All that is written takes what comes before it along: two calls would cost twice as much. */
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

  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  piece(piece: Uint8Array): void {
    if (this.#length + piece.length > this.#bytes.length) this.#grow(piece.length);
    const bytes = this.#bytes;
    let at = this.#length;
    // Most are so short that a call of `set` would cost more.
    for (let i = 0, { length } = piece; i < length; i++) bytes[at++] = piece[i] as number;
    this.#length = at;
  }

  /** As JSON has it. */
  quoted(text: string, before: Uint8Array = NOTHING): void {
    if (this.#short(text, before)) return;
    this.piece(before);
    this.text(JSON.stringify(text));
  }

  /** As JSON has it. */
  json(value: Json, before: Uint8Array = NOTHING): void {
    if (typeof value === "string") this.quoted(value, before);
    else if (typeof value === "number") this.number(value, before);
    else {
      this.piece(before);
      if (!this.#flat(value)) this.text(JSON.stringify(value));
    }
  }

  /** As JSON has it. */
  number(value: number, before: Uint8Array = NOTHING): void {
    const whole = value >>> 0;
    if (whole !== value) {
      this.piece(before);
      this.text(JSON.stringify(value));
      return;
    }
    const most = before.length + DIGITS_MAX;
    if (this.#length + most > this.#bytes.length) this.#grow(most);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0, { length } = before; i < length; i++) bytes[at++] = before[i] as number;
    this.#length = putNumber(bytes, at, whole);
  }

  /** Writes a short text in plain ASCII; false, with nothing written, for any other. */
  #short(text: string, before: Uint8Array): boolean {
    const { length } = text;
    if (length > SHORT_CHARS) return false;
    const most = before.length + length + 2;
    if (this.#length + most > this.#bytes.length) this.#grow(most);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0, { length } = before; i < length; i++) bytes[at++] = before[i] as number;
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

  /** Writes a map of numbers and short texts under short names, as most events are; false, with nothing written, for any other value. */
  #flat(value: Json): boolean {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
    const start = this.#length;
    const map = value as { readonly [name: string]: Json };
    let between = OPEN;
    for (const name in map) {
      this.piece(between);
      between = COMMA;
      const isShort = name.length <= SHORT_CHARS && this.#member(map[name], keyOf(name));
      if (isShort) continue;
      this.#length = start;
      return false;
    }
    if (between === OPEN) this.piece(OPEN);
    this.piece(CLOSE);
    return true;
  }

  #member(value: Json | undefined, key: Uint8Array): boolean {
    if (typeof value === "string") return this.#short(value, key);
    if (typeof value !== "number") return false;
    this.number(value, key);
    return true;
  }

  #grow(length: number): void {
    const written = this.written();
    this.#bytes = host.allocate(2 * (this.#length + length));
    this.#bytes.set(written);
  }
}

/** Its first three digits, as many as there are of them. */
function putLeading(bytes: Uint8Array, at: number, below1000: number): number {
  if (below1000 >= 100) return putThree(bytes, at, below1000);
  let end = at;
  if (below1000 >= 10) bytes[end++] = DIGITS[3 * below1000 + 1] as number;
  bytes[end++] = DIGITS[3 * below1000 + 2] as number;
  return end;
}

function putThree(bytes: Uint8Array, at: number, below1000: number): number {
  const from = 3 * below1000;
  bytes[at] = DIGITS[from] as number;
  bytes[at + 1] = DIGITS[from + 1] as number;
  bytes[at + 2] = DIGITS[from + 2] as number;
  return at + 3;
}

/** Three digits at a time. */
function putNumber(bytes: Uint8Array, at: number, whole: number): number {
  if (whole < 1e3) return putLeading(bytes, at, whole);
  const thousands = (whole / 1e3) >>> 0;
  const ones = whole - thousands * 1e3;
  if (whole < 1e6) return putThree(bytes, putLeading(bytes, at, thousands), ones);
  const millions = (whole / 1e6) >>> 0;
  const billions = (whole / 1e9) >>> 0;
  let end = at;
  if (billions === 0) end = putLeading(bytes, end, millions);
  else end = putThree(bytes, putLeading(bytes, end, billions), millions - billions * 1e3);
  return putThree(bytes, putThree(bytes, end, thousands - millions * 1e3), ones);
}
