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

/** Keys and indices from the top to the value at hand; a path is made of it only for an error. */
type Trail = (string | number)[];

/**
 * Throws NotJsonError on undefined, NaN, infinities, functions, lone surrogates, class instances,
 * and on what is nested deeper than `DEPTH_MAX`. `top` stands for the value in the error's path.
 */
export const canonicalJson = (value: unknown, top = "$"): string => textOf(value, top, []);

function textOf(value: unknown, top: string, trail: Trail): string {
  switch (typeof value) {
    case "string":
      if (!value.isWellFormed()) throw notJson("a string with a lone surrogate", top, trail);
      return JSON.stringify(value);
    case "number":
      if (!Number.isFinite(value)) throw notJson(String(value), top, trail);
      return String(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (trail.length >= DEPTH_MAX) throw notJson(`a value ${DEPTH_MAX} levels deep`, top, trail);
      return Array.isArray(value) ? arrayText(value, top, trail) : objectText(value, top, trail);
    default:
      throw notJson(value === undefined ? "undefined" : `a ${typeof value}`, top, trail);
  }
}

function arrayText(items: readonly unknown[], top: string, trail: Trail): string {
  let text = "[";
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ",";
    trail.push(i);
    text += textOf(items[i], top, trail);
    trail.pop();
  }
  return `${text}]`;
}

function objectText(object: object, top: string, trail: Trail): string {
  if (!isPlain(object)) {
    throw notJson(`a ${object.constructor?.name ?? "class instance"}`, top, trail);
  }
  let text = "{";
  for (const key of Object.keys(object).sort()) {
    if (text.length > 1) text += ",";
    text += `${textOf(key, top, trail)}:`;
    trail.push(key);
    text += textOf((object as Record<string, unknown>)[key], top, trail);
    trail.pop();
  }
  return `${text}}`;
}

function isPlain(object: object): boolean {
  const prototype = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null;
}

function notJson(found: string, top: string, trail: Trail): NotJsonError {
  const steps = trail.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  return new NotJsonError(`${top}${steps.join("")}`, found);
}

/** The same value with every map's keys in canonical order; itself where they are, or where it is no JSON. */
export function inCanonicalOrder<T>(value: T, depth = 0): T {
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return value;
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
