/** What is known of a run while it goes on, for those who watch its promises. */
import type { Observer } from "../../contract/part.ts";
import type { Policy } from "../../contract/policyTree.ts";
import type { Seen, SeenParts, Violation, Watch, WorldProperty } from "../../contract/property.ts";
import { factReader } from "../../findings/findIn.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import type { Promised } from "./promises.ts";

/** Follows a run from its beginning, and says at each delivery what those know of it who watch these properties. */
export function onlooker(
  { promises, parts }: Promised,
  watched: readonly WorldProperty[],
): (delivery: SeenDelivery) => Seen {
  const readsFacts = watched.some(({ expected }) => expected === "noted");
  const factsOf = readsFacts ? factReader(parts) : () => [];
  const known: SeenParts = Object.assign({}, ...promises.map(({ seen }) => seen?.()));
  const observers: Readonly<Record<keyof SeenParts, Observer>> = known;
  return (delivery) => {
    for (const observer of Object.values(observers)) observer.observe(delivery);
    return { ...known, delivery, facts: factsOf(delivery) };
  };
}

/** How one promise fared so far: how often it was put to the test, and its first break. */
interface Watched {
  readonly id: string;
  readonly watch: Watch;
  moments: number;
  violation: Violation | null;
}

/** Watches one run for the first break of each promise. */
export function watchman(promised: Promised, properties: readonly WorldProperty[]) {
  const see = onlooker(promised, properties);
  let books: readonly Watched[] = [];
  return {
    /** Before the first delivery. */
    begin: (policy: Policy): void => {
      books = properties.map(({ id, watch }) => {
        return { id, watch: watch(policy), moments: 0, violation: null };
      });
    },
    observe: (delivery: SeenDelivery): void => {
      const seen = see(delivery);
      for (const book of books) {
        if (book.violation !== null) continue;
        const verdict = book.watch(seen);
        if (verdict !== undefined) book.moments++;
        if (typeof verdict !== "string") continue;
        book.violation = { seq: delivery.seq, atMs: delivery.dueMs, says: verdict };
      }
    },
    /** Whether every promise is broken: nothing is left to be seen then. */
    isDone: (): boolean => books.every(({ violation }) => violation !== null),
    /** How each fared, once the run is over: some promises break only then. */
    end(): { readonly [property: string]: Pick<Watched, "moments" | "violation"> } {
      for (const book of books) book.violation ??= book.watch.ended?.() ?? null;
      return Object.fromEntries(
        books.map(({ id, moments, violation }) => [id, { moments, violation }]),
      );
    },
    /** What was said of each promise where it was broken; null where it held. */
    said: (): { readonly [property: string]: string | null } =>
      Object.fromEntries(books.map(({ id, violation }) => [id, violation?.says ?? null])),
  };
}
