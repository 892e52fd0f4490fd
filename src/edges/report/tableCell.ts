/** A text of whatever origin in a table of a report. */
import { clean } from "./pictureLayout.ts";

/** One line of at most so many characters, and no column of its own. */
export const tableCell = (text: string, charactersMax: number): string =>
  clean(text, charactersMax).replaceAll("|", "\\|");
