/**
 * The book of a part: what a log says of its world so far, as facts. Reports, pictures and figures read the facts, and
 * follow no events themselves. The facts are strict JSON, so that they can be saved with a checkpoint and gone on with.
 */
import type { EventType } from "../machines/letter.ts";
import { onceFor } from "../machines/onceFor.ts";
import type { SeenDelivery } from "../substrate/envelope.ts";
import type { Sections } from "./scenario.ts";

/** The facts of all books. Each part adds its own by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface Books {}

/** Something that mattered to the whole world. */
export interface Moment {
  readonly atMs: number;
  readonly kind: string;
  readonly label: string;
  /** The agent it concerns; absent when it concerns all. */
  readonly who?: string;
}

/** The facts of all books of one run, and its moments in the order of the log. */
export interface Story extends Books {
  readonly moments: readonly Moment[];
}

/** What a book holds: what it tells, and whatever else it needs to go on. */
export interface Facts {
  readonly told: Partial<Books>;
}

/** How a part keeps its book. */
export interface Book<Own extends Facts = Facts> {
  /** The facts before the first delivery. */
  start(sections: Partial<Sections>): Own;
  /** The types of events that it reads; all if absent. */
  readonly reads?: readonly EventType[];
  /** Writes into the facts, and to the moments, what a delivery says. It knows nothing but these. */
  step(facts: Own, delivery: SeenDelivery, moments: Moment[]): void;
  /** Whether it tells of this outside input itself; the input is then no moment of the whole world. */
  tellsOf?(delivery: SeenDelivery): boolean;
}

/**
 * One of the books within a part's book: facts of one kind, which only its own step writes. `All` are the facts of all
 * of them by name, of which it may read those that stand before it; so with the news of the same delivery.
 */
export interface SubBook<All extends object, Own extends keyof All, News> {
  /** Others that it reads. */
  readonly needs?: readonly (keyof All)[];
  /** The types of events that it reads; all if absent. News of others reach it with any. */
  readonly reads?: readonly EventType[];
  readonly start: () => All[Own];
  /** Writes what a delivery says, and tells what is new. */
  readonly step: (own: All[Own], delivery: SeenDelivery, news: News[], all: All) => void;
}

/** A part's sub-books by name; each stands after those that it needs. */
export type SubBooks<All extends object, News> = {
  readonly [Own in keyof All]: SubBook<All, Own, News>;
};

/** Whether a book, or one within it, is told of events of this type. */
export const isToldOf = (
  { reads }: { readonly reads?: readonly EventType[] },
  type: string,
): boolean => reads?.some((one) => one === type) ?? true;

/** The facts of these sub-books, and of those that they need, before the first delivery. */
export function factsOf<All extends object, News>(
  books: SubBooks<All, News>,
  names: readonly (keyof All)[],
): All {
  const withNeeds = (name: keyof All): (keyof All)[] => [
    ...(books[name].needs ?? []).flatMap(withNeeds),
    name,
  ];
  const wanted = names.flatMap(withNeeds);
  const kept = (Object.keys(books) as (keyof All)[]).filter((name) => wanted.includes(name));
  return Object.fromEntries(kept.map((name) => [name, books[name].start()])) as All;
}

/** A sub-book with its facts. */
interface Reader<All extends object, News> {
  step(delivery: SeenDelivery, news: News[], all: All): void;
  /** Whether it reads events of this type, and not only what is new of them. */
  readonly reads: boolean;
}

/**
 * Gives what writes a delivery into those sub-books that have facts, and tells what was new in it, in the order of the
 * books. A sub-book is asked about what it reads alone: most deliveries concern none.
 */
export function newsOf<All extends object, News>(
  books: SubBooks<All, News>,
): (facts: All, delivery: SeenDelivery) => readonly News[] {
  type Readers = Map<string, readonly Reader<All, News>[]>;
  const readersByType = onceFor((_: All): Readers => new Map());
  // Deliveries of one log follow one another: to look its readers up each time would take longer than most of them do.
  let last: { readonly facts: All; readonly byType: Readers } | undefined;
  const readersOf = (facts: All, type: string): readonly Reader<All, News>[] => {
    if (last?.facts !== facts) last = { facts, byType: readersByType(facts) };
    const { byType } = last;
    const known = byType.get(type);
    if (known !== undefined) return known;
    const readers = (Object.keys(facts) as (keyof All)[])
      .map((name) => readerOf(books[name], facts[name], type))
      .filter(({ reads }, place, all) => reads || all.slice(0, place).some((one) => one.reads));
    byType.set(type, readers);
    return readers;
  };
  return (facts, delivery) => {
    const news: News[] = [];
    for (const reader of readersOf(facts, delivery.event.type)) {
      if (reader.reads || news.length > 0) reader.step(delivery, news, facts);
    }
    return news;
  };
}

const readerOf = <All extends object, Own extends keyof All, News>(
  book: SubBook<All, Own, News>,
  own: All[Own],
  type: string,
): Reader<All, News> => ({
  step: (delivery, news, all) => book.step(own, delivery, news, all),
  reads: isToldOf(book, type),
});
