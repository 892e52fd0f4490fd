/**
 * A map at one moment of a run, to which entries come and in which they change, and which none leaves; nothing
 * ever changes it, though versions share one store, so that a change costs the same however much lies in it.
 * The newest version holds the store, and each older one knows what to put back, as with files: see
 * fileVersions.ts. A run only ever looks at the newest.
 */
export class Entries<T> {
  #store: Store<T> | undefined;
  /** Of an older version: the next one, the key that it changed, and what lay there before. */
  #next: Entries<T> | undefined;
  #key = "";
  #before: Placed<T> | undefined;

  private constructor(store: Store<T>) {
    this.#store = store;
  }

  static of<T>(plain: { readonly [key: string]: T }): Entries<T> {
    const store: Store<T> = new Map();
    for (const [key, value] of Object.entries(plain)) store.set(key, { nth: store.size, value });
    return new Entries(store);
  }

  get size(): number {
    return this.#own().size;
  }

  get(key: string): T | undefined {
    return this.#own().get(key)?.value;
  }

  with(key: string, value: T): Entries<T> {
    const store = this.#own();
    const before = store.get(key);
    store.set(key, { nth: before?.nth ?? store.size, value });
    const after = new Entries(store);
    this.#follow(after, key, before);
    return after;
  }

  entries(): readonly (readonly [key: string, value: T])[] {
    return [...this.#own()].map(([key, { value }]) => [key, value]);
  }

  /** As plain data, in the order in which they came. */
  plain(): { readonly [key: string]: T } {
    return Object.fromEntries(this.entries());
  }

  /** Of this version and a later one that came of it, as plain data, what is not the same in both. */
  until(later: Entries<T>): readonly [object, object] {
    const now = later.#own();
    const olds = new Map<string, Placed<T> | undefined>();
    for (let one: Entries<T> = this; one.#next !== undefined; one = one.#next) {
      if (!olds.has(one.#key)) olds.set(one.#key, one.#before);
    }
    return [
      placed([...olds]),
      placed([...olds.keys()].map((key): [string, Placed<T> | undefined] => [key, now.get(key)])),
    ];
  }

  /** The store as it is in this version: what was changed since then is put back first. */
  #own(): Store<T> {
    if (this.#store !== undefined) return this.#store;
    const later: Entries<T>[] = [];
    let newest: Entries<T> = this;
    while (newest.#next !== undefined) {
      later.push(newest);
      newest = newest.#next;
    }
    const store = newest.#store as Store<T>; // The version without a next one holds it.
    for (const version of later.reverse()) {
      const key = version.#key;
      const next = version.#next as Entries<T>; // Whatever is in the list has one.
      next.#follow(version, key, store.get(key));
      if (version.#before === undefined) store.delete(key);
      else store.set(key, version.#before);
      version.#store = store;
      version.#next = undefined;
      version.#before = undefined;
    }
    return store;
  }

  #follow(next: Entries<T>, key: string, before: Placed<T> | undefined): void {
    this.#store = undefined;
    this.#next = next;
    this.#key = key;
    this.#before = before;
  }
}

/** A value, and where it stands in the order in which entries came. */
interface Placed<T> {
  readonly nth: number;
  readonly value: T;
}

type Store<T> = Map<string, Placed<T>>;

const placed = <T>(all: readonly (readonly [string, Placed<T> | undefined])[]): object =>
  Object.fromEntries(
    all
      .flatMap(([key, one]) => (one === undefined ? [] : [[key, one] as const]))
      .sort(([, one], [, other]) => one.nth - other.nth)
      .map(([key, { value }]) => [key, value]),
  );

/** A record as plain data: each map in it as it stands. */
export const plainOf = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      value instanceof Entries ? value.plain() : value,
    ]),
  );

/** Of a record and a later one that came of it, as plain data, what is not the same in both. */
export function apartIn<T extends object>(before: T, after: T): readonly [object, object] {
  const keys = (Object.keys(after) as (keyof T)[]).filter((key) => before[key] !== after[key]);
  const pairs = keys.map((key) => {
    const [old, now]: readonly unknown[] = [before[key], after[key]];
    return old instanceof Entries && now instanceof Entries ? old.until(now) : [old, now];
  });
  return [
    Object.fromEntries(keys.map((key, index) => [key, pairs[index]?.[0]])),
    Object.fromEntries(keys.map((key, index) => [key, pairs[index]?.[1]])),
  ];
}
