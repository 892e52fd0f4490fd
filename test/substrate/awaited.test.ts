import fc from "fast-check";
import { expect, it } from "vitest";
import { Awaited } from "../../src/substrate/awaited.ts";

/** A number sets the name to it; null deletes it. */
const actions = fc.array(
  fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.option(fc.nat(50), { freq: 2 })),
);

it("[KN4, KN5, KN19] keeps what an actor waits for in the order of a Map, the latest of each name alone", () => {
  fc.assert(
    fc.property(actions, (todo) => {
      const awaited = new Awaited();
      const model = new Map<string, number>();

      for (const [name, seq] of todo) {
        if (seq === null) {
          awaited.delete(name);
          model.delete(name);
        } else {
          awaited.set(name, seq);
          model.set(name, seq);
        }
        expect(awaited.entries()).toEqual([...model]);
        expect(awaited.get(name)).toBe(model.get(name));
        expect(awaited.nameOf(7)).toBe([...model].find(([, one]) => one === 7)?.[0]);
      }
    }),
  );
});
