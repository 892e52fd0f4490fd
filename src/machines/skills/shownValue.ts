/** How a value that a model wrote is shown to whoever hears that it is refused. */
import { cutText } from "../cutText.ts";
import type { Json } from "../letter.ts";

const CHARS_MAX = 80;

export function showValue(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= CHARS_MAX ? text : `${cutText(text, CHARS_MAX)} …`;
}
