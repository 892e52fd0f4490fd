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
  readonly hasChains: boolean;
}

/** Gives each delivery with its words to `see`, too. */
export function viewColumns(
  run: ViewedRun,
  explainer: Explainer,
  see?: (one: Delivery, says: string | null) => void,
): ColumnsOf {
  const { deliveries, placeOf } = run;
  const count = deliveries.length;
  // Only what came before: a forged log in which facts run in a circle has none.
  const before = (seq: number | null): number => {
    const found = seq === null ? -1 : (placeOf(seq) ?? -1);
    return found < place ? found : -1;
  };
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
    columns.atMs[place] = one.dueMs;
    columns.seq[place] = one.seq;
    columns.from[place] = addresses.numberOf(one.from);
    columns.to[place] = addresses.numberOf(one.to);
    columns.type[place] = types.numberOf(one.event.type);
    if (one.event.type === "actor.start") {
      starts.push([addresses.numberOf(one.event.address), place, one.event.machine]);
    }
    columns.cause[place] = before(one.cause);
    for (const seq of one.because ?? []) {
      const fact = before(seq);
      if (fact >= 0) because.push(fact);
    }
    columns.becauseStart[place + 1] = because.length;
    const says = explainer.says(one);
    columns.flags[place] =
      (says === null ? 0 : FLAG.told) |
      (explainer.isWrong(one) ? FLAG.wrong : 0) |
      (failures.has(one.seq) ? FLAG.failure : 0) |
      (one.event.type === "llm.asked" ? FLAG.asked : 0) |
      (explainer.isInferred(one) ? FLAG.inferred : 0) |
      (one.fate === "handled" || one.fate === "served" ? 0 : FLAG.unheard);
    if (hasChains) columns.next[place] = before(nextOf(one, explainer));
    see?.(one, says);
    place += 1;
  }
  return {
    columns: { ...columns, because: Int32Array.from(because) },
    ...{ addresses: addresses.all(), types: types.all(), starts, hasChains },
  };
}

/** The second link of its chain, or the first of one that begins with what is not told. */
const nextOf = (one: Delivery, explainer: Explainer): number | null =>
  explainer.chain(one, 2).find(({ seq }) => seq !== one.seq)?.seq ?? null;
