// A history that vouches for itself. SPEC: "Installing agents (seed 003)".
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CausalChain,
  type CausalFact,
  type ChainPolicy,
  chained,
  chainFault,
  NO_HISTORY,
} from "../../../src/machines/installs/revisions/causalChain.ts";
import { gatePolicy } from "./gateRules.ts";

const { history: everything } = gatePolicy();
const most: ChainPolicy = { seals: "most" };

const fact = (n: number): CausalFact => ({
  ...{ timestamp: "2026-01-01T00:00:00.000Z", log_id: `l${n}`, actor_id: "gateway" },
  ...{ session_id: "s", turn_id: null, event_seq: n, category: "revision", action: "made" },
  ...{ target: "agent", status: "SUCCESS", reason: "why", payload: { n } },
});

const chainOf = (length: number, policy = everything): CausalChain => {
  let chain = NO_HISTORY;
  for (let n = 1; n <= length; n++) chain = chained(chain, fact(n), policy);
  return chain;
};

describe("the chain of a history", () => {
  it("[INS58] holds as it was made, empty too, and what was there stays what it was", () => {
    const three = chainOf(3);

    expect(chainFault(NO_HISTORY, everything)).toBeNull();
    expect(chainFault(three, everything)).toBeNull();
    expect(three.entries.map(({ prev_hash }) => prev_hash)).toEqual([
      "genesis",
      three.entries[0]?.entry_hash,
      three.entries[1]?.entry_hash,
    ]);
    expect(chainOf(4).entries.slice(0, 3)).toEqual(three.entries);
  });

  it("[INS58] does not hold when any field of any entry is another, or an entry is gone, doubled or moved", () => {
    const chain = chainOf(4);
    const fields = Object.keys(chain.entries[0] ?? {});
    expect(fields).toHaveLength(15);
    for (let at = 0; at < 4; at++) {
      for (const field of fields) {
        const entries = chain.entries.map((entry, n) =>
          n === at ? { ...entry, [field]: "other" } : entry,
        );
        expect(chainFault({ ...chain, entries }, everything)).toMatchObject({ at });
      }
    }
    const without = (at: number) => chain.entries.filter((_, n) => n !== at);
    for (let at = 0; at < 4; at++) {
      expect(chainFault({ ...chain, entries: without(at) }, everything)).not.toBeNull();
    }
    const doubled = [...chain.entries, ...chain.entries.slice(3)];
    expect(chainFault({ ...chain, entries: doubled }, everything)).toMatchObject({ at: 4 });
    expect(
      chainFault({ ...chain, entries: [...chain.entries].reverse() }, everything),
    ).toMatchObject({
      at: 0,
      field: "prev_hash",
    });
  });

  it("[INS58] knows its head, so that what is cut off at the end is missed", () => {
    const chain = chainOf(3);

    expect(chainFault({ ...chain, entries: chain.entries.slice(0, 2) }, everything)).toEqual({
      at: 2,
      field: "head",
      expected: chain.entries[1]?.entry_hash,
      found: chain.head,
    });
  });

  it("[INS58] vouches for target and reason too, which the real system's does not", () => {
    const [ours, theirs] = [chainOf(2), chainOf(2, most)];
    const edited = ({ entries, head }: CausalChain, field: string): CausalChain => ({
      entries: entries.map((entry) => ({ ...entry, [field]: "other" })),
      head,
    });

    for (const field of ["target", "reason"]) {
      expect(chainFault(edited(ours, field), everything)).toMatchObject({ field: "entry_hash" });
      expect(chainFault(edited(theirs, field), most)).toBeNull();
    }
    expect(chainFault(edited(theirs, "status"), most)).toMatchObject({ field: "entry_hash" });
  });

  it("[INS58] a payload's edit is found wherever in it it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        const payload = JSON.parse(JSON.stringify(one));
        const chain = chained(NO_HISTORY, { ...fact(1), payload }, everything);
        const entries = chain.entries.map((entry) => ({
          ...entry,
          payload: JSON.parse(JSON.stringify(other)),
        }));
        if (!isSame) expect(chainFault({ ...chain, entries }, everything)).not.toBeNull();
        else expect(chainFault({ ...chain, entries }, everything)).toBeNull();
      }),
    );
  });
});
