/**
 * Whether a model's answer is one that its reader can use, and what is wrong with one that is not, in
 * words. Decided by the same readers as in the run.
 */
import { purposeOf, unusable } from "./purposes.ts";

/** Null for an answer that can be used. */
export const answerFault = (purpose: string, text: string): string | null =>
  unusable(purpose, text) === null ? null : (purposeOf(purpose)?.fault?.(text) ?? "it is empty");
