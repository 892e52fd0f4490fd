/**
 * Which record was the first to hold a value. Texts are not kept: of each value two hashes, its record, of what kind that
 * was, and how many results have held it since.
 */
import { bounds } from "./bounds.ts";

/** Who held a value first: a result, a person, or whoever is no source of it, such as the agent itself. */
export type Holder = "result" | "person" | "other";

const HOLDERS: readonly Holder[] = ["result", "person", "other"];

export interface FirstHeld {
  readonly seq: number;
  readonly holder: Holder;
  /** Results that held it, the first among them. */
  readonly results: number;
}

const RESULTS_MOST = 63;
const FULL = 0.7;

/** Of one size; open addressing, so that a million values take megabytes and no object each. */
class Table {
  readonly room: number;
  count = 0;
  readonly #one: Uint32Array;
  readonly #two: Uint32Array;
  /** From 1: 0 is an empty place. */
  readonly #seq: Float64Array;
  /** The holder in the two lowest bits, above it the results. */
  readonly #what: Uint8Array;

  constructor(room: number) {
    this.room = room;
    this.#one = new Uint32Array(room);
    this.#two = new Uint32Array(room);
    this.#seq = new Float64Array(room);
    this.#what = new Uint8Array(room);
  }

  place(one: number, two: number): number {
    let place = one & (this.room - 1);
    while (this.#seq[place] !== 0 && (this.#one[place] !== one || this.#two[place] !== two)) {
      place = (place + 1) & (this.room - 1);
    }
    return place;
  }

  isFree = (place: number): boolean => this.#seq[place] === 0;

  set(place: number, [one, two]: readonly [number, number], seq: number, what: number): void {
    if (this.isFree(place)) this.count += 1;
    this.#one[place] = one;
    this.#two[place] = two;
    this.#seq[place] = seq + 1;
    this.#what[place] = what;
  }

  seq = (place: number): number => (this.#seq[place] as number) - 1;
  what = (place: number): number => this.#what[place] as number;

  into(other: Table): void {
    for (let place = 0; place < this.room; place++) {
      if (this.isFree(place)) continue;
      const hashes = [this.#one[place] as number, this.#two[place] as number] as const;
      other.set(other.place(...hashes), hashes, this.seq(place), this.what(place));
    }
  }
}

export class ValueIndex {
  /** Values that were let go of. */
  forgotten = 0;
  readonly #most: number;
  #now = new Table(256);
  /** What was noted before; what is asked for again comes back from there. */
  #before: Table | undefined;

  /** So many values twice, rounded up to a power of two. */
  constructor(most: number = bounds.values) {
    this.#most = most;
  }

  /** The first one that held it stays. */
  note(value: string, seq: number, holder: Holder): void {
    const hashes = hashesOf(value);
    const place = this.#found(hashes);
    if (this.#now.isFree(place)) {
      this.#keep(hashes, seq, HOLDERS.indexOf(holder) | (holder === "result" ? 4 : 0));
      return;
    }
    if (holder !== "result") return;
    const what = this.#now.what(place);
    if (what >> 2 < RESULTS_MOST) this.#now.set(place, hashes, this.#now.seq(place), what + 4);
  }

  first(value: string): FirstHeld | undefined {
    const place = this.#found(hashesOf(value));
    if (this.#now.isFree(place)) return undefined;
    const what = this.#now.what(place);
    const holder = HOLDERS[what & 3] ?? "other";
    return { seq: this.#now.seq(place), holder, results: what >> 2 };
  }

  #found(hashes: readonly [number, number]): number {
    const place = this.#now.place(...hashes);
    const before = this.#before;
    if (!this.#now.isFree(place) || before === undefined) return place;
    const old = before.place(...hashes);
    if (before.isFree(old)) return place;
    return this.#keep(hashes, before.seq(old), before.what(old));
  }

  /** Where it is from now on. Room is made first, or it might be let go of at once. */
  #keep(hashes: readonly [number, number], seq: number, what: number): number {
    this.#makeRoom();
    const place = this.#now.place(...hashes);
    this.#now.set(place, hashes, seq, what);
    return place;
  }

  #makeRoom(): void {
    const { count, room } = this.#now;
    if (count < room * FULL) return;
    if (room < this.#most) {
      const larger = new Table(room * 2);
      this.#now.into(larger);
      this.#now = larger;
      return;
    }
    // Those that came back since are counted, too: at most so many.
    this.forgotten += this.#before?.count ?? 0;
    this.#before = this.#now;
    this.#now = new Table(room);
  }
}

/** FNV-1a from two beginnings: 64 bits in all, so that a million values meet by chance once in ten million logs. */
function hashesOf(text: string): readonly [number, number] {
  let one = 0x811c9dc5;
  let two = 0x050c5d1f;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ ((unit << 8) | (unit >>> 8) | 0x5a), 0x01000193) ^ (two >>> 15);
  }
  return [one >>> 0, two >>> 0];
}
