/** What is wrong with one field of what was sent, and what it must be. */
import { cutText } from "../cutText.ts";
import type { Json } from "../letter.ts";

export interface Fault {
  /** As a path: `capabilities[1].hosts`. */
  readonly field: string;
  readonly found: string;
  readonly allowed: string;
  /** With the right shape. */
  readonly todo: string;
  /** The real system's words, where it has some. */
  readonly said?: string;
}

export const faultText = ({ field, found, allowed, todo }: Fault): string =>
  `${field}: found ${found}; allowed: ${allowed}. ${todo}`;

const SHOWN_MAX = 60;

/** A value as an error shows it: JSON of one line, cut where it is long. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  // Whole texts are not written out for their first letters.
  const head = typeof value === "string" ? cutText(value, SHOWN_MAX + 1) : value;
  const text = JSON.stringify(head);
  const cut = cutText(text, SHOWN_MAX);
  return cut === text ? text : `${cut}…`;
}

/** A key as the last step of a path: `.hosts`, or `["a b"]` where that would be read wrongly. */
export const step = (key: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${shown(key)}]`;

/** Reasons in one line: one that is a whole sentence ends as one. */
export const reasonsText = (reasons: readonly string[]): string =>
  reasons.reduce(
    (text, one) => (text === "" ? one : `${text}${text.endsWith(".") ? "" : ";"} ${one}`),
    "",
  );
