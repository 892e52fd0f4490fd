import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  apartOf,
  byName,
  entriesOf,
  noValues,
  plainOf,
  valueIn,
  withValue,
} from "../../src/machines/byName.ts";

const changes = fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.integer()), { maxLength: 200 });
const made = (all: readonly (readonly [string, number])[]) =>
  all.reduce<ReturnType<typeof byName<number>>>(
    (one, [name, value]) => withValue(one, name, value),
    noValues,
  );

describe("values by name", () => {
  it("[KN33] are those of a Map, in the order in which their names came, whatever the names are", () => {
    fc.assert(
      fc.property(changes, (all) => {
        const values = made(all);
        const known = new Map(all);

        expect(entriesOf(values)).toEqual([...known]);
        for (const [name, value] of known) expect(valueIn(values, name)).toBe(value);
        expect(valueIn(values, "neither of these")).toBeUndefined();
        expect(entriesOf(byName(plainOf(values))).length).toBe(known.size);
      }),
    );
  });

  it("[KN33] tell apart what a change changed, and nothing else", () => {
    fc.assert(
      fc.property(changes, changes, (first, then) => {
        const before = made(first);
        const after = then.reduce((one, [name, value]) => withValue(one, name, value), before);
        const [old, now] = apartOf(before, after);
        const differing = [...new Map([...first, ...then])].filter(
          ([name, value]) => valueIn(before, name) !== value,
        );

        expect(Object.entries(now).sort()).toEqual(differing.sort());
        for (const name of Object.keys(old)) expect(Object.hasOwn(now, name)).toBe(true);
      }),
    );
    expect(apartOf(noValues, noValues)).toEqual([{}, {}]);
  });

  it("[KN33] copy a share of a thousand names with a change, and not all", () => {
    const values = made(Array.from({ length: 1_000 }, (_, at) => [`a${at}`, at] as const));
    const sizes = values.shares.map((share) => Object.keys(share).length);

    expect(values.shares.length).toBe(64);
    expect(Math.max(...sizes)).toBeLessThan(64);
    expect(
      made([
        ["constructor", 1],
        ["__proto__", 2],
      ]).names,
    ).toEqual(["constructor", "__proto__"]);
  });
});
