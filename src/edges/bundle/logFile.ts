/** An event log that stays in its file: what is in memory of each delivery is where it lies, its number and its type. */
import type { Delivery } from "../../substrate/envelope.ts";
import type { Log } from "../../substrate/log.ts";
import { NumberList } from "../../substrate/numberList.ts";
import type { LineFile } from "./lineFile.ts";

/** Which delivery of a log has which number and which type. */
export class LogIndex {
  readonly #seqs = new NumberList();
  readonly #types = new NumberList();
  readonly #names = new Map<string, number>();
  #places: ReadonlyMap<number, number> | Int32Array | undefined;

  get length(): number {
    return this.#seqs.length;
  }

  add({ seq, event: { type } }: Pick<Delivery, "seq" | "event">): void {
    let name = this.#names.get(type);
    if (name === undefined) {
      name = this.#names.size;
      this.#names.set(type, name);
    }
    this.#seqs.push(seq);
    this.#types.push(name);
    this.#places = undefined;
  }

  placeOf(seq: number): number | undefined {
    this.#places ??= this.#placed();
    if (this.#places instanceof Map) return this.#places.get(seq);
    const place = (this.#places as Int32Array)[seq] ?? -1;
    return place < 0 ? undefined : place;
  }

  *placesOf(types: readonly string[]): Generator<number, undefined> {
    const wanted = new Set(types.flatMap((type) => this.#names.get(type) ?? []));
    if (wanted.size === 0) return;
    for (let place = 0; place < this.length; place++) {
      if (wanted.has(this.#types.at(place))) yield place;
    }
  }

  /** Numbers are given in turn, so an array has few holes; in a forged log they may be any. */
  #placed(): ReadonlyMap<number, number> | Int32Array {
    let most = 0;
    for (let place = 0; place < this.length; place++) most = Math.max(most, this.#seqs.at(place));
    if (most > 8 * this.length + 1_000) {
      const map = new Map<number, number>();
      for (let place = 0; place < this.length; place++) map.set(this.#seqs.at(place), place);
      return map;
    }
    const places = new Int32Array(most + 1).fill(-1);
    for (let place = 0; place < this.length; place++) places[this.#seqs.at(place)] = place;
    return places;
  }
}

/** Ours: deliveries that stay as they were read last. What is asked of one is mostly what came shortly before it. */
const KEPT = 2_048;
const KEPT_CHARS_MOST = 16_000;

export class LogFile implements Log {
  readonly #lines: LineFile;
  readonly #index: LogIndex;
  readonly #kept: ({ readonly place: number; readonly one: Delivery } | undefined)[] = [];
  /** The last one that is too long to be kept among these: most that is asked of it is asked at once. */
  #long: { readonly place: number; readonly one?: Delivery } = { place: -1 };

  /** Every line is a delivery, and the index is of these. */
  constructor(lines: LineFile, index: LogIndex) {
    this.#lines = lines;
    this.#index = index;
  }

  get length(): number {
    return this.#lines.length;
  }

  at(place: number): Delivery | undefined {
    const at = place < 0 ? this.length + place : place;
    const kept = this.#long.place === at ? this.#long : this.#kept[at % KEPT];
    if (kept?.place === at) return kept.one;
    const line = this.#lines.at(at);
    if (line === undefined) return undefined;
    const one = deliveryIn(line);
    if (line.length <= KEPT_CHARS_MOST) this.#kept[at % KEPT] = { place: at, one };
    else this.#long = { place: at, one };
    return one;
  }

  *[Symbol.iterator](): Generator<Delivery, undefined> {
    for (let place = 0; place < this.length; place++) yield this.at(place) as Delivery; // It is there.
  }

  bySeq(seq: number): Delivery | undefined {
    const place = this.#index.placeOf(seq);
    return place === undefined ? undefined : this.at(place);
  }

  placeOf(seq: number): number | undefined {
    return this.#index.placeOf(seq);
  }

  *ofTypes(types: readonly string[]): Generator<Delivery, undefined> {
    for (const place of this.#index.placesOf(types)) yield this.at(place) as Delivery; // As above.
  }

  find(is: (one: Delivery) => unknown): Delivery | undefined {
    for (const one of this) if (is(one)) return one;
    return undefined;
  }

  findLast(is: (one: Delivery) => unknown): Delivery | undefined {
    for (const line of this.#lines.backwards()) {
      const one = deliveryIn(line);
      if (is(one)) return one;
    }
    return undefined;
  }

  some(is: (one: Delivery) => unknown): boolean {
    for (const one of this) if (is(one)) return true;
    return false;
  }

  every(is: (one: Delivery) => unknown): boolean {
    return !this.some((one) => !is(one));
  }

  filter<S extends Delivery>(is: (one: Delivery) => one is S): S[];
  filter(is: (one: Delivery) => unknown): Delivery[];
  filter(is: (one: Delivery) => unknown): Delivery[] {
    return this.flatMap((one) => (is(one) ? [one] : []));
  }

  map<T>(made: (one: Delivery) => T): T[] {
    const all: T[] = [];
    for (const one of this) all.push(made(one));
    return all;
  }

  flatMap<T>(made: (one: Delivery) => T | readonly T[]): T[] {
    const all: T[] = [];
    for (const one of this) {
      const some = made(one);
      if (Array.isArray(some)) all.push(...(some as readonly T[]));
      else all.push(some as T); // What is no list is one of them.
    }
    return all;
  }
}

const deliveryIn = (line: string): Delivery => JSON.parse(line) as Delivery; // Each line is one.
