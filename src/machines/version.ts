/**
 * One of many versions of something large; nothing ever changes it, though all of them share one store, so that a
 * change costs the same however much lies there. The newest version holds the store, and each older one knows what
 * to put back (H. G. Baker, "Shallow binding makes functional arrays fast", 1991). A run only ever looks at the newest.
 */
export abstract class Version<Store, Change> {
  #store: Store | undefined;
  /** Of an older version: the next one, and what puts the store back. */
  #next: this | undefined;
  #back: Change | undefined;

  protected constructor(store: Store) {
    this.#store = store;
  }

  /** Makes the change in the store, and gives the one that takes it back. */
  protected abstract changed(store: Store, change: Change): Change;

  /** The store as it is in this version: what was changed since then is put back first. */
  protected own(): Store {
    if (this.#store !== undefined) return this.#store;
    const older: this[] = [];
    let newest = this;
    while (newest.#next !== undefined) {
      older.push(newest);
      newest = newest.#next;
    }
    const store = newest.#store as Store; // The version without a next one holds it.
    for (const version of older.reverse()) {
      const next = version.#next as this; // Those in the list have both.
      next.follow(version, this.changed(store, version.#back as Change));
      version.#store = store;
      version.#next = undefined;
      version.#back = undefined;
    }
    return store;
  }

  /** Makes this an older version: `next` holds the store now. */
  protected follow(next: this, back: Change): void {
    this.#store = undefined;
    this.#next = next;
    this.#back = back;
  }

  /** The version after this one, with what makes this one of it; undefined for the newest. */
  protected later(): Later<this, Change> | undefined {
    const next = this.#next;
    return next === undefined ? undefined : { next, back: this.#back as Change }; // As above.
  }
}

interface Later<Next, Change> {
  readonly next: Next;
  readonly back: Change;
}
