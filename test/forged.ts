// Events that no machine sends, as they stand in a log that somebody made up.
import type { MailEvent } from "../src/machines/letter.ts";

/** Read back like a line of the log, whose types nobody has checked. */
export const forged = (event: {
  readonly type: string;
  readonly [field: string]: unknown;
}): MailEvent => JSON.parse(JSON.stringify(event));
