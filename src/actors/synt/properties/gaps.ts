/**
 * What a pool misses, followed a second time from the letters it gets: which names are proto-mnests,
 * what left them, and which an active executor has. Source: rulings Y6 and Y23.
 */

import { startOf } from "../../../contract/startOf.ts";
import type { Need } from "../../../machines/synt/contract.ts";
import { chainName } from "../../../machines/synt/naming.ts";
import type { Mnest } from "../../../machines/synt/pool/mnestome.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";
import { endsFor } from "./hints.ts";
import type { SyntSeen } from "./seen.ts";

interface Left {
  isAsked: boolean;
  readonly chains: (readonly string[])[];
}

export class SyntGaps {
  readonly #left = new Map<string, Left>();
  /** The mnests before the delivery at hand: a name that was not missed begins anew. */
  #mnests: readonly Mnest[] = [];
  #promoted = new Set<string>();

  observe({ event, to }: SeenDelivery, { pool }: SyntSeen): void {
    const born = startOf(event, "pool");
    if (born !== undefined) {
      for (const { name } of born.missing) this.#of(name).isAsked = true;
    } else if (to === "pool") this.#told(event, pool.memos);
    this.#mnests = pool.mnests;
  }

  #told(event: SeenDelivery["event"], memos: SyntSeen["pool"]["memos"]): void {
    if (event.type === "proto.raised") this.#of(event.missing.name).isAsked = true;
    if (event.type === "chain.ran" && event.ok && event.composed) {
      const { chain, missed } = event;
      const name = chainName(chain);
      const isAsked = missed.includes(name ?? "");
      if (name !== null && !isAsked) this.#of(name).chains.push(chain);
    }
    if (event.type !== "night.came") return;
    for (const { chain, query, isPromoted } of Object.values(memos)) {
      if (!isPromoted || this.#promoted.has(query)) continue;
      this.#promoted.add(query);
      this.#of(chainName(chain) ?? "").chains.push(chain);
    }
  }

  #of(name: string): Left {
    const isMissed = this.#mnests.some(({ state, to }) => state === "proto" && to.name === name);
    const known = isMissed ? this.#left.get(name) : undefined;
    const left = known ?? { isAsked: false, chains: [] };
    this.#left.set(name, left);
    return left;
  }

  /** Names that nothing serves, as they stand for a need. */
  unserved({ executors, mnests }: SyntSeen["pool"], need: Need): readonly string[] {
    const { from } = need;
    const visible = Object.values(executors).filter(({ isVisible }) => isVisible);
    const isEnd = endsFor(need, visible);
    const missed = mnests.filter(({ state }) => state === "proto").map(({ to }) => to.name);
    return [...new Set(missed)].filter((name) => {
      const { isAsked = true, chains = [] } = this.#left.get(name) ?? {};
      const isServed =
        !isAsked &&
        from !== null &&
        chains.some((one) => one[0] === from && isEnd(one.at(-1) ?? ""));
      return !isServed && executors[name]?.isVisible !== true;
    });
  }
}
