/** Values of a log as texts, within bounds: any of them may be hostile. */
import { cutText } from "../machines/cutText.ts";
import type { Json } from "../machines/letter.ts";
import { sortedJson } from "../machines/sortedJson.ts";
import { DEPTH_MAX, QUOTED_CHARS_MAX, TEXT_CHARS_MAX, VALUES_MAX } from "./thresholds.ts";

/** The strings, numbers and booleans in a value, without names of members; at most VALUES_MAX of them. */
export function* leavesIn(value: Json): Generator<string | number | boolean, undefined> {
  const open: Json[] = [value];
  let count = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (++count > VALUES_MAX) return;
    if (one === null) continue;
    if (typeof one !== "object") yield one;
    else
      open.push(
        ...Object.values(one as object)
          .slice(0, VALUES_MAX)
          .reverse(),
      );
  }
}

/** Whether some value within it is more than `DEPTH_MAX` levels down. */
export function isTooDeep(value: Json): boolean {
  const open: (readonly [Json, number])[] = [[value, 0]];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [inner, depth] = one;
    if (typeof inner !== "object" || inner === null) continue;
    if (depth === DEPTH_MAX) return true;
    for (const member of Object.values(inner as object)) open.push([member, depth + 1]);
  }
  return false;
}

/** One text for one value, whatever the order of its members; null for what is nested without measure. */
export const exactText = (value: Json): string | null =>
  isTooDeep(value) ? null : sortedJson(value);

/** The text of a value that is one, else all that it holds, joined. */
export function plainText(value: Json): string {
  if (typeof value === "string") return value.slice(0, TEXT_CHARS_MAX);
  let text = "";
  for (const leaf of leavesIn(value)) {
    if (text.length >= TEXT_CHARS_MAX) break;
    text += `${text === "" ? "" : " "}${leaf}`;
  }
  return text.slice(0, TEXT_CHARS_MAX);
}

/** A text as a sentence quotes it: on one line, cut. */
export function quotedText(text: string): string {
  const line = text.slice(0, LOOKED_AT_CHARS).replace(/\s+/g, " ").trim();
  const short = cutText(line, QUOTED_CHARS_MAX);
  const isWhole = short === line && text.length <= LOOKED_AT_CHARS;
  return JSON.stringify(isWhole ? short : `${short}…`);
}

/** Enough for what is quoted, with line breaks and indents. */
const LOOKED_AT_CHARS = 8 * QUOTED_CHARS_MAX;
