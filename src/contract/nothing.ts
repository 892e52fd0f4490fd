/**
 * What counts as nothing, to every reader of logs. An empty list is no such thing: it is empty, and answers that there is none. A value
 * beside which nothing else stands but empty ones is.
 */
import { isMap } from "../machines/isMap.ts";
import type { Json } from "../machines/letter.ts";
import { readJson } from "../machines/readJson.ts";
import { isTooDeep } from "./plainValue.ts";

/** What programs print in place of nothing, without case, space and brackets. */
const WORDS: ReadonlySet<string> = new Set([
  "",
  "null",
  "none",
  "undefined",
  "nil",
  "void",
  "no output",
  "no result",
  "empty response",
]);

/** Longest text that may be one of these words. */
const WORD_CHARS_MAX = 40;

/** Whether a result holds nothing. */
export const isNothing = (result: Json): boolean => !isTooDeep(result) && isEmpty(result);

/** What is empty of a result, in words: all of it, or the list that it is; null where it holds something. */
export function emptyText(result: Json): "nothing" | "an empty list" | null {
  if (isNothing(result)) return "nothing";
  const isList =
    typeof result === "string"
      ? /^\s*\[\s*\]\s*$/.test(result)
      : Array.isArray(result) && result.length === 0;
  return isList ? "an empty list" : null;
}

function isEmpty(value: Json): boolean {
  if (value === null) return true;
  if (typeof value === "string") return isEmptyText(value);
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.length > 0 && value.every(isEmpty);
  if (!isMap(value)) return false;
  // A block of a message: its type says nothing of what it holds.
  if (value["type"] === "text" && "text" in value) return isEmpty(value["text"] ?? null);
  return Object.values(value).every(isEmpty);
}

function isEmptyText(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > WORD_CHARS_MAX) return false;
  if (/^[{["]/.test(trimmed)) {
    const inner = readJson(trimmed);
    if (inner !== undefined) return isEmpty(inner);
  }
  return WORDS.has(
    trimmed
      .toLowerCase()
      .replace(/^[[(<"'{]+|[\])>"'}.]+$/g, "")
      .trim(),
  );
}
