/** The columns of a page: what is known of all deliveries at once, as numbers. */
import type { Explainer } from "../../run/why.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type Columns, FLAG, type ViewHead } from "../../viewer/viewData.ts";
import type { ViewedRun } from "./viewedRun.ts";

/** Ours: beyond so many deliveries the chain of each, and what guards said, takes longer than a person waits. */
export const CHAINED_MOST = 250_000;

/** Names by their numbers, in the order in which they were first met. */
class Names {
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  all(): readonly string[] {
    return [...this.#numbers.keys()];
  }
}

export interface ColumnsOf {
  readonly columns: Columns;
  readonly addresses: readonly string[];
  readonly types: readonly string[];
  readonly starts: ViewHead["starts"];
  /** Places by the numbers of deliveries. */
  readonly places: ReadonlyMap<number, number>;
  readonly hasChains: boolean;
}

export function viewColumns(run: ViewedRun, explainer: Explainer): ColumnsOf {
  const { deliveries } = run;
  const count = deliveries.length;
  const places = new Map<number, number>();
  const [addresses, types] = [new Names(), new Names()];
  const failures = new Set(explainer.failures().map(({ seq }) => seq));
  const hasChains = count <= CHAINED_MOST;
  const words = (length: number): Int32Array => new Int32Array(length);
  const columns = {
    ...{ atMs: new Float64Array(count), flags: new Uint8Array(count) },
    ...{ seq: words(count), from: words(count), to: words(count), type: words(count) },
    ...{ cause: words(count), next: words(count).fill(-1), becauseStart: words(count + 1) },
  };
  const because: number[] = [];
  const starts: [number, number, string][] = [];
  let place = 0;
  for (const one of deliveries) {
    places.set(one.seq, place);
    columns.atMs[place] = one.dueMs;
    columns.seq[place] = one.seq;
    columns.from[place] = addresses.numberOf(one.from);
    columns.to[place] = addresses.numberOf(one.to);
    columns.type[place] = types.numberOf(one.event.type);
    if (one.event.type === "actor.start") {
      starts.push([addresses.numberOf(one.event.address), place, one.event.machine]);
    }
    columns.cause[place] = placeOf(places, one.cause);
    // Only what came before: a forged log in which facts run in a circle has none.
    for (const seq of one.because ?? []) {
      const fact = placeOf(places, seq);
      if (fact >= 0 && fact < place) because.push(fact);
    }
    columns.becauseStart[place + 1] = because.length;
    columns.flags[place] =
      (explainer.says(one) === null ? 0 : FLAG.told) |
      (explainer.isWrong(one) ? FLAG.wrong : 0) |
      (failures.has(one.seq) ? FLAG.failure : 0) |
      (one.event.type === "llm.asked" ? FLAG.asked : 0) |
      (one.fate === "handled" || one.fate === "served" ? 0 : FLAG.unheard);
    if (hasChains) columns.next[place] = nextOf(one, place, places, explainer);
    place += 1;
  }
  return {
    columns: { ...columns, because: Int32Array.from(because) },
    ...{ addresses: addresses.all(), types: types.all(), starts, places, hasChains },
  };
}

const placeOf = (places: ReadonlyMap<number, number>, seq: number | null): number =>
  seq === null ? -1 : (places.get(seq) ?? -1);

/** The second link of its chain, or the first of one that begins with what is not told. */
function nextOf(
  one: Delivery,
  place: number,
  places: ReadonlyMap<number, number>,
  explainer: Explainer,
): number {
  const link = explainer.chain(one, 2).find(({ seq }) => seq !== one.seq);
  const next = link === undefined ? -1 : placeOf(places, link.seq);
  return next < place ? next : -1;
}
