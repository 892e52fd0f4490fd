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

/** What is remembered of messages. */
export class Remembered<T> {
  readonly #all = new Map<string, T>();

  /** It was used last from now on. */
  take(key: string): T | undefined {
    const found = this.#all.get(key);
    if (found !== undefined) this.keep(key, found);
    return found;
  }

  keep(key: string, value: T): void {
    this.#all.delete(key);
    this.#all.set(key, value);
    if (this.#all.size <= REMEMBERED_MAX) return;
    const [oldest] = this.#all.keys();
    if (oldest !== undefined) this.#all.delete(oldest);
  }
}
