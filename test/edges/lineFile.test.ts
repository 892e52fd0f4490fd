// A file of lines is the list of its lines, however little of it is in memory.
import { appendFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineFile, NO_TEXT } from "../../src/edges/bundle/lineFile.ts";
import { LogFile, LogIndex } from "../../src/edges/bundle/logFile.ts";
import { sha256Hex } from "../../src/substrate/digest.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { finderIn, type Log, ofTypes } from "../../src/substrate/log.ts";
import { newFolder } from "../folders.ts";

const file = join(newFolder(), "lines");

function linesOf(text: string | Buffer, { mayGrow = false, piece = 8 } = {}): LineFile {
  writeFileSync(file, text);
  return new LineFile(file, { mayGrow, piece });
}

/** Lines shorter and longer than a piece, with characters of up to four bytes. */
const text = fc
  .array(fc.string({ unit: fc.constantFrom("a", "\n", "é", "€", "😀", "\ufeff"), maxLength: 9 }))
  .map((parts) => parts.join(""));

describe("a file of lines", () => {
  it("[VB50] has the lines of its text, in whatever order they are asked for", () => {
    fc.assert(
      fc.property(
        text,
        fc.array(fc.nat(40)),
        fc.integer({ min: 1, max: 9 }),
        (all, asked, piece) => {
          const lines = linesOf(all, { piece });
          const list = all.split("\n");
          const rest = list.pop();

          expect(lines.all()).toEqual(list);
          expect([...lines.backwards()]).toEqual(list.toReversed());
          expect(asked.map((place) => lines.at(place))).toEqual(asked.map((place) => list[place]));
          expect(lines).toMatchObject({ length: list.length, isTorn: rest !== "" });
          expect(lines).toMatchObject({ sha256: sha256Hex(all), size: Buffer.byteLength(all) });
        },
      ),
    );
  });

  it("[VB7] is refused where its bytes are no text, torn ones too", () => {
    for (const bytes of [[0xff], [0xc3], [0x61, 0x0a, 0xc3], [0xed, 0xa0, 0x80, 0x0a]]) {
      expect(() => linesOf(Buffer.from(bytes))).toThrow(expect.objectContaining({ code: NO_TEXT }));
    }
  });

  it("[VB51] that was changed since it was read is no longer told", () => {
    const whole = "one\ntwo\nthree\nfour\n";
    const changes = [
      () => appendFileSync(file, "five\n"),
      () => truncateSync(file, 3),
      () => writeFileSync(file, whole.replace("three", "there")),
      () => {
        writeFileSync(file, whole.replace("three", "there"));
        utimesSync(file, 1, 1);
      },
    ];
    for (const change of changes) {
      const lines = linesOf(whole);
      expect(lines.at(0)).toBe("one");
      change();
      expect(() => lines.at(3)).toThrow(/lines:4: found a file that was changed while it was read/);
    }
  });

  it("[VB51] of a run that still goes on may grow, and stays what it was", () => {
    const lines = linesOf("one\ntwo\nthr", { mayGrow: true });
    appendFileSync(file, "ee\nfour\n");

    expect(lines.all()).toEqual(["one", "two"]);
    expect(lines.isTorn).toBe(true);
  });
});

const delivery = (seq: number, type: "goal.ended" | "call.finished" | "llm.asked"): Delivery =>
  // As far as a log looks into it.
  ({ seq, event: { type }, dueMs: seq % 7 }) as unknown as Delivery;

const logs = fc.uniqueArray(
  fc.record({
    seq: fc.oneof(fc.nat(50), fc.maxSafeNat()),
    type: fc.constantFrom("goal.ended", "call.finished", "llm.asked"),
  }),
  { selector: ({ seq }) => seq },
);

function logFileOf(list: readonly Delivery[]): LogFile {
  const index = new LogIndex();
  for (const one of list) index.add(one);
  const lines = linesOf(list.map((one) => `${JSON.stringify(one)}\n`).join(""), { piece: 100 });
  return new LogFile(lines, index);
}

describe("a log in its file", () => {
  it("[VB50] answers as the list of its deliveries does", () => {
    fc.assert(
      fc.property(logs, fc.nat(6), (drawn, ms) => {
        const list = drawn.map(({ seq, type }) => delivery(seq, type));
        const inFile = logFileOf(list);
        const is = ({ dueMs }: Delivery): boolean => dueMs === ms;
        const answers = (log: Log): unknown[] => [
          log.length,
          [...log],
          [0, 3, -1, -3, 60, -60].map((place) => log.at(place)),
          [log.find(is), log.findLast(is), log.some(is), log.every(is)],
          log.filter(is),
          log.map(({ seq }) => seq),
          log.flatMap((one) => (is(one) ? [one.seq, one.dueMs] : one.seq)),
          [...ofTypes(log, "goal.ended", "llm.asked")],
          [...ofTypes(log, "goal.judged" as "goal.ended")],
          [0, 7, ...list.map(({ seq }) => seq)].map(finderIn(log)),
        ];

        expect(answers(inFile)).toEqual(answers(list));
      }),
    );
  });
});
