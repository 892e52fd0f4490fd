// SPEC VW10: what an actor knew, put together from the changes in the log.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/machines/letter.ts";
import { canonicalJson } from "../../src/substrate/canonicalJson.ts";
import { changesBetween } from "../../src/substrate/changes.ts";
import { knownAt, withChanges } from "../../src/viewer/actorState.ts";
import type { PageLog } from "../../src/viewer/pageLog.ts";
import type { Rows } from "../../src/viewer/rows.ts";
import type { ViewChange } from "../../src/viewer/viewData.ts";

describe("changes put together", () => {
  const context = fc.dictionary(
    fc.constantFrom("a", "b", "c", "__proto__", "constructor"),
    fc.jsonValue({ maxDepth: 3 }),
  ) as fc.Arbitrary<Json>;

  it("[VW10] are the context that the kernel held after them, whatever it was before", () => {
    fc.assert(
      fc.property(context, context, (before, after) => {
        const made = withChanges(before, changesBetween(before, after));
        expect(canonicalJson(made)).toBe(canonicalJson(after));
      }),
    );
  });

  it("[VW10] leave entries in their order: what is new stands last", () => {
    const known = { first: "one\n", second: { n: 1, gone: true }, list: [1, 2, 3] };
    const changes: ViewChange[] = [
      { path: ["new"], to: 0 },
      { path: ["first"], appended: "two\n" },
      { path: ["second", "gone"], removed: true },
      { path: ["second", "n"], to: 2 },
      { path: ["list", "2"], removed: true },
      { path: ["list", "0"], to: 9 },
    ];

    expect(JSON.stringify(withChanges(known, changes))).toBe(
      JSON.stringify({ first: "one\ntwo\n", second: { n: 2 }, list: [9, 2], new: 0 }),
    );
    expect(known.second.gone).toBe(true);
  });
});

describe("an actor that lived twice", () => {
  // At each place, who got a delivery: 0 is the actor, 1 another. It starts at 1 and, after its end, at 5.
  const to = [1, 0, 1, 0, 1, 0, 0];
  const log = {
    head: {
      addresses: ["engine", "agent"],
      starts: [
        [1, 0],
        [0, 1],
        [0, 5],
      ],
      pieceSize: 2,
    },
    columns: { to },
  } as unknown as PageLog;
  const row = (at: number) => ({ fate: "", event: {}, changes: [{ path: [`at ${at}`], to: at }] });
  const rowsOf = (isHere: boolean): Rows =>
    ({
      now: (at: number) => (isHere ? row(at) : undefined),
      piece: async (nth: number) => [row(2 * nth), row(2 * nth + 1)],
    }) as unknown as Rows;
  const known = async (place: number, isHere = true) =>
    Object.keys((await knownAt(log, rowsOf(isHere), "engine", place, () => true))?.context ?? {});

  it("[VW10] knows what it was told in the life that it is in, the delivery at the cursor too", async () => {
    expect(await known(1)).toEqual(["at 1"]);
    expect(await known(2)).toEqual(["at 1"]);
    expect(await known(3)).toEqual(["at 1", "at 3"]);
    expect(await known(4)).toEqual(["at 1", "at 3"]);
    expect(await known(5)).toEqual(["at 5"]);
    expect(await known(6)).toEqual(["at 5", "at 6"]);
  });

  it("[VW10] is the same of rows that the page must ask for, piece by piece", async () => {
    expect(await known(3, false)).toEqual(["at 1", "at 3"]);
    expect(await known(6, false)).toEqual(["at 5", "at 6"]);
  });

  it("[VW10] is told as seen from its start, unless it began before the log", async () => {
    const at = (place: number) => knownAt(log, rowsOf(true), "engine", place, () => true);

    expect(await at(0)).toEqual({ context: {}, isPartial: false, isStarted: false });
    expect(await at(1)).toMatchObject({ isPartial: false, isStarted: true });
    expect(await knownAt(log, rowsOf(true), "engine", 3, () => false)).toBeUndefined();
  });
});
