// SPEC VW: what is looked for, and when.
import { expect, it } from "vitest";
import { findTexts, foundAtOnce, searchedFor } from "../../src/viewer/found.ts";
import { searchedText } from "../../src/viewer/rowText.ts";
import { viewed } from "../edges/view/viewedRecording.ts";
import { madeLog } from "./madeLog.ts";

const ALL = Number.POSITIVE_INFINITY;

it.each([
  ["handover", { text: "handover", fromMs: 0, toMs: ALL }],
  ["from:0:30:00 hand over to:50m", { text: "hand over", fromMs: 1_800_000, toMs: 3_000_999 }],
  ["to:0:00:01.250", { text: "", fromMs: 0, toMs: 1_250 }],
  ["from:nowhere notfrom:1s", { text: "from:nowhere notfrom:1s", fromMs: 0, toMs: ALL }],
])("[VW43] %s", (find, expected) => {
  expect(searchedFor(find)).toEqual(expected);
});

it("[VW43] both bounds count, and a whole second means all of it", () => {
  const log = madeLog([999, 1_000, 2_999, 3_000].map((atMs) => ({ atMs })));
  const found = (find: string, given: object = {}) => [
    ...foundAtOnce(log, { actor: null, type: null, find, withPlumbing: false, ...given }).fits,
  ];

  expect(found("from:1s to:2s")).toEqual([0, 1, 1, 0]);
  expect(found("from:0:00:00.999 to:3s")).toEqual([1, 1, 1, 1]);
  expect(found("to:0:00:01.500")).toEqual([1, 1, 0, 0]);
  expect(found("from:1s to:2s", { actor: "cedar", type: "call.routed" })).toEqual([0, 1, 1, 0]);
  expect(found("from:1s", { actor: "vault" })).toEqual([0, 0, 0, 0]);
  expect(found("from:1s", { type: "call.finished" })).toEqual([0, 0, 0, 0]);
});

it("[VW43] an actor is looked for among senders and receivers", () => {
  const log = madeLog([{ from: 1 }, { to: 1 }, {}]);
  const asked = { actor: "vault", type: null, find: "", withPlumbing: false };

  expect([...foundAtOnce(log, asked).fits]).toEqual([1, 1, 0]);
});

it("[VW7] a text is looked for in all that a row shows: words, prompt, answer and contents", () => {
  const call = { prompt: "The QUESTION", answer: "The reply" } as never;
  const row = { says: "Cedar asks", fate: "handled", before: null, after: null, call };
  const text = searchedText(madeLog([{}]), 0, { ...row, event: { path: "/A.md" } });

  for (const shown of ["cedar asks", "the question", "the reply", "/a.md", "call.routed", "1"]) {
    expect(text).toContain(shown);
  }
  expect(text).toContain("agent/cedar\nagent/cedar");
});

it("[VW43] what is found lies within the time, and pieces beyond it are not read", async () => {
  const { log, rows } = viewed("recordings/lock-feedback");
  const second = Math.floor(log.atMs(Math.floor(log.count / 2)) / 1_000);
  const [fromMs, toMs] = [second * 1_000, (second + 20) * 1_000];
  const find = `from:${second}s to:${second + 20}s`;
  const found = foundAtOnce(log, { actor: null, type: null, find, withPlumbing: false });
  const places = [...found.fits.keys()].filter((place) => found.fits[place] === 1);
  await findTexts(
    log,
    rows,
    found,
    "cedar",
    () => {},
    () => true,
  );
  const read = Array.from(
    { length: Math.ceil(log.count / log.head.pieceSize) },
    (_, piece) => piece,
  ).filter((piece) => rows.isHere([piece * log.head.pieceSize]));

  expect(places.length).toBe(found.count);
  expect(places.length).toBeGreaterThan(3);
  for (const place of places) {
    expect(log.atMs(place)).toBeGreaterThanOrEqual(fromMs);
    expect(log.atMs(place)).toBeLessThan(toMs + 1_000);
  }
  expect(read).toEqual([...new Set(places.map((place) => Math.floor(place / log.head.pieceSize)))]);
});
