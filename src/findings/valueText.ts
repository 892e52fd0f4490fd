/** Values of a log as texts, within bounds: any of them may be hostile. */
import { isTooDeep } from "../contract/plainValue.ts";
import { cutText } from "../machines/cutText.ts";
import type { Json } from "../machines/letter.ts";
import { sortedJson } from "../machines/sortedJson.ts";
import { QUOTED_CHARS_MAX } from "./thresholds.ts";

/** One text for one value, whatever the order of its members; null for what is nested without measure. */
export const exactText = (value: Json): string | null =>
  isTooDeep(value) ? null : sortedJson(value);

/** A text as a sentence quotes it: on one line, cut. */
export function quotedText(text: string): string {
  const line = text.slice(0, LOOKED_AT_CHARS).replace(/\s+/g, " ").trim();
  const short = cutText(line, QUOTED_CHARS_MAX);
  const isWhole = short === line && text.length <= LOOKED_AT_CHARS;
  return JSON.stringify(isWhole ? short : `${short}…`);
}

/** Enough for what is quoted, with line breaks and indents. */
const LOOKED_AT_CHARS = 8 * QUOTED_CHARS_MAX;
