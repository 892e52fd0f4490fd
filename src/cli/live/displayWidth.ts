/** Texts cut to what a line of a terminal has room for: wide characters take two columns, combining ones none. */
import stringWidth from "string-width";

/** Ours: the longest emoji in use has 35 code units; what goes on beyond that would only cost time. */
const UNITS_MAX = 40;

const graphemes = new Intl.Segmenter("en");

/** The text in at most so many columns; what was cut off is an ellipsis. */
export function cutToWidth(text: string, columns: number): string {
  if (columns < 1) return "";
  const near = text.slice(0, columns * UNITS_MAX).toWellFormed();
  if (near.length === text.length && stringWidth(near) <= columns) return near;
  let shown = "";
  let width = 0;
  for (const { segment } of graphemes.segment(near)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}
