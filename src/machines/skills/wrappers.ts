/**
 * What a model wraps its code in, and what is left without it. Each function answers what the code may be, most likely
 * first; whether it is Python, CPython says. Source: seed 001, entry-point normalization; rulings K9, K10 and K15.
 */
import { unescaped } from "./htmlEntities.ts";
import {
  endOfString,
  fromFirstLetter,
  isInLongString,
  quoteAt,
  toLastLetter,
} from "./pythonText.ts";

export type Wrapper = "cdata" | "entities" | "fence" | "control" | "escapes";

interface Unwrapping {
  readonly wrapper: Wrapper;
  /** What was taken away, as a change is told. */
  readonly says: string;
  readonly without: (text: string) => readonly string[];
}

const OPENER = "<![CDATA[";
const CLOSER = "]]>";

/** A whole envelope up to its last closer, then to its first; then a lone opener; else a lone closer at the end. */
export function withoutCdata(text: string): readonly string[] {
  const start = fromFirstLetter(text);
  const isClosed = toLastLetter(text).endsWith(CLOSER);
  if (!start.startsWith(OPENER)) {
    return isClosed ? [text.slice(0, text.lastIndexOf(CLOSER))] : [];
  }
  const body = start.slice(OPENER.length);
  const [first, last] = [body.indexOf(CLOSER), body.lastIndexOf(CLOSER)];
  if (first < 0) return [body];
  if (body.trim() === CLOSER) return [];
  // What stands behind the last closer is dropped only where no closer is nearer.
  const ends = isClosed && last !== first ? [last, first] : [first];
  // The closers may all be of the code.
  return [...ends.filter((end) => end > 0).map((end) => body.slice(0, end)), body];
}

export function withoutEntities(text: string): readonly string[] {
  return text.includes("&") && text.includes(";") ? [unescaped(text)] : [];
}

const STRICT = /```(?:\w+)?\n(.*?)\n```/gs;
/** On the fence's own line only a name of Python is a language; alone on that line, any word is. */
const LOOSE = /```[ \t]*(?:[\w.+-]*[ \t]*\n|(?:python3?|py)[ \t]+)?(.*?)```/gis;
const UNCLOSED = /```[ \t]*(?:[\w.+-]*[ \t]*\n|(?:python3?|py)[ \t]+)?(.*)/is;

/** From the first fence to the last one: no Python but where all between is one block that quotes fences. */
const OUTER = /```[ \t]*(?:[\w.+-]*[ \t]*\n|(?:python3?|py)[ \t]+)?(.*)```/is;

/** The outermost block, then the longest between two fences; with an opening fence alone, all behind it. */
export function withoutFence(text: string): readonly string[] {
  const blocks = [STRICT, LOOSE].flatMap((fence) =>
    [...text.matchAll(fence)].filter(({ index }) => !isInLongString(text, index)),
  );
  if (blocks.length > 0) {
    const outer = OUTER.exec(text)?.[1] ?? "";
    return [...new Set([outer, longest(blocks.map(([, body = ""]) => body))])];
  }
  const open = UNCLOSED.exec(text);
  if (open === null || isInLongString(text, open.index)) return [];
  return [toLastLetter(open[1] ?? "").replace(/`+$/, "")];
}

/** The first of those that are. */
const longest = (texts: readonly string[]): string =>
  texts.reduce((best, one) => (one.length > best.length ? one : best));

/** All below a space but the tabulator and the ends of lines. */
export function withoutControl(text: string): readonly string[] {
  const kept = [...text].filter((letter) => letter >= " " || "\t\n\r".includes(letter)).join("");
  return kept === text ? [] : [kept];
}

/** In a text of one line every escape is taken at its word; else, or failing that, those outside of strings. */
export function withoutEscapes(text: string): readonly string[] {
  if (!text.includes("\\n")) return [];
  const all = text.includes("\n") ? [] : [unescapedText(text)];
  return [...new Set([...all, unescapedCode(text)])].filter((one) => one !== text);
}

const unescapedText = (text: string): string =>
  text
    .replaceAll("\\n", "\n")
    .replaceAll("\\t", "\t")
    .replaceAll('\\"', '"')
    .replaceAll("\\'", "'");

const ESCAPES: { readonly [letter: string]: string } = { n: "\n", t: "\t", '"': '"', "'": "'" };

function unescapedCode(text: string): string {
  let code = "";
  for (let at = 0; at < text.length; ) {
    const meant = text[at] === "\\" ? ESCAPES[text[at + 1] ?? ""] : undefined;
    if (meant !== undefined) {
      code += meant;
      at += 2;
      continue;
    }
    const quote = quoteAt(text, at);
    const end = quote === "" ? at + 1 : endOfString(text, at + quote.length, quote);
    code += text.slice(at, end);
    at = end;
  }
  return code;
}

/** In the order in which the real system looks for them. */
export const UNWRAPPINGS: readonly Unwrapping[] = [
  { wrapper: "cdata", says: "the CDATA envelope taken off", without: withoutCdata },
  { wrapper: "entities", says: "HTML entities decoded", without: withoutEntities },
  { wrapper: "fence", says: "the code taken out of its Markdown fence", without: withoutFence },
  { wrapper: "control", says: "control characters taken out", without: withoutControl },
  { wrapper: "escapes", says: "escaped newlines made newlines", without: withoutEscapes },
];
