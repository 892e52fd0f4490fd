import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/machines/letter.ts";
import { canonicalJson } from "../../src/substrate/canonicalJson.ts";
import { chainedTo, type Delivered, logEntry } from "../../src/substrate/deliveryRecord.ts";
import { chained, GENESIS } from "../../src/substrate/digest.ts";
import type { Envelope } from "../../src/substrate/envelope.ts";
import { simulate } from "../builtIn.ts";
import { firstMinutes, simulated, untilMs } from "./firstMinutes.ts";
import { office, said } from "./office.ts";

function noted(note: Json, rest: Partial<Envelope> = {}): Envelope {
  const event = { type: "test.noted", note } as const;
  const text = canonicalJson(event);
  return { seq: 7, dueMs: 40, to: "b", from: "a", event, text, cause: 3, ...rest };
}

const delivered = (rest: Partial<Delivered> = {}): Delivered => ({
  envelope: noted("hello"),
  fate: "handled",
  before: "idle",
  after: { busy: "writing" },
  letters: [noted("hi", { seq: 8, to: "a", because: [2, 5] })],
  ...rest,
});

const digestOf = (one: Delivered) => chainedTo(GENESIS, one);

describe("the digest chain", () => {
  it.each<[string, Delivered]>([
    ["its number", delivered({ envelope: noted("hello", { seq: 9 }) })],
    ["its time", delivered({ envelope: noted("hello", { dueMs: 41 }) })],
    ["its receiver", delivered({ envelope: noted("hello", { to: "c" }) })],
    ["its sender", delivered({ envelope: noted("hello", { from: "c" }) })],
    ["its event", delivered({ envelope: noted("hellp") })],
    ["its fate", delivered({ fate: "ignored" })],
    ["the state after it", delivered({ after: { busy: "reading" } })],
    [
      "a letter's event",
      delivered({
        letters: [noted("ho", { seq: 8, to: "a", because: [2, 5] })],
      }),
    ],
    [
      "a letter's reason",
      delivered({
        letters: [noted("hi", { seq: 8, to: "a", because: [2, 6] })],
      }),
    ],
    [
      "a letter's receiver",
      delivered({
        letters: [noted("hi", { seq: 8, to: "b", because: [2, 5] })],
      }),
    ],
    [
      "a letter's time",
      delivered({
        letters: [noted("hi", { seq: 8, to: "a", because: [2, 5], dueMs: 39 })],
      }),
    ],
    ["the number of letters", delivered({ letters: [] })],
  ])("[KN14] a delivery with another value in %s has another digest", (_part, changed) => {
    expect(digestOf(changed)).not.toBe(digestOf(delivered()));
  });

  it("[KN14] any other event or state has another digest", () => {
    const json = fc.jsonValue() as fc.Arbitrary<Json>;
    const one = fc.tuple(json, json);
    const digest = ([payload, after]: [Json, Json]) =>
      digestOf(delivered({ envelope: noted(payload), after }));

    fc.assert(
      fc.property(one, one, (a, b) => {
        expect(digest(a) === digest(b)).toBe(canonicalJson(a) === canonicalJson(b));
      }),
    );
  });

  it("[KN14] is the hash of what was before, a newline, and the delivery as one JSON text", () => {
    const words = fc.string({ unit: "binary", maxLength: 120 });
    const numbers = fc.oneof(fc.maxSafeNat(), fc.nat());
    const notes = fc.record({
      note: fc.jsonValue() as fc.Arbitrary<Json>,
      seq: numbers,
      to: words,
    });
    const reasons = fc.option(fc.array(numbers, { minLength: 1 }), { nil: undefined });
    const envelopes = fc
      .tuple(notes, numbers, words, reasons)
      .map(([{ note, seq, to }, dueMs, from, because]) =>
        noted(note, { seq, dueMs, to, from, ...(because && { because }) }),
      );

    fc.assert(
      fc.property(
        envelopes,
        fc.array(envelopes, { maxLength: 3 }),
        fc.jsonValue() as fc.Arbitrary<Json>,
        (envelope, letters, after) => {
          const { seq, dueMs, to, from, event } = envelope;
          const sent = letters.map((one) => [
            ...[one.seq, one.dueMs, one.to, one.because ?? null, one.event],
          ]);
          const text = [seq, dueMs, [to, from, "handled"], event, after, sent];
          expect(chainedTo(GENESIS, delivered({ envelope, letters, after }))).toBe(
            chained(GENESIS, canonicalJson(text)),
          );
        },
      ),
    );
  });

  it("[KN14] every digest rests on all before it", () => {
    const logOf = (first: string) => {
      const world = office({ actors: { listener: () => [] } });
      for (const word of [first, "second", "third"]) {
        world.kernel.postFromOutside("x", said("listener", word));
      }
      world.run();
      return world.log.map(({ digest }) => digest);
    };

    const [one, other] = [logOf("first"), logOf("furst")];

    expect(one.map((digest, at) => digest === other[at])).toEqual([true, false, false, false]);
  });

  it("the log mentions letters by number, receiver, type and time", () => {
    expect(logEntry(delivered(), "d").letters).toEqual([
      { seq: 8, to: "a", type: "test.noted", dueMs: 40 },
    ]);
  });
});

describe("a run", () => {
  const { result, log, inputs, checkpoints } = simulated();

  it("[KN12] every cause is an earlier delivery, or nothing for what came from outside", () => {
    const known = new Set<number>();

    for (const { seq, cause, from } of log) {
      if (cause === null) expect(from).toMatch(/^outside\//);
      else expect(known).toContain(cause);
      expect(known).not.toContain(seq);
      known.add(seq);
    }
  });

  it("[KN12] every reason is an earlier delivery", () => {
    const known = new Set<number>();
    let reasons = 0;

    for (const { seq, because = [], re } of log) {
      for (const reason of because) expect(known).toContain(reason);
      if (re !== undefined) expect(known).toContain(re);
      reasons += because.length;
      known.add(seq);
    }

    expect(reasons).toBeGreaterThan(100);
  });

  it("[KN12] every letter of a delivery names it as its cause", () => {
    const bySeq = new Map(log.map((delivery) => [delivery.seq, delivery]));

    for (const { seq, letters } of log) {
      for (const sent of letters) {
        const arrived = bySeq.get(sent.seq);
        if (arrived !== undefined) expect(arrived).toMatchObject({ cause: seq, to: sent.to });
      }
    }
  });

  it("[KN1, KN2] is in the order of due time and number", () => {
    for (const [index, { dueMs, seq }] of log.entries()) {
      const before = log[index - 1];
      if (before === undefined) continue;
      expect(before.dueMs < dueMs || (before.dueMs === dueMs && before.seq < seq)).toBe(true);
    }
  });

  it("[KN13] two runs are equal, delivery by delivery", () => {
    const again = simulated();

    expect(again.log).toEqual(log);
    expect(again.inputs).toEqual(inputs);
    expect(again.checkpoints).toEqual(checkpoints);
    expect(again.result.digest).toBe(result.digest);
  });

  it("[KN13] watching changes nothing", () => {
    expect(simulate(firstMinutes(), { untilMs }).digest).toBe(result.digest);
  });

  it("[KN13] another seed is another run", () => {
    expect(simulated({ seed: 8 }).result.digest).not.toBe(result.digest);
  });
});
