import { Buffer } from "node:buffer";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { anyText } from "../../src/contract/anyText.ts";
import { nodeWriting } from "../../src/edges/bundle/nodeSha256.ts";
import type { Json } from "../../src/machines/letter.ts";
import { chainedOf, writeRest, writeStart } from "../../src/substrate/deliveryLine.ts";
import type { Change, Delivery, Posted } from "../../src/substrate/envelope.ts";
import { piece, portableWriting, Utf8, type Writing, writeWith } from "../../src/substrate/utf8.ts";

const writings: [string, Writing][] = [
  ["Node's own", nodeWriting],
  ["any engine's", portableWriting],
];

/** Halves of pairs included; some longer than what is kept. */
const words = fc.oneof(
  anyText({ maxLength: 150 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 })
    .map((units) => String.fromCharCode(...units)),
);
const numbers = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 9, 10, 99, 100, 999_999_999, 1_000_000_000, 2 ** 32 - 1, 2 ** 32),
);
const json = fc.oneof(fc.jsonValue() as fc.Arbitrary<Json>, words, numbers, fc.constant(null));

const written = (write: (out: Utf8) => void, capacity = 8): string => {
  const out = new Utf8(capacity);
  write(out);
  return Buffer.from(out.written()).toString();
};
const bytesOf = (text: string): string => Buffer.from(text).toString();

const paths = fc.array(words, { maxLength: 3 });
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ path: paths, to: fc.oneof(json, numbers) }),
  fc.record({ path: paths, removed: fc.constant(true as const) }),
  fc.record({ path: paths, appended: words }),
  // A context may hold what JSON leaves out.
  paths.map((path) => ({ path, to: undefined as unknown as Json })),
);
const posted: fc.Arbitrary<Posted> = fc.record({
  seq: fc.nat(),
  to: words,
  type: words,
  dueMs: fc.maxSafeNat(),
});
const deliveries = fc
  .tuple(
    fc.record({ seq: fc.nat(), dueMs: fc.maxSafeNat(), to: words, from: words }),
    fc.record({ note: json, cause: fc.option(fc.nat()) }),
    fc.record(
      { because: fc.array(fc.nat(), { minLength: 1 }), re: fc.nat() },
      { requiredKeys: [] },
    ),
    fc.record({ before: json, after: json, letters: fc.array(posted, { maxLength: 3 }) }),
    fc.record(
      { changes: fc.array(changes, { maxLength: 3 }), digest: fc.stringMatching(/^\w*$/) },
      { requiredKeys: ["changes"] },
    ),
  )
  .map(
    ([head, { note, cause }, reasons, states, end]): Delivery => ({
      ...{ ...head, event: { type: "test.noted", note }, cause },
      ...{ ...reasons, fate: "handled", ...states, ...end },
    }),
  );

describe.each(writings)("text written as %s", (_whose, writing) => {
  writeWith(writing);
  afterAll(() => writeWith(nodeWriting));

  it("[KN14] is UTF-8 in the order in which it was written, however much it is", () => {
    writeWith(writing);
    fc.assert(
      fc.property(fc.array(words, { maxLength: 5 }), (texts) => {
        const put = (out: Utf8): void => {
          for (const text of texts) {
            out.text(text);
            out.piece(piece(text));
          }
        };
        expect(written(put)).toBe(texts.map((text) => bytesOf(text).repeat(2)).join(""));
      }),
    );
  });

  it("[KN14] is JSON as the host writes it, for any value", () => {
    writeWith(writing);
    fc.assert(
      fc.property(json, numbers, words, (value, number, text) => {
        const put = (out: Utf8): void => {
          out.json(value);
          out.number(number);
          out.quoted(text);
        };
        const expected = [value, number, text].map((one) => JSON.stringify(one)).join("");
        expect(written(put)).toBe(bytesOf(expected));
      }),
      { numRuns: 500 },
    );
  });

  it("[KN14] is the line of the log that JSON.stringify makes of a delivery", () => {
    writeWith(writing);
    fc.assert(
      fc.property(deliveries, (delivery) => {
        const line = written((out) => {
          writeStart(out, chainedOf(delivery));
          writeRest(out, delivery);
        });
        expect(line).toBe(`${JSON.stringify(delivery)}\n`);
      }),
      { numRuns: 300 },
    );
  });
});

it("a host that writes other bytes is refused", () => {
  const write: Writing["write"] = (text, bytes, at) =>
    nodeWriting.write(text.replace("é", "e"), bytes, at);

  expect(() => writeWith({ ...nodeWriting, write })).toThrow("another one");
});
