/**
 * The one text of a JSON value (RFC 8785), used under every hash.
 * Strict: what JSON cannot say is refused with its path instead of being dropped.
 */

/** A value that is not strict JSON. `path` is like `$.event.steps[2]`. */
export class NotJsonError extends Error {
  override readonly name = "NotJsonError";
  readonly path: string;
  constructor(path: string, found: string) {
    super(`${path}: ${found} is not JSON`);
    this.path = path;
  }
}

/** Ours: deeper than any honest value. Without it the host's stack would decide, and hosts differ. */
const DEPTH_MAX = 500;

/** Keys and indices from the top to the value at hand, only for an error: one list for all calls. */
const trail: (string | number)[] = [];

/**
 * Throws NotJsonError on undefined, NaN, infinities, functions, lone surrogates, class instances,
 * and on what is nested deeper than `DEPTH_MAX`. `top` stands for the value in the error's path.
 */
export function canonicalJson(value: unknown, top = "$"): string {
  if (isInOrder(value, 0)) return JSON.stringify(value);
  trail.length = 0;
  return textOf(value, top);
}

/** Whether it is strict JSON with its keys in order throughout: then the host's own text is the canonical one. */
function isInOrder(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
      return value.isWellFormed();
    case "number":
      return Number.isFinite(value);
    case "boolean":
      return true;
    case "object":
      if (value === null) return true;
      if (depth >= DEPTH_MAX) return false;
      return Array.isArray(value) ? isListInOrder(value, depth) : isMapInOrder(value, depth);
    default:
      return false;
  }
}

function isListInOrder(items: readonly unknown[], depth: number): boolean {
  for (let i = 0; i < items.length; i++) if (!isInOrder(items[i], depth + 1)) return false;
  return true;
}

function isMapInOrder(object: object, depth: number): boolean {
  if (!isPlain(object)) return false;
  let previous = "";
  for (const key of Object.keys(object)) {
    if (key < previous || !key.isWellFormed()) return false;
    if (!isInOrder((object as { readonly [name: string]: unknown })[key], depth + 1)) return false;
    previous = key;
  }
  return true;
}

function textOf(value: unknown, top: string): string {
  switch (typeof value) {
    case "string":
      if (PLAIN.test(value)) return `"${value}"`;
      if (!value.isWellFormed()) throw notJson("a string with a lone surrogate", top);
      return JSON.stringify(value);
    case "number":
      if (!Number.isFinite(value)) throw notJson(String(value), top);
      return String(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (trail.length >= DEPTH_MAX) throw notJson(`a value ${DEPTH_MAX} levels deep`, top);
      return Array.isArray(value) ? arrayText(value, top) : objectText(value, top);
    default:
      throw notJson(value === undefined ? "undefined" : `a ${typeof value}`, top);
  }
}

/** Short, and without a character that JSON escapes: most strings. */
const PLAIN = /^[ !#-[\]-~]{0,40}$/;

function arrayText(items: readonly unknown[], top: string): string {
  let text = "[";
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ",";
    trail.push(i);
    text += textOf(items[i], top);
    trail.pop();
  }
  return `${text}]`;
}

function objectText(object: object, top: string): string {
  if (!isPlain(object)) {
    throw notJson(`a ${object.constructor?.name ?? "class instance"}`, top);
  }
  const keys = inOrder(Object.keys(object));
  let text = "{";
  for (const key of keys) {
    if (text.length > 1) text += ",";
    text += `${textOf(key, top)}:`;
    trail.push(key);
    text += textOf((object as Record<string, unknown>)[key], top);
    trail.pop();
  }
  return `${text}}`;
}

/** Sorts the list itself. A map has few keys, most of them in order: the engine's own sort takes longer. */
function inOrder(keys: string[]): string[] {
  if (keys.length > MANY) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string;
    let at = i;
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

const MANY = 20;

function isPlain(object: object): boolean {
  const prototype = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null;
}

function notJson(found: string, top: string): NotJsonError {
  const steps = trail.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  return new NotJsonError(`${top}${steps.join("")}`, found);
}

/** The same value with every map's keys in canonical order; itself where they are, or where it is no JSON. */
export function inCanonicalOrder<T>(value: T, depth = 0): T {
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return value;
  if (isInOrder(value, depth)) return value;
  const entries = Object.entries(value);
  const sorted = Array.isArray(value) ? entries : entries.toSorted(byKey);
  const inner = sorted.map(([key, one]) => [key, inCanonicalOrder(one, depth + 1)] as const);
  const isSame = inner.every(
    ([key, one], at) => key === entries[at]?.[0] && one === entries[at]?.[1],
  );
  if (isSame || !(Array.isArray(value) || isPlain(value))) return value;
  // Of the same members.
  return (Array.isArray(value) ? inner.map(([, one]) => one) : Object.fromEntries(inner)) as T;
}

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;
