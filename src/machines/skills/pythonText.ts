/** What can be seen of a Python text without its grammar: space around it, and where its strings are. */

/** As Python's own `strip`: unlike here, a byte order mark is no space to it, and the separators of ASCII are. */
const isSpace = (letter: string | undefined): boolean =>
  letter !== undefined &&
  letter !== "\ufeff" &&
  (letter.trim() === "" || "\x1c\x1d\x1e\x1f\x85".includes(letter));

export function trimPython(text: string): string {
  return fromFirstLetter(toLastLetter(text));
}

export function fromFirstLetter(text: string): string {
  let start = 0;
  while (isSpace(text[start])) start += 1;
  return text.slice(start);
}

export function toLastLetter(text: string): string {
  let end = text.length;
  while (isSpace(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

/** As CPython counts them. */
export const linesOf = (text: string): readonly string[] => text.split(/\r\n?|\n/);

/** At a quote: it, or the three of a long string; nothing elsewhere. */
export function quoteAt(text: string, index: number): string {
  const letter = text[index];
  if (letter !== '"' && letter !== "'") return "";
  return text.startsWith(letter.repeat(3), index) ? letter.repeat(3) : letter;
}

/** Where the string that opens with this quote before `index` is over; a short one ends with its line. */
export function endOfString(text: string, index: number, quote: string): number {
  for (let at = index; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (text[at] === "\n" && quote.length === 1) return at;
  }
  return text.length;
}

/** The brackets that are open at the end, outermost first; strings and comments hold none. */
export function openBrackets(text: string): readonly string[] {
  const open: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    const quote = quoteAt(text, at);
    if (quote !== "") at = endOfString(text, at + quote.length, quote) - 1;
    else if (letter === "#") at = endOfLine(text, at) - 1;
    else if ("([{".includes(letter)) open.push(letter);
    else if (")]}".includes(letter)) open.pop();
  }
  return open;
}

function endOfLine(text: string, index: number): number {
  const end = text.indexOf("\n", index);
  return end < 0 ? text.length : end;
}

/** Whether a place lies within a string of three quotes, where a text may quote anything: one that is cut off, too. */
export function isInLongString(text: string, index: number): boolean {
  for (let at = 0; at < index; at++) {
    const quote = quoteAt(text, at);
    if (quote === "") {
      if (text[at] === "#") at = endOfLine(text, at) - 1;
      continue;
    }
    const end = endOfString(text, at + quote.length, quote);
    if (quote.length === 3 && end > index) return true;
    at = end - 1;
  }
  return false;
}
