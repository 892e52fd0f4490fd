/** What readers of models' answers say alike, and what is said of answers that none of them can use. */
import type { View } from "../machines/portMail.ts";
import type { Purpose } from "./part.ts";

/** Of an answer, when it is recorded. */
export const NOT_JSON = "it is no JSON object";

/** Of an answer, when it is told. */
export const NO_OBJECT = "no JSON object";

const EMPTY = "it is empty";

/** Why an answer cannot be used for what was asked, as it is recorded; null for one that its asker can read. */
export function unusableFor(
  purpose: Purpose | undefined,
  text: unknown,
  view?: View,
): string | null {
  if (typeof text !== "string" || text.trim() === "") return EMPTY;
  return purpose?.unusable?.(text, view) ?? null;
}

/** What is wrong with an answer, as it is told; null for one that its asker can read, as in the run. */
export const faultFor = (purpose: Purpose | undefined, text: string, view?: View): string | null =>
  unusableFor(purpose, text, view) === null ? null : (purpose?.fault?.(text, view) ?? EMPTY);
