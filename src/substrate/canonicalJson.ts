/**
 * The one text of a JSON value (RFC 8785), used under every hash.
 * Strict: what JSON cannot say is refused with its path instead of being dropped.
 */

/** A value that is not strict JSON. `path` is like `$.goal.steps[2]`. */
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

/**
 * Throws NotJsonError on undefined, NaN, infinities, functions, lone surrogates, class instances,
 * and on what is nested deeper than `DEPTH_MAX`.
 */
export function canonicalJson(value: unknown, path = "$", depth = 0): string {
  switch (typeof value) {
    case "string":
      if (!value.isWellFormed()) throw new NotJsonError(path, "a string with a lone surrogate");
      return JSON.stringify(value);
    case "number":
      if (!Number.isFinite(value)) throw new NotJsonError(path, String(value));
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (depth >= DEPTH_MAX) throw new NotJsonError(path, `a value ${DEPTH_MAX} levels deep`);
      return Array.isArray(value)
        ? arrayText(value, path, depth + 1)
        : objectText(value, path, depth + 1);
    default:
      throw new NotJsonError(path, value === undefined ? "undefined" : `a ${typeof value}`);
  }
}

function arrayText(items: readonly unknown[], path: string, depth: number): string {
  let text = "[";
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ",";
    text += canonicalJson(items[i], `${path}[${i}]`, depth);
  }
  return `${text}]`;
}

function objectText(object: object, path: string, depth: number): string {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new NotJsonError(path, `a ${object.constructor?.name ?? "class instance"}`);
  }
  let text = "{";
  for (const key of Object.keys(object).sort()) {
    if (text.length > 1) text += ",";
    const member = (object as Record<string, unknown>)[key];
    text += `${canonicalJson(key, path)}:${canonicalJson(member, `${path}.${key}`, depth)}`;
  }
  return `${text}}`;
}
