/** Whether a result of a log is an error: as every reader of logs has it, and whether the log says so itself. */
import { failureOf } from "../../contract/failure.ts";
import type { MailOf } from "../../machines/letter.ts";

/** Null for a result that is none. `stated`: the log says so itself. */
export function errorIn(result: Pick<MailOf<"log.returned">, "result" | "ok" | "error">): {
  readonly text: string;
  readonly stated: boolean;
} | null {
  const text = failureOf(result);
  return text === null ? null : { text, stated: result.error !== null || result.ok === false };
}
