/** What counts as an error, whether the log says so or only the result does. */
import { isMap } from "../machines/isMap.ts";
import type { Json } from "../machines/letter.ts";
import { readJson } from "../machines/readJson.ts";
import { emptyText } from "./nothing.ts";
import { plainText, TEXT_CHARS_MAX } from "./plainValue.ts";
import type { ToolReturned } from "./trace.ts";

/**
 * The error that a call ended with, in its own words; null where it did not. That a log says of a call that it went well says nothing of what came back:
 * runtimes say so of every tool that raised nothing, and of every program that ended with nought.
 */
export function failureOf({
  ok,
  error,
  result,
}: Pick<ToolReturned, "ok" | "error" | "result">): string | null {
  if (error !== null) return error;
  const told = errorIn(result);
  if (told !== null) return told;
  return ok === false ? plainText(result) || "it says that it failed" : null;
}

/** How texts begin that are errors: a word for it and a sign, a class of errors, or a stack. */
const BEGINNINGS = [
  /^(fatal |internal |server |unknown |runtime |api )?(error|exception)( \d+)?\s*([:!(—–-]|$)/i,
  /^(an?\s+)?(unexpected\s+)?error\s+(occurred|while|when|in|calling|executing|code|from)\b/i,
  /^traceback \(most recent call last\)/i,
  /^([a-z_]+\.)*[A-Z][A-Za-z]*(Error|Exception)(:|$)/,
  /^(execution |request |call |command )?failed(:| to\b|$)/i,
  /^(http )?[45]\d\d (bad request|unauthorized|forbidden|not found|internal server error|bad gateway)/i,
  /^(permission|access) denied\b/i,
  /^command (not found|failed)\b/i,
  /^fatal:/i,
  /^\[error\b/i,
  /^exit ?code:? [1-9]/i,
  /^<tool_use_error>/,
];

const STATUSES: ReadonlySet<unknown> = new Set(["error", "failed", "failure", "exception"]);

/** What a result says of an error in itself; null where it says of none. */
export function errorIn(result: Json): string | null {
  if (typeof result === "string") {
    const text = result.slice(0, TEXT_CHARS_MAX).trim();
    if (/^[{[]/.test(text)) {
      const inner = readJson(text);
      if (inner !== undefined) return errorIn(inner);
    }
    return BEGINNINGS.some((one) => one.test(text)) ? text : null;
  }
  if (Array.isArray(result)) {
    const [block] = result as readonly Json[];
    return result.length === 1 && isMap(block) && block["type"] === "text"
      ? errorIn(block["text"] ?? null)
      : null;
  }
  if (!isMap(result)) return null;
  for (const name of ["error", "errors", "exception"] as const) {
    const told = Object.hasOwn(result, name) ? (result[name] ?? null) : null;
    const isSaid = told !== false && told !== 0 && emptyText(told) === null;
    if (isSaid) return told === true ? plainText(result) : plainText(told);
  }
  const { ok, success, status, isError, is_error: isToolError } = result;
  const isBad = ok === false || success === false || isError === true || isToolError === true;
  const isNamed = typeof status === "string" && STATUSES.has(status.toLowerCase());
  return isBad || isNamed ? plainText(result) : null;
}
