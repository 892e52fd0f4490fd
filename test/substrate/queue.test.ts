import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Envelope } from "../../src/substrate/envelope.ts";
import { EnvelopeQueue } from "../../src/substrate/queue.ts";

const envelope = (seq: number, dueMs: number, from = "a", to = "b"): Envelope => ({
  seq,
  dueMs,
  to,
  from,
  event: { type: "test.pinged" },
  cause: null,
});

const order = (a: Envelope, b: Envelope) => a.dueMs - b.dueMs || a.seq - b.seq;

/** A number posts an envelope due then; null takes the next one. */
const actions = fc.array(fc.option(fc.integer({ min: 0, max: 20 }), { freq: 2 }), {
  maxLength: 200,
});

describe("EnvelopeQueue", () => {
  it("[KN1] hands out what a sorted list would", () => {
    fc.assert(
      fc.property(actions, (todo) => {
        const queue = new EnvelopeQueue();
        const model: Envelope[] = [];

        for (const [seq, dueMs] of todo.entries()) {
          if (dueMs === null) {
            expect(queue.nextDueMs).toBe(model[0]?.dueMs);
            expect(queue.pop()).toBe(model.shift());
          } else {
            const posted = envelope(seq, dueMs);
            queue.push(posted);
            model.push(posted);
            model.sort(order);
          }
          expect(queue.size).toBe(model.length);
        }
        expect(queue.sorted()).toEqual(model);
      }),
    );
  });

  it("[KN1] hands out what a sorted list would, also where numbers were reserved long before", () => {
    // Few instants, so that most share one, and a time that never goes back.
    const moves = fc.record({ seq: fc.nat(500), laterMs: fc.nat(1), takes: fc.nat(3) });
    const plans = fc.uniqueArray(moves, { selector: ({ seq }) => seq, maxLength: 150 });

    fc.assert(
      fc.property(plans, (plan) => {
        const queue = new EnvelopeQueue();
        const model: Envelope[] = [];
        let nowMs = 0;

        for (const { seq, laterMs, takes } of plan) {
          const posted = envelope(seq, nowMs + laterMs);
          queue.push(posted);
          model.push(posted);
          model.sort(order);
          for (let left = takes; left > 0; left--) {
            const next = model.shift();
            expect(queue.nextDueMs).toBe(next?.dueMs);
            expect(queue.pop()).toBe(next);
            nowMs = next?.dueMs ?? nowMs;
          }
          expect(queue.sorted()).toEqual(model);
          expect(queue.size).toBe(model.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("[KN1] tells any whole numbers apart, however many wait", () => {
    const instants = fc.array(
      fc.oneof(fc.maxSafeNat(), fc.constantFrom(Number.MAX_SAFE_INTEGER - 1, 2 ** 52)),
      { minLength: 65, maxLength: 300 },
    );

    fc.assert(
      fc.property(instants, (dues) => {
        const queue = new EnvelopeQueue();
        const posted = dues.map((dueMs, i) => envelope(Number.MAX_SAFE_INTEGER - i, dueMs));
        for (const one of posted) queue.push(one);

        expect(posted.map(() => queue.pop())).toEqual(posted.toSorted(order));
      }),
    );
  });

  it("[KN1] keeps one pair of sender and receiver first-in first-out at one instant", () => {
    const pairs = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 60 });

    fc.assert(
      fc.property(pairs, (senders) => {
        const queue = new EnvelopeQueue();
        for (const [seq, from] of senders.entries()) queue.push(envelope(seq, 5, from));

        const taken = senders.map(() => queue.pop() as Envelope);

        for (const sender of ["a", "b", "c"]) {
          const seqs = taken.filter(({ from }) => from === sender).map(({ seq }) => seq);
          expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
        }
      }),
    );
  });

  it("is empty at first and in the end", () => {
    const queue = new EnvelopeQueue();
    queue.push(envelope(1, 0));

    expect([queue.pop()?.seq, queue.pop(), queue.nextDueMs]).toEqual([1, undefined, undefined]);
  });
});
