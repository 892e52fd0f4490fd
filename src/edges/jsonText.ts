/** JSON that somebody wrote by hand: what is wrong with it, and where. */
import type { Json } from "../machines/letter.ts";
import { readJson } from "../machines/readJson.ts";
import { BadInput, type Where } from "./errors.ts";

/** Throws BadInput, which quotes nothing of the text: it may hold a secret. */
export function jsonText(text: string, where: Where, todo: string): Json {
  const value = readJson(text);
  if (value !== undefined) return value;
  const error = faultOf(text);
  if (error !== undefined) {
    const before = text.slice(0, placeOf(text, error)).split("\n");
    const place = { line: before.length, column: (before.at(-1) ?? "").length + 1 };
    throw new BadInput({
      where: { ...where, ...place },
      found: "no JSON",
      allowed: "one JSON object",
      todo,
    });
  }
  throw new BadInput({
    where,
    found:
      "JSON that no recording could hold: nested without end, half a character, a number past all bounds or __proto__",
    allowed: "plain JSON",
    todo,
  });
}

function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Where the engine does not say it: behind the longest beginning that lacks nothing but its end. */
function placeOf(text: string, error: string): number {
  const [, said] = /at position (\d+)/.exec(error) ?? [];
  if (said !== undefined) return Number(said);
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isBegun(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isBegun(text: string): boolean {
  const error = faultOf(text);
  return (
    error === undefined ||
    /end of JSON input|Unterminated/.test(error) ||
    error.includes(`at position ${text.length} `)
  );
}
