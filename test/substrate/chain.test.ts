import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../src/contract/anyText.ts";
import type { Json } from "../../src/machines/letter.ts";
import { BLOCK, Chain, type SavedChain } from "../../src/substrate/chain.ts";
import { startIn } from "../../src/substrate/deliveryLine.ts";
import { type Delivered, logEntry } from "../../src/substrate/deliveryRecord.ts";
import { chained, GENESIS } from "../../src/substrate/digest.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { delivered, noted } from "./delivered.ts";
import { office, said } from "./office.ts";

function chainOf(deliveries: readonly Delivered[]): Chain {
  const chain = new Chain();
  for (const one of deliveries) chain.add(one);
  return chain;
}
const digestOf = (one: Delivered): string => chainOf([one]).digest;

/** What the rule says, from the log alone. */
function digestOfLog(log: readonly Delivery[]): string {
  let digest = GENESIS;
  for (let first = 0; first < log.length; first += BLOCK) {
    const lines = log
      .slice(first, first + BLOCK)
      .map(({ changes: _, digest: __, ...one }) => `${JSON.stringify(one)}\n`);
    digest = chained(digest, lines.join(""));
  }
  return digest;
}

const json = fc.jsonValue() as fc.Arbitrary<Json>;

describe("the digest chain", () => {
  it.each<[string, Delivered]>([
    ["its number", delivered({ envelope: noted("hello", { seq: 9 }) })],
    ["its time", delivered({ envelope: noted("hello", { dueMs: 41 }) })],
    ["its receiver", delivered({ envelope: noted("hello", { to: "c" }) })],
    ["its sender", delivered({ envelope: noted("hello", { from: "c" }) })],
    ["its event", delivered({ envelope: noted("hellp") })],
    ["its cause", delivered({ envelope: noted("hello", { cause: 4 }) })],
    ["its reasons", delivered({ envelope: noted("hello", { because: [2] }) })],
    ["its question", delivered({ envelope: noted("hello", { re: 2 }) })],
    ["its fate", delivered({ fate: "ignored" })],
    ["the state before it", delivered({ before: "busy" })],
    ["the state after it", delivered({ after: { busy: "reading" } })],
    ["a letter's number", delivered({ letters: [noted("hi", { seq: 9, to: "a" })] })],
    [
      "a letter's type",
      delivered({ letters: [noted("", { seq: 8, to: "a", event: { type: "test.go" } })] }),
    ],
    ["a letter's receiver", delivered({ letters: [noted("hi", { seq: 8, to: "b" })] })],
    ["a letter's time", delivered({ letters: [noted("hi", { seq: 8, to: "a", dueMs: 39 })] })],
    ["the number of letters", delivered({ letters: [] })],
  ])("[KN14] a delivery with another value in %s has another digest", (_part, changed) => {
    expect(digestOf(changed)).not.toBe(digestOf(delivered()));
  });

  it("[KN14] a line that was read has the digest of what was delivered, unless its rest is written otherwise", () => {
    const one: Delivery = {
      ...{ ...noted("a, é and \\ud800"), fate: "handled", before: null, after: { busy: "x" } },
      ...{ letters: [], changes: [{ path: ["changes"], to: { changes: [] } }], digest: "0" },
    };
    const line = JSON.stringify(one);
    const chain = new Chain();
    chain.addWritten(startIn(line, one) ?? "");

    expect(chain.digest).toBe(digestOfLog([one]));
    expect(startIn(line.replace('"changes":', '"changes": '), one)).toBeUndefined();
  });

  it("[KN14] what a letter carries is vouched for at its own delivery", () => {
    const letters = [noted("ho", { seq: 8, to: "a" })];

    expect(digestOf(delivered({ letters }))).toBe(digestOf(delivered()));
  });

  it("[KN14] any other event or state has another digest", () => {
    const one = fc.tuple(json, json);
    const digest = ([payload, after]: [Json, Json]) =>
      digestOf(delivered({ envelope: noted(payload), after }));

    fc.assert(
      fc.property(one, one, (a, b) => {
        expect(digest(a) === digest(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it("[KN14] is the hash of the digest before, a newline, and the lines of a block without their changes", () => {
    const words = anyText({ maxLength: 120 });
    const numbers = fc.oneof(fc.maxSafeNat(), fc.nat());
    const envelopes = fc
      .record({ note: json, seq: numbers, dueMs: numbers, to: words, from: words, re: numbers })
      .map(({ note, ...rest }) => noted(note, rest));
    const deliveries = fc
      .record({ envelope: envelopes, after: json, letters: fc.array(envelopes, { maxLength: 2 }) })
      .map(delivered);

    fc.assert(
      fc.property(fc.array(deliveries, { minLength: 1, maxLength: 5 }), (some) => {
        const log = some.map((one) => logEntry(one));
        expect(chainOf(some).digest).toBe(digestOfLog(log));
      }),
    );
  });

  it.each([1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 3])(
    "[KN14] after %i deliveries it rests on all of them, and goes on alike from where it was saved",
    (count) => {
      const all = Array.from({ length: count }, (_, seq) =>
        delivered({ envelope: noted("one", { seq }) }),
      );
      const log = all.map((one) => logEntry(one));
      const { digest } = chainOf(all);

      expect(digest).toBe(digestOfLog(log));
      for (const first of [0, count - 1]) {
        const other = all.with(first, delivered({ envelope: noted("other", { seq: first }) }));
        expect(chainOf(other).digest).not.toBe(digest);
        const saved = JSON.stringify(chainOf(all.slice(0, first)).saved());
        const chain = new Chain(JSON.parse(saved) as SavedChain);
        for (const one of all.slice(first)) chain.add(one);
        expect(chain.digest).toBe(digest);
      }
    },
  );

  it("[KN14] stands on the last line of each block of the log, and is the run's at its end", () => {
    const world = office({ actors: { listener: () => [] } });
    for (let n = 0; n < 128; n++) {
      world.kernel.postFromOutside("x", said("listener", `word ${n}`));
    }
    world.run();

    const ends = world.log.flatMap(({ digest }, place) =>
      digest === undefined ? [] : [place + 1],
    );
    expect(ends).toEqual([64, 128]);
    expect(world.log[BLOCK - 1]?.digest).toBe(digestOfLog(world.log.slice(0, BLOCK)));
    expect(world.kernel.digest).toBe(digestOfLog(world.log));
  });
});
