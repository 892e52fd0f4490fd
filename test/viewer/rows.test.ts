// SPEC VW: rows come in pieces, and those that were looked at longest ago are forgotten.
import { expect, it } from "vitest";
import { Rows, type Source } from "../../src/viewer/rows.ts";
import type { ViewHead, ViewRow } from "../../src/viewer/viewData.ts";

const row = (says: string): ViewRow => ({ says, fate: "handled", before: null, after: null });

/** Pieces of one row, of so many bytes; and which were asked for. */
function rowsOf(bytes: number, words?: Source["words"]) {
  const asked: number[] = [];
  const source = {
    head: { pieceSize: 1 } as ViewHead,
    piece: async (number: number) => {
      asked.push(number);
      return { rows: [row(String(number))], bytes };
    },
    ...(words && { words }),
  } as unknown as Source; // Nothing else of it is asked.
  return { rows: new Rows(source), asked };
}

it("[VW12] pieces stay up to 64 MB of text; then the one that was looked at longest ago goes", async () => {
  const { rows, asked } = rowsOf(32_000_000);
  await rows.reading([0, 1]);
  expect([rows.now(0)?.says, rows.now(1)?.says]).toEqual(["0", "1"]);

  await rows.piece(0);
  await rows.piece(2);
  expect([rows.now(0)?.says, rows.now(1), rows.now(2)?.says]).toEqual(["0", undefined, "2"]);
  await rows.piece(1);
  expect(asked).toEqual([0, 1, 2, 1]);
});

it("[VW12] words are asked for in one request at a time, and not what nobody wants any more", async () => {
  const asked: (readonly number[])[] = [];
  const words = async (numbers: readonly number[]) => {
    asked.push(numbers);
    return numbers.map((number) => ({ rows: [row(`in words ${number}`)], bytes: 1 }));
  };
  const { rows, asked: pieces } = rowsOf(1, words);
  await Promise.all([
    rows.reading([0, 1]),
    rows.reading([1, 2]),
    rows.reading([3], false, () => false),
  ]);

  expect([asked, pieces]).toEqual([[[0, 1, 2]], []]);
  expect([rows.now(1), rows.lately(1)?.says, rows.lately(1, true)]).toEqual([
    ...[undefined, "in words 1", undefined],
  ]);
  expect([rows.isHere([0, 1, 2]), rows.isHere([0], true), rows.isHere([3])]).toEqual([
    ...[true, false, false],
  ]);
  await rows.reading([1], true);
  expect([rows.lately(1)?.says, pieces]).toEqual(["1", [1]]);
});

it("[VW12] a piece that is larger than all room is there while it is looked at", async () => {
  const { rows } = rowsOf(70_000_000);
  await rows.piece(0);
  await rows.piece(1);

  expect([rows.now(0), rows.now(1)?.says]).toEqual([undefined, "1"]);
});
