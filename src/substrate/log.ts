/** An event log as its readers use it, wherever it lies: a list in memory, or a file of which little is read at a time. */
import type { EventType } from "../machines/letter.ts";
import type { Delivery, SeenDelivery } from "./envelope.ts";
import type { DeliveryOf } from "./isEvent.ts";

/** The lines of a text, by their place from 0. */
export interface Lines {
  readonly length: number;
  at(place: number): string | undefined;
}

/**
 * Deliveries in their order: what a list of them can do, as far as it asks for no list of all of them. Each
 * look may read a delivery anew, so no two need be the same object.
 */
export interface Log<D extends SeenDelivery = Delivery> extends Iterable<D> {
  readonly length: number;
  /** Negative places count from the end. */
  at(place: number): D | undefined;
  find(is: (one: D) => unknown): D | undefined;
  findLast(is: (one: D) => unknown): D | undefined;
  some(is: (one: D) => unknown): boolean;
  every(is: (one: D) => unknown): boolean;
  filter<S extends D>(is: (one: D) => one is S): S[];
  filter(is: (one: D) => unknown): D[];
  map<T>(made: (one: D) => T): T[];
  flatMap<T>(made: (one: D) => T | readonly T[]): T[];
  /** The delivery with this number, where there is a quicker way than to look at each. */
  bySeq?(seq: number): D | undefined;
  /** The place of the delivery with this number, likewise. */
  placeOf?(seq: number): number | undefined;
  /** Those of these types in their order, likewise. */
  ofTypes?(types: readonly string[]): Iterable<D>;
}

/** Finds deliveries by their numbers. */
export function finderIn<D extends SeenDelivery>(log: Log<D>): (seq: number) => D | undefined {
  if (log.bySeq !== undefined) return (seq) => log.bySeq?.(seq);
  let index: ReadonlyMap<number, D> | undefined;
  return (seq) => {
    index ??= new Map(log.map((one) => [one.seq, one] as const));
    return index.get(seq);
  };
}

/** Finds the places of deliveries by their numbers; of a number that a forged log has twice, the last. */
export function placesIn(log: Log): (seq: number) => number | undefined {
  if (log.placeOf !== undefined) return (seq) => log.placeOf?.(seq);
  const index = new Map<number, number>();
  for (const { seq } of log) index.set(seq, index.size);
  return (seq) => index.get(seq);
}

/** Those deliveries that carry an event of one of these types, in their order. */
export function* ofTypes<K extends EventType, D extends SeenDelivery>(
  log: Log<D>,
  ...types: readonly K[]
): Generator<DeliveryOf<K, D>, undefined> {
  const wanted: readonly string[] = types;
  for (const one of log.ofTypes?.(types) ?? log) {
    if (wanted.includes(one.event.type)) yield one as DeliveryOf<K, D>; // By its type.
  }
}
