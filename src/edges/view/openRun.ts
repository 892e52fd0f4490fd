/** A run that is open for a page: its head, its columns, and its rows in pieces. */
import { explainer as explainerOf } from "../../run/why.ts";
import { packColumns, type ViewHead, type ViewRow } from "../../viewer/viewData.ts";
import type { PartLists } from "../parts/partLists.ts";
import { viewColumns } from "./viewColumns.ts";
import { type ViewedRun, viewedRun } from "./viewedRun.ts";
import { explanationsOf, viewHead } from "./viewHead.ts";
import { type Fullness, type RowMaker, rowMaker } from "./viewRows.ts";

export interface OpenRun {
  readonly run: ViewedRun;
  readonly head: ViewHead;
  readonly flags: Uint8Array;
  readonly packed: Uint8Array;
  readonly row: RowMaker;
  readonly explanations: ReturnType<typeof explanationsOf>;
}

/** Throws what reading and verifying a bundle throws. */
export function openRun(lists: PartLists, folder: string): OpenRun {
  const run = viewedRun(lists, folder);
  const explainer = explainerOf(run.parts, run.deliveries, run.bundle.inputs);
  const columns = viewColumns(run, explainer);
  const explanations = explanationsOf(lists, run, explainer);
  return {
    run,
    head: viewHead({ lists, run, columns, explanations }),
    flags: columns.columns.flags,
    packed: packColumns(columns.columns),
    row: rowMaker(run, columns.places, explainer),
    explanations,
  };
}

/** The rows of one piece; `undefined` beyond the last. */
export function pieceOf(
  { head: { count, pieceSize }, row }: Pick<OpenRun, "head" | "row">,
  number: number,
  fullnessOf: (place: number) => Fullness,
): readonly ViewRow[] | undefined {
  const from = number * pieceSize;
  if (!Number.isSafeInteger(number) || from < 0 || from >= count) return undefined;
  const length = Math.min(pieceSize, count - from);
  return Array.from({ length }, (_, at) => row(from + at, fullnessOf(from + at)));
}
