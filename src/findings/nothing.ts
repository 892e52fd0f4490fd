/**
 * What counts as nothing. An empty list is no such thing: it answers that there is none. A value beside which nothing
 * else stands but empty ones is.
 */
import { isMap } from "../machines/isMap.ts";
import type { Json } from "../machines/letter.ts";
import { readJson } from "../machines/readJson.ts";
import { isTooDeep } from "./valueText.ts";

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

/** Whether a result holds nothing that could be used, be it nothing at all or an answer that there is none: `[]`, `{}`. */
export const isEmptyAnswer = (result: Json): boolean => {
  if (isNothing(result)) return true;
  if (typeof result === "string" && /^\s*[[{]\s*[\]}]\s*$/.test(result)) return true;
  return typeof result === "object" && result !== null && Object.keys(result).length === 0;
};

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
