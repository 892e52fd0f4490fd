import { Version } from "./version.ts";

/** A map at one moment of a run, to which entries come and in which they change, and which none leaves. */
export class Entries<T> extends Version<Store<T>, Change<T>> {
  static of<T>(plain: { readonly [key: string]: T }): Entries<T> {
    const store: Store<T> = new Map();
    for (const [key, value] of Object.entries(plain)) store.set(key, { nth: store.size, value });
    return new Entries(store);
  }

  get size(): number {
    return this.own().size;
  }

  get(key: string): T | undefined {
    return this.own().get(key)?.value;
  }

  with(key: string, value: T): Entries<T> {
    const store = this.own();
    const nth = store.get(key)?.nth ?? store.size;
    const back = this.changed(store, { key, placed: { nth, value } });
    const after = new Entries(store);
    this.follow(after as this, back); // There is no class below this one.
    return after;
  }

  entries(): readonly (readonly [key: string, value: T])[] {
    return [...this.own()].map(([key, { value }]) => [key, value]);
  }

  /** As plain data, in the order in which they came. */
  plain(): { readonly [key: string]: T } {
    return Object.fromEntries(this.entries());
  }

  /** Of this version and a later one that came of it, as plain data, what is not the same in both. */
  until(later: Entries<T>): readonly [object, object] {
    const now = later.own();
    const olds = new Map<string, Placed<T> | undefined>();
    for (let at = this.later(); at !== undefined; at = at.next.later()) {
      const { key, placed: old } = at.back;
      if (!olds.has(key)) olds.set(key, old);
    }
    return [
      placed([...olds]),
      placed([...olds.keys()].map((key): [string, Placed<T> | undefined] => [key, now.get(key)])),
    ];
  }

  protected changed(store: Store<T>, { key, placed: value }: Change<T>): Change<T> {
    const before = store.get(key);
    if (value === undefined) store.delete(key);
    else store.set(key, value);
    return { key, placed: before };
  }
}

/** A value, and where it stands in the order in which entries came. */
interface Placed<T> {
  readonly nth: number;
  readonly value: T;
}

/** What lies at a key from now on; nothing when undefined. */
interface Change<T> {
  readonly key: string;
  readonly placed: Placed<T> | undefined;
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
