/**
 * The table of a scenario and its variants as a file beside the report. The seal of the bundle does not vouch for it: whoever
 * shows it says so. It names the digest of the run beside which they were played, so that it passes for no other's.
 */
import type { ViewVariants } from "../../viewer/viewData.ts";
import { parsedJson } from "../strictValue.ts";

export const variantsText = (variants: ViewVariants, digest: string | null): string =>
  `${JSON.stringify({ of: digest, ...variants }, null, 2)}\n`;

/** Undefined for a text that is no such table of a run with this digest. */
export function variantsIn(text: string, digest: string): ViewVariants | undefined {
  const parsed = parsedJson(text);
  if ("fault" in parsed) return undefined;
  const { of, title, head, rows } = (parsed.value ?? {}) as { readonly [key: string]: unknown };
  if (of !== digest || typeof title !== "string") return undefined;
  if (!areTexts(head) || !Array.isArray(rows)) return undefined;
  return rows.every((row) => isRow(row, head.length)) ? { title, head, rows } : undefined;
}

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

function isRow(value: unknown, width: number): value is ViewVariants["rows"][number] {
  const { cells, wrong } = (value ?? {}) as { readonly [key: string]: unknown };
  const isShare = wrong === null || (typeof wrong === "number" && wrong >= 0 && wrong <= 1);
  return isShare && areTexts(cells) && cells.length === width;
}
