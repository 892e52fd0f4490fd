/** Whether a result of a log is an error, or nothing: as the log says, else as it reads. */
import { isMap } from "../../machines/isMap.ts";
import type { Json, MailOf } from "../../machines/letter.ts";

type Result = Pick<MailOf<"log.returned">, "result" | "ok" | "error">;

/** How tools that answer in text begin when they failed. */
const READS_AS_ERROR =
  /^\s*(?:\[?error\b|(?:\w+\.)*\w*(?:Error|Exception):|traceback \(most recent|exit ?code:? [1-9]|command failed|fatal:)/i;

/** Null for a result that is none. `stated`: the log says so itself. */
export function errorIn({ result, ok, error }: Result): {
  readonly text: string;
  readonly stated: boolean;
} | null {
  if (error !== null) return { text: error, stated: true };
  if (ok === false) return { text: textOf(result), stated: true };
  if (ok === true) return null;
  if (typeof result === "string") {
    return READS_AS_ERROR.test(result) ? { text: result, stated: false } : null;
  }
  const own = isMap(result) ? (result["error"] ?? null) : null;
  return own === null || own === false || own === "" ? null : { text: textOf(own), stated: false };
}

const textOf = (value: Json): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);

/** Nothing, an empty text, list or map, also as JSON in a text. */
export function isEmptyResult(result: Json): boolean {
  if (result === null) return true;
  if (typeof result === "string") return /^\s*(?:null|""|\[\s*\]|\{\s*\})?\s*$/.test(result);
  return typeof result === "object" && Object.keys(result).length === 0;
}
