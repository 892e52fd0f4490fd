/** A map that lets go of what was set first once it holds too much. */
export class BoundedMap<K, V> {
  /** Entries that were let go of. */
  forgotten = 0;
  readonly #most: number;
  readonly #entries = new Map<K, V>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** The newest, also where the key is there already. */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#most) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      this.forgotten += 1;
      return;
    }
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}
