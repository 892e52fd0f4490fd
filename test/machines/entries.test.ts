// A map as versions does what a plain object would, also for whoever still holds an older one.

import fc from "fast-check";
import { expect, it } from "vitest";
import { apartIn, Entries, plainOf } from "../../src/machines/entries.ts";
import { changesBetween } from "../../src/substrate/changes.ts";

const key = fc.constantFrom("a", "b", "c", "7", "__proto__", "constructor");
/** Which version is changed, at what key, to what. */
const step = fc.record({ of: fc.nat(20), key, value: fc.nat(9) });

it("[FS8] every version stays as it was, whichever is changed or looked at next", () => {
  fc.assert(
    fc.property(fc.array(step), fc.array(fc.nat(20)), (steps, looks) => {
      const plain: { readonly [key: string]: number }[] = [{ b: 1 }];
      const versions = plain.map((one) => Entries.of(one));
      for (const { of, key: changed, value } of steps) {
        const at = of % versions.length;
        plain.push({ ...plain[at], [changed]: value });
        versions.push(versions[at]?.with(changed, value) ?? Entries.of({}));
      }
      for (const look of [...looks, ...versions.keys()]) {
        const at = look % versions.length;
        const [one, it] = [versions[at], plain[at] ?? {}];
        expect(one?.plain()).toEqual(it);
        expect(one?.entries()).toEqual(expect.arrayContaining(Object.entries(it)));
        expect(one?.size).toBe(Object.keys(it).length);
        expect(one?.get("a")).toBe(it["a"]);
      }
    }),
  );
});

it("[FS8] what is apart in two records is what a comparison of the plain ones finds", () => {
  const chain = fc.array(fc.record({ key, value: fc.nat(2) }), { maxLength: 8 });
  fc.assert(
    fc.property(chain, chain, fc.boolean(), (first, then, isOldRead) => {
      const set = (map: Entries<number>, { key: at, value }: { key: string; value: number }) =>
        map.with(at, value);
      const before = { n: 1, map: first.reduce(set, Entries.of<number>({})), same: [1] };
      const after = { ...before, n: then.length, map: then.reduce(set, before.map) };
      if (isOldRead) before.map.get("a");
      const [old, now] = apartIn(before, after);

      expect(changesBetween(old, now)).toEqual(changesBetween(plainOf(before), plainOf(after)));
    }),
  );
});
