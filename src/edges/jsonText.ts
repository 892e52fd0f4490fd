/** JSON that somebody wrote by hand: what is wrong with it, and where. */
import type { Json } from "../machines/letter.ts";
import { readFault, readJson } from "../machines/readJson.ts";
import { badInput, quoted, type Where } from "./errors.ts";
import { redactor } from "./redaction.ts";

/** Throws BadInput, which quotes no value of the text but a long number: it may hold a secret. */
export function jsonText(text: string, where: Where, todo: string): Json {
  const value = readJson(text);
  const loss = value === undefined ? undefined : lossIn(text);
  if (value !== undefined && loss === undefined) return value;
  const at = (offset: number): Where => {
    const before = text.slice(0, offset).split("\n");
    return { ...where, line: before.length, column: (before.at(-1) ?? "").length + 1 };
  };
  if (loss !== undefined) {
    const { offset, found, allowed } = loss;
    throw badInput(at(offset), found, allowed, todo);
  }
  const error = faultOf(text);
  throw error === undefined
    ? badInput(where, String(readFault(text)), "plain JSON", todo)
    : badInput(at(placeOf(text, error)), "no JSON", "one JSON object", todo);
}

interface Loss {
  readonly offset: number;
  readonly found: string;
  readonly allowed: string;
}

/** What a reader of this JSON would lose without a word: a key that stands twice, or the last digits of a whole number. */
export function lossIn(text: string): Loss | undefined {
  const open: Set<string>[] = [];
  const token = /[{}[\]"]|-?\d[\d.eE+-]*/g;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const { 0: said, index } = found;
    if (said === "{" || said === "[") open.push(new Set());
    else if (said === "}" || said === "]") open.pop();
    else if (said === '"') {
      token.lastIndex = endOfText(text, index);
      const loss = keyAgain(text, index, token.lastIndex, open.at(-1));
      if (loss !== undefined) return loss;
    } else if (isLost(said)) {
      const shown = said.length > DIGITS_SHOWN ? `of ${said.length} digits` : said;
      const allowed = `whole numbers up to ${Number.MAX_SAFE_INTEGER}, or a text`;
      return { offset: index, found: `the number ${shown}`, allowed };
    }
  }
  return undefined;
}

const DIGITS_SHOWN = 40;

/** Whether a whole number would be another, or a small one nothing. What has a fraction is as near as a number can be. */
function isLost(said: string): boolean {
  const value = Number(said);
  if (/^-?\d+$/.test(said)) return !Number.isSafeInteger(value);
  if (value === 0) return /[1-9]/.test(said.replace(/e.*/i, ""));
  const [digits, power] = decimalOf(said);
  const [kept, keptPower] = decimalOf(String(value));
  return power >= 0 && (digits !== kept || power !== keptPower);
}

/** The digits of a number without the zeros around them, and the power of ten by which they count. */
function decimalOf(said: string): readonly [digits: string, power: number] {
  const [, whole = "", fraction = "", power = "0"] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(said) ?? [];
  const written = whole + fraction;
  let end = written.length;
  while (written[end - 1] === "0") end -= 1;
  const digits = written.slice(0, end);
  const shift = Number(power) - fraction.length + written.length - digits.length;
  return [digits.replace(/^0+/, ""), shift];
}

/** Behind the quote that no backslash takes for the text. No pattern: a long text would fill its stack. */
function endOfText(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    let before = end;
    while (text[before - 1] === "\\") before--;
    if ((end - before) % 2 === 0) return end + 1;
  }
}

function keyAgain(
  text: string,
  offset: number,
  end: number,
  keys: Set<string> | undefined,
): Loss | undefined {
  const colon = /\s*:/y;
  colon.lastIndex = end;
  if (!colon.test(text)) return undefined;
  const key = String(JSON.parse(text.slice(offset, end)));
  if (keys?.has(key)) {
    const found = `the key ${quoted(redactor().text(key))} again`;
    return { offset, found, allowed: "a key once in an object" };
  }
  keys?.add(key);
  return undefined;
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
