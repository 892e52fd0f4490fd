/** Digests of messages, by which those that a conversation repeats are known again: made once of each, since they are long. */
import { createHash } from "node:crypto";
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";

const known = new WeakMap<object, string>();

/** Sixteen letters of a byte each: there are many of them. */
export const digestOf = (text: string): string =>
  createHash("sha256").update(text).digest().toString("latin1", 0, 16);

export function messageDigest(message: Json): string {
  if (!isMap(message)) return digestOf(JSON.stringify(message));
  const found = known.get(message) ?? digestOf(JSON.stringify(message));
  known.set(message, found);
  return found;
}

/** Ours: so many messages are remembered, those used last. */
const REMEMBERED_MAX = 20_000;

/** What is remembered of messages, by digest or number. */
export class Remembered<K, T> {
  readonly #all = new Map<K, T>();
  readonly #most: number;

  constructor(most = REMEMBERED_MAX) {
    this.#most = most;
  }

  /** As long as it is remembered. */
  get = (key: K): T | undefined => this.#all.get(key);

  /** It was used last from now on. */
  take(key: K): T | undefined {
    const found = this.#all.get(key);
    if (found !== undefined) this.keep(key, found);
    return found;
  }

  keep(key: K, value: T): void {
    this.#all.delete(key);
    this.#all.set(key, value);
  }

  /** After each line, of whoever writes and of whoever reads: so both remember the same. */
  forget(): void {
    for (const key of this.#all.keys()) {
      if (this.#all.size <= this.#most) return;
      this.#all.delete(key);
    }
  }

  delete = (key: K): boolean => this.#all.delete(key);
}
