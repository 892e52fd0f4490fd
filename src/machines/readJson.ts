/**
 * Reads JSON that a model or an agent wrote. What no recording could hold (a lone surrogate, a
 * number past all bounds, nesting without end, a `__proto__`) is as bad as what is no JSON.
 */
import { isMap } from "./isMap.ts";
import type { Json } from "./letter.ts";

/** Ours: deeper than any answer or spec needs, and far from the end of a call stack. */
const DEPTH_MAX = 64;

/** One answer is read for several things in a row. */
let last: { readonly text: string; readonly value: Json | undefined } = {
  text: "",
  value: undefined,
};

/** The value, or undefined. */
export function readJson(text: string): Json | undefined {
  if (text !== last.text) last = { text, value: parsed(text) };
  return last.value;
}

function parsed(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isStrict(value, DEPTH_MAX) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same, when it is an object. */
export function readObject(text: string): { readonly [key: string]: Json } | undefined {
  const value = readJson(text);
  return isMap(value) ? value : undefined;
}

function isStrict(value: Json, depth: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  const members = value as { readonly [key: string]: Json }; // An array has its items under their numbers.
  for (const key of Object.keys(members)) {
    if (key === "__proto__" || !key.isWellFormed()) return false;
    if (!isStrict(members[key] as Json, depth - 1)) return false;
  }
  return true;
}
