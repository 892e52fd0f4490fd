/** The log as the page asks it: what stood when, what lies behind a delivery, and what came of it. From the columns alone. */
import { type Columns, FLAG, type ViewHead } from "./viewData.ts";

/** Steps of a chain that are drawn and listed; the rest is counted. */
export const STEPS_MOST = 50;

/** `cedar` for `agent/cedar` and `goal/cedar/7`; a restarted `#2` is the same actor. */
export function isOf(address: string, actor: string): boolean {
  if (address === actor) return true;
  const plain = address.replace(/#\d+$/, "");
  return plain === actor || plain.split("/").includes(actor);
}

/** Everything that goes back to one delivery. */
export interface Came {
  readonly count: number;
  readonly failures: number;
  /** Those that can be told, what went wrong first; at most so many as are listed. */
  readonly listed: readonly number[];
}

export class PageLog {
  readonly head: ViewHead;
  readonly columns: Columns;
  readonly count: number;

  constructor(head: ViewHead, columns: Columns) {
    this.head = head;
    this.columns = columns;
    this.count = head.count;
  }

  atMs = (place: number): number => this.columns.atMs[place] ?? 0;
  seq = (place: number): number => this.columns.seq[place] ?? 0;
  from = (place: number): string => this.head.addresses[this.columns.from[place] ?? 0] ?? "";
  to = (place: number): string => this.head.addresses[this.columns.to[place] ?? 0] ?? "";
  type = (place: number): string => this.head.types[this.columns.type[place] ?? 0] ?? "";
  has = (place: number, flag: number): boolean => ((this.columns.flags[place] ?? 0) & flag) !== 0;

  /** The last delivery at or before a moment; the first one where there is none. */
  placeAt(ms: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.atMs(middle) <= ms) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** Numbers grow through most logs, and a forged one may have any. */
  placeOfSeq(seq: number): number | undefined {
    const place = this.columns.seq.indexOf(seq);
    return place < 0 ? undefined : place;
  }

  /** What comes behind a delivery in its chain of causes, from near to far. */
  chain(place: number): { readonly places: readonly number[]; readonly more: number } {
    const { next, cause } = this.columns;
    const steps = this.head.hasChains ? next : cause;
    const places: number[] = [];
    let more = 0;
    for (let at = steps[place] ?? -1; at >= 0; at = steps[at] ?? -1) {
      if (places.length < STEPS_MOST) places.push(at);
      else more += 1;
    }
    return { places, more };
  }

  /** What triggered it, and the facts that it rests on. */
  facts(place: number): readonly number[] {
    const { cause, because, becauseStart } = this.columns;
    const own = because.subarray(becauseStart[place] ?? 0, becauseStart[place + 1] ?? 0);
    const by = cause[place] ?? -1;
    return [...new Set([...(by < 0 ? [] : [by]), ...own])];
  }

  /** A chain leads back in time, so one look at each delivery suffices. */
  came(place: number): Came {
    const { next, cause, flags } = this.columns;
    const steps = this.head.hasChains ? next : cause;
    const is = new Uint8Array(this.count);
    is[place] = 1;
    let [count, failures] = [0, 0];
    const ranks: number[][] = [[], [], []];
    for (let at = place + 1; at < this.count; at++) {
      const behind = steps[at] ?? -1;
      if (behind < 0 || is[behind] === 0) continue;
      is[at] = 1;
      const flag = flags[at] ?? 0;
      // Plumbing leads on, and nobody counts it.
      if ((flag & FLAG.told) === 0) continue;
      count += 1;
      if ((flag & FLAG.failure) !== 0) failures += 1;
      const rank = ranks[(flag & FLAG.failure) !== 0 ? 0 : (flag & FLAG.wrong) !== 0 ? 1 : 2];
      if (rank !== undefined && rank.length < STEPS_MOST) rank.push(at);
    }
    return { count, failures, listed: ranks.flat().slice(0, STEPS_MOST) };
  }

  /** The next place in a direction that fits; the same one where none does. */
  step(place: number, by: 1 | -1, fits: (place: number) => boolean): number {
    for (let at = place + by; at >= 0 && at < this.count; at += by) if (fits(at)) return at;
    return place;
  }

  /** The last delivery to an actor at or before a place. */
  lastTo(actor: string, place: number): number | undefined {
    const numbers = this.#numbersOf(actor, true);
    for (let at = place; at >= 0; at--) if (numbers.has(this.columns.to[at] ?? -1)) return at;
    return undefined;
  }

  /** What an actor ran as at a place; undefined where nobody saw it start. */
  machineOf(actor: string, place: number): string | undefined {
    const address = this.head.addresses.indexOf(actor);
    return this.head.starts.findLast(([one, at]) => one === address && at <= place)?.[2];
  }

  /** The last question to a model at or before a place; of an actor where one is named. */
  lastAsked(actor: string | null, place: number): number | undefined {
    const numbers = actor === null ? null : this.#numbersOf(actor, false);
    for (let at = place; at >= 0; at--) {
      if (!this.has(at, FLAG.asked)) continue;
      if (numbers === null || numbers.has(this.columns.from[at] ?? -1)) return at;
    }
    return undefined;
  }

  /** Of a click on a picture: what most deserves a look at that instant, of that actor. */
  tellingAt(ms: number, actor: string): number {
    const last = this.placeAt(ms);
    let [best, most] = [last, -1];
    for (let at = last; at >= 0 && this.atMs(at) === this.atMs(last); at--) {
      const flag = this.columns.flags[at] ?? 0;
      const isHis = isOf(this.to(at), actor) || isOf(this.from(at), actor);
      const rank =
        (isHis ? 8 : 0) +
        ((flag & FLAG.failure) !== 0 ? 4 : 0) +
        ((flag & FLAG.wrong) !== 0 ? 2 : 0) +
        ((flag & FLAG.told) !== 0 ? 1 : 0);
      if (rank > most) [best, most] = [at, rank];
    }
    return best;
  }

  /** The last delivery up to a moment that can be told. */
  toldAt(ms: number): number {
    const last = this.placeAt(ms);
    const isTold = (at: number): boolean => this.has(at, FLAG.told);
    return isTold(last) ? last : this.step(last, -1, isTold);
  }

  /** Whose row a delivery stands on: the receiver's, else the sender's; null where neither has one. */
  actorAt(place: number): string | null {
    const labels = this.head.pictures.flatMap(({ lanes }) =>
      lanes.flatMap((lane) => (lane.is === "row" ? [lane.label] : [])),
    );
    const of = (address: string): string | undefined => labels.find((one) => isOf(address, one));
    return of(this.to(place)) ?? of(this.from(place)) ?? null;
  }

  readonly #known = new Map<string, ReadonlySet<number>>();

  /** An exact address, or whoever bears the name. */
  #numbersOf(actor: string, isExact: boolean): ReadonlySet<number> {
    const key = `${isExact} ${actor}`;
    let found = this.#known.get(key);
    if (found === undefined) {
      const fits = (one: string): boolean => (isExact ? one === actor : isOf(one, actor));
      found = new Set(this.head.addresses.flatMap((one, at) => (fits(one) ? [at] : [])));
      this.#known.set(key, found);
    }
    return found;
  }
}
