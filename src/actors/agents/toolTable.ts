/**
 * A tool of a scenario that answers from a table: the first row that fits the arguments. Ours; so that what a log
 * recorded can be played again, a row may answer the n-th call with the same arguments with its n-th outcome.
 */
import type { Json } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import { sortedJson } from "../../machines/sortedJson.ts";

export type Arguments = { readonly [name: string]: Json };

export interface ToolTable {
  readonly rows: readonly ToolRow[];
  /** What it answers where no row fits; an error that says so when null. */
  readonly otherwise: ToolOutcome | null;
}

export interface ToolRow {
  readonly fits:
    | { readonly kind: "when"; readonly args: { readonly [name: string]: Json } }
    | { readonly kind: "args"; readonly args: Arguments };
  /** In turn for calls with the same arguments; the last one again for those behind it. At least one. */
  readonly outcomes: readonly ToolOutcome[];
}

/** What a call comes to: a result, or why it failed; `latencyMs` are virtual milliseconds, least and most. */
export type ToolOutcome = (
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly error: string }
) & { readonly latencyMs?: Latency };

export type Latency = readonly [least: number, most: number];

/** The number of the first row that fits; undefined when none does. */
export function rowFor({ rows }: ToolTable, params: Arguments): number | undefined {
  const text = sortedJson(params);
  const found = rows.findIndex(({ fits }) =>
    fits.kind === "args"
      ? sortedJson(fits.args) === text
      : Object.entries(fits.args).every(([name, wanted]) => isLike(ownValue(params, name), wanted)),
  );
  return found < 0 ? undefined : found;
}

/** A list holds alternatives; in a text `*` stands for any characters; everything else is the same or is not. */
function isLike(value: Json | undefined, wanted: Json): boolean {
  if (value === undefined) return false;
  if (Array.isArray(wanted)) return wanted.some((one) => isSame(value, one));
  return isSame(value, wanted);
}

const isSame = (value: Json, wanted: Json): boolean =>
  typeof value === "string" && typeof wanted === "string" && wanted.includes("*")
    ? hasPieces(value, wanted.split("*"))
    : sortedJson(value) === sortedJson(wanted);

/** Whether the pieces stand in the text in their order, the first at its start and the last at its end. */
function hasPieces(text: string, pieces: readonly string[]): boolean {
  const [first = "", ...rest] = pieces;
  const last = rest.pop() ?? "";
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
