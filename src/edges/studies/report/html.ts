/** Text of a study as it may stand in the page. */
import { ownValue } from "../../../machines/ownValue.ts";
import { escapedText } from "../../escapedText.ts";

const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What turns the direction of a line, or steers, is written out. */
export const escaped = (text: string): string =>
  escapedText(text).replaceAll(/[&<>"']/g, (character) => ownValue(ESCAPES, character) ?? "");

/** In a script element only `<` could end it; what a name hides is written out, in every text. */
export const json = (data: unknown): string =>
  JSON.stringify(data, (_, value) => (typeof value === "string" ? escapedText(value) : value))
    // Line breaks of JSON itself are none.
    .replaceAll("<", "\\u003c");
