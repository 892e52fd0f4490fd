/**
 * What a person wants to know of a run, gathered from the event log alone: the facts in the books of the parts, and
 * the moments that mattered. Reports and pictures are made from it.
 */
import { type Book, type Books, type Facts, isToldOf, type Moment } from "../contract/book.ts";
import type { Part } from "../contract/part.ts";
import type { Sections } from "../contract/scenario.ts";
import type { SeenDelivery } from "../substrate/envelope.ts";

export interface Story extends Books {}

interface Kept {
  readonly book: Book;
  readonly facts: Facts;
}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor puts there what stands in the books.
export class Story {
  readonly moments: Moment[];
  readonly #kept: readonly Kept[];
  /** Those that read an event, by its type. */
  readonly #readers = new Map<string, readonly Kept[]>();

  /** `sections` are those of the scenario; `saved` is what `save` gave in the middle of the same log. */
  constructor(parts: readonly Part[], sections: Partial<Sections> = {}, saved?: string) {
    const [moments, before]: Saved = saved === undefined ? [[], []] : JSON.parse(saved);
    this.moments = moments;
    this.#kept = parts
      .flatMap(({ book }) => book ?? [])
      .map((book, place) => ({ book, facts: before[place] ?? book.start(sections) }));
    Object.assign(this, ...this.#kept.map(({ facts }) => facts.told));
  }

  observe(delivery: SeenDelivery): void {
    for (const { book, facts } of this.#readersOf(delivery.event.type)) {
      book.step(facts, delivery, this.moments);
    }
    this.#outside(delivery);
  }

  #readersOf(type: string): readonly Kept[] {
    const known = this.#readers.get(type);
    if (known !== undefined) return known;
    const readers = this.#kept.filter(({ book }) => isToldOf(book, type));
    this.#readers.set(type, readers);
    return readers;
  }

  /** All that stands in the books, as JSON. */
  save(): string {
    const saved: Saved = [this.moments, this.#kept.map(({ facts }) => facts)];
    return JSON.stringify(saved);
  }

  /** What comes from outside matters, unless it sets the stage. */
  #outside(delivery: SeenDelivery): void {
    const { from, cause, dueMs: atMs } = delivery;
    if (cause !== null || from === "outside/stage") return;
    if (this.#kept.some(({ book }) => book.tellsOf?.(delivery))) return;
    this.moments.push({ atMs, kind: "outside", label: from.slice("outside/".length) });
  }
}

type Saved = readonly [moments: Moment[], facts: readonly Facts[]];
