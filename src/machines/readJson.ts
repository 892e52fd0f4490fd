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

/** Why a text gives no value, in words that quote nothing of it; null where it gives one. */
export function readFault(text: string): string | null {
  try {
    return jsonFault(JSON.parse(text) as Json);
  } catch {
    return "no JSON";
  }
}

/** Why a value is none that is read, in such words; null where it is one. */
export const jsonFault = (value: Json, depth = DEPTH_MAX): string | null => faultIn(value, depth);

function parsed(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return jsonFault(value) === null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same, when it is an object. */
export function readObject(text: string): { readonly [key: string]: Json } | undefined {
  const value = readJson(text);
  return isMap(value) ? value : undefined;
}

/** The same, with words around it, as models write them. */
export const objectWithin = (text: string): { readonly [key: string]: Json } | undefined =>
  readObject(text) ?? readObject(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));

const HALF = "half a character, a lone surrogate";

function faultIn(value: Json, depth: number): string | null {
  if (typeof value === "string") return value.isWellFormed() ? null : HALF;
  if (typeof value === "number") return Number.isFinite(value) ? null : "a number past all bounds";
  if (typeof value !== "object" || value === null) return null;
  if (depth === 0) return `nesting deeper than ${DEPTH_MAX}`;
  const members = value as { readonly [key: string]: Json }; // An array has its items under their numbers.
  for (const key of Object.keys(members)) {
    if (key === "__proto__") return "a key __proto__";
    if (!key.isWellFormed()) return HALF;
    const fault = faultIn(members[key] as Json, depth - 1);
    if (fault !== null) return fault;
  }
  return null;
}
