/** The values in a text that tell where they come from: numbers and ids that are no mere dates, addresses, long words. */
import type { Json } from "../../machines/letter.ts";
import { bounds, telling } from "./bounds.ts";

const CANDIDATE = /[A-Za-z0-9][\w.@:/+-]*/g;
const END = /[.:/+@-]+$/;
const YEAR = /^(?:19|20)\d\d$/;
const DATE_OR_TIME = /^\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?(?:T[\d:.+-]*)?(?:[+-]\d+)?$/;
const ROUND = /^[1-9]0+(?:\.0+)?$/;
const NUMBER = /^[\d.:/+-]+$/;
const LETTERS = /^[A-Za-z]+$/;

/** Whether it is likely to stand in two places because one has it from the other. */
export function isTelling(value: string): boolean {
  if (/\d/.test(value)) {
    if (value.length < telling.withDigit || YEAR.test(value) || ROUND.test(value)) return false;
    if (DATE_OR_TIME.test(value) && !/^\d+\.\d+$/.test(value)) return false;
    // Of a number, its digits; of a decimal, too.
    return !NUMBER.test(value) || value.replace(/\D/g, "").length >= telling.withDigit;
  }
  if (/[_@]/.test(value)) return value.length >= telling.joined;
  return value.length >= telling.word && LETTERS.test(value);
}

/** Each once, in the order of the text; names of fields in JSON are no values. */
export function tellingValues(text: string): readonly string[] {
  const searched = text.length > bounds.searchedChars ? text.slice(0, bounds.searchedChars) : text;
  const found = new Set<string>();
  CANDIDATE.lastIndex = 0;
  for (let hit = CANDIDATE.exec(searched); hit !== null; hit = CANDIDATE.exec(searched)) {
    const [raw] = hit;
    if (raw.length < telling.withDigit || raw.length > bounds.valueChars) continue;
    const end = hit.index + raw.length;
    if (searched[end] === '"' && searched[end + 1] === ":") continue;
    const value = END.test(raw) ? raw.replace(END, "") : raw;
    if (isTelling(value)) found.add(value);
  }
  return [...found];
}

/** A value as the text in which values are looked for. */
export const searchable = (value: Json): string =>
  typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
