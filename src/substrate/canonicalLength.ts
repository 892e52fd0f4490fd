/**
 * The length of a value's canonical text, without the text: what a bare run needs of it, since limits bite
 * at the same envelope on every level. Whatever canonicalJson refuses is refused here with the same error.
 */
import { canonicalJson } from "./canonicalJson.ts";

/** Throws NotJsonError exactly where canonicalJson does. */
export function canonicalLength(value: unknown, top = "$"): number {
  const length = lengthOf(value, 0);
  // Too odd to be counted: the other one says what is wrong with it, or how long it is.
  return length < 0 ? canonicalJson(value, top).length : length;
}

const ODD = -1;

/** Nested deeper than this is left to canonicalJson, which has the bound. */
const DEPTH_MAX = 100;

function lengthOf(value: unknown, depth: number): number {
  switch (typeof value) {
    case "string":
      return textLength(value);
    case "number":
      return numberLength(value);
    case "boolean":
      return value ? 4 : 5;
    case "object":
      if (value === null) return 4;
      if (depth > DEPTH_MAX) return ODD;
      return Array.isArray(value) ? listLength(value, depth) : mapLength(value, depth);
    default:
      return ODD;
  }
}

function listLength(items: readonly unknown[], depth: number): number {
  // Two brackets, and a comma between any two.
  let sum = items.length === 0 ? 2 : items.length + 1;
  for (let i = 0; i < items.length; i++) {
    const length = lengthOf(items[i], depth + 1);
    if (length < 0) return ODD;
    sum += length;
  }
  return sum;
}

function mapLength(object: object, depth: number): number {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return ODD;
  let sum = 1;
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue;
    const [name, length] = [
      textLength(key),
      lengthOf((object as { readonly [name: string]: unknown })[key], depth + 1),
    ];
    if (name < 0 || length < 0) return ODD;
    // A colon, and a comma or the brace.
    sum += name + length + 2;
  }
  return sum === 1 ? 2 : sum;
}

/** Texts up to here are looked at here, longer ones by the engine's own search. */
const SHORT_CHARS = 24;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

function textLength(text: string): number {
  if (text.length > SHORT_CHARS) return ESCAPED.test(text) ? oddLength(text) : text.length + 2;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
      return oddLength(text);
    }
  }
  return text.length + 2;
}

const oddLength = (text: string): number =>
  text.isWellFormed() ? JSON.stringify(text).length : ODD;

function numberLength(value: number): number {
  if (!Number.isSafeInteger(value)) return Number.isFinite(value) ? String(value).length : ODD;
  let digits = value < 0 ? 2 : 1;
  for (let rest = Math.abs(value); rest >= 10; rest /= 10) digits++;
  return digits;
}
