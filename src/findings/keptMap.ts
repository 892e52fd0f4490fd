/** A map that forgets what was set first once it is full. */
import { KEPT_MAX } from "./thresholds.ts";

export class KeptMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #max: number;

  constructor(max: number = KEPT_MAX) {
    this.#max = max;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Answers the entry that was forgotten for it. */
  set(key: K, value: V): readonly [K, V] | undefined {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#max) return undefined;
    const [oldest] = this.#entries;
    if (oldest !== undefined) this.#entries.delete(oldest[0]);
    return oldest;
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  get size(): number {
    return this.#entries.size;
  }

  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  keys(): IterableIterator<K> {
    return this.#entries.keys();
  }
}
