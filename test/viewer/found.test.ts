// SPEC VW: what is looked for, and when.
import { expect, it } from "vitest";
import { findTexts, foundAtOnce, searchedFor } from "../../src/viewer/found.ts";
import { viewed } from "../edges/view/viewedRecording.ts";

const ALL = Number.POSITIVE_INFINITY;

it.each([
  ["handover", { text: "handover", fromMs: 0, toMs: ALL }],
  ["from:0:30:00 hand over to:50m", { text: "hand over", fromMs: 1_800_000, toMs: 3_000_999 }],
  ["to:0:00:01.250", { text: "", fromMs: 0, toMs: 1_250 }],
  ["from:nowhere notfrom:1s", { text: "from:nowhere notfrom:1s", fromMs: 0, toMs: ALL }],
])("[VW43] %s", (find, expected) => {
  expect(searchedFor(find)).toEqual(expected);
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
