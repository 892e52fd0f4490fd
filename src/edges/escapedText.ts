/** Texts of models and strangers on a terminal: whole, and with nothing that steers it. */

/** What moves a cursor, turns the direction of a line, or is no character at all; line breaks stay. */
const UNSAFE = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029]/gu;

/** The text as it is, except for control codes, which are written as `\u{1b}`. */
export const escapedText = (text: string): string =>
  text.replace(UNSAFE, (code) => `\\u{${code.codePointAt(0)?.toString(16)}}`);

/** On one line. */
export const escapedLine = (text: string): string => escapedText(text).replaceAll("\n", "\\n");

/** JSON of one line, or indented, with nothing raw in it that steers a terminal; it reads as the same value. */
export const escapedJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    UNSAFE,
    (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Each line of it set off, so that none can be taken for one of ours. */
export const quotedBlock = (text: string, indent: string): string =>
  escapedText(text)
    .split("\n")
    .map((line) => (line === "" ? `${indent}|` : `${indent}| ${line}`))
    .join("\n");
