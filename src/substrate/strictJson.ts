/**
 * Whether a value is strict JSON whose canonical text is no longer than a limit, without making the text:
 * what a bare run needs of it, since limits bite at the same letter on every level.
 */
import { canonicalJson } from "./canonicalJson.ts";

/**
 * How long the canonical text is at most, when that is `mostChars` or less; its true length otherwise.
 * Throws NotJsonError exactly where canonicalJson does.
 */
export function charsWithin(value: unknown, mostChars: number): number {
  const most = mostOf(value, 0);
  // Too odd or too long to be sure: the text decides.
  return most >= 0 && most <= mostChars ? most : canonicalJson(value).length;
}

const ODD = -1;

/** Nested deeper than this is left to canonicalJson, which has the bound. */
const DEPTH_MAX = 100;
/** `-1.2345678901234567e+100` and the like. */
const NUMBER_CHARS_MAX = 25;
/** `\u0000` for one character. */
const ESCAPED_CHARS = 6;

function mostOf(value: unknown, depth: number): number {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() ? ESCAPED_CHARS * value.length + 2 : ODD;
    case "number":
      return Number.isFinite(value) ? NUMBER_CHARS_MAX : ODD;
    case "boolean":
      return 5;
    case "object":
      if (value === null) return 4;
      if (depth > DEPTH_MAX) return ODD;
      return Array.isArray(value) ? mostOfList(value, depth) : mostOfMap(value, depth);
    default:
      return ODD;
  }
}

/** What is in a letter never changes, and long lists, such as that of all tools, go around in many letters. */
const knownLists = new WeakMap<readonly unknown[], Known>();

interface Known {
  readonly most: number;
  /** Where it was looked through: deeper down, what is in it may be too deep. */
  readonly depth: number;
}

/** Ours: shorter lists are looked through in less time than they are found. */
const KNOWN_ITEMS_MIN = 8;

function mostOfList(items: readonly unknown[], depth: number): number {
  if (items.length < KNOWN_ITEMS_MIN) return mostOfItems(items, depth);
  const before = knownLists.get(items);
  if (before !== undefined && depth <= before.depth) return before.most;
  const most = mostOfItems(items, depth);
  knownLists.set(items, { most, depth });
  return most;
}

function mostOfItems(items: readonly unknown[], depth: number): number {
  let sum = 2;
  for (let i = 0; i < items.length; i++) {
    const most = mostOf(items[i], depth + 1);
    if (most < 0) return ODD;
    sum += most + 1;
  }
  return sum;
}

function mostOfMap(object: object, depth: number): number {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return ODD;
  let sum = 2;
  // Not Object.keys, which makes a list. What it has beyond own keys makes it longer, so that the text decides.
  for (const key in object) {
    const most = mostOf((object as { readonly [name: string]: unknown })[key], depth + 1);
    const mostKey = mostOfKey(key);
    if (most < 0 || mostKey < 0) return ODD;
    sum += mostKey + most;
  }
  return sum;
}

/** There are few: to find one takes a third of the time that it takes to look through it. */
const keys = new Map<string, number>();
const KEYS_MAX = 5_000;
const KEY_CHARS_MAX = 100;

function mostOfKey(key: string): number {
  const before = keys.get(key);
  if (before !== undefined) return before;
  // Quotes, a colon and a comma.
  const most = key.isWellFormed() ? ESCAPED_CHARS * key.length + 4 : ODD;
  if (keys.size < KEYS_MAX && key.length <= KEY_CHARS_MAX) keys.set(key, most);
  return most;
}
