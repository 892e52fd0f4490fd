/**
 * What a model wraps its code in, and what is left without it. Each function answers what the code may be, most likely
 * first; whether it is Python, CPython says. Source: seed 001, entry-point normalization; rulings K9, K10 and K15.
 */
import { ownValue } from "../ownValue.ts";
import { decodeEntities } from "./htmlEntities.ts";
import {
  endOfString,
  fromFirstLetter,
  isInLongString,
  quoteAt,
  toLastLetter,
} from "./pythonText.ts";

export type Wrapper = "cdata" | "entities" | "fence" | "control" | "escapes";

/** What the code may be, and what stood before and behind it and its wrapper. */
export interface Left {
  readonly text: string;
  readonly before?: string;
  readonly behind?: string;
}

interface Unwrapping {
  readonly wrapper: Wrapper;
  /** What was taken away, as a change is told. */
  readonly says: string;
  /** It stands around the code, and the space beside it is its own. */
  readonly isEnvelope?: true;
  readonly without: (text: string) => readonly Left[];
}

const OPENER = "<![CDATA[";
const CLOSER = "]]>";

/** A whole envelope up to its last closer, then to its first; then a lone opener; else a lone closer at the end. */
export function withoutCdata(text: string): readonly Left[] {
  const start = fromFirstLetter(text);
  const isClosed = toLastLetter(text).endsWith(CLOSER);
  if (!start.startsWith(OPENER)) {
    return isClosed ? [{ text: text.slice(0, text.lastIndexOf(CLOSER)) }] : [];
  }
  const body = start.slice(OPENER.length);
  const [first, last] = [body.indexOf(CLOSER), body.lastIndexOf(CLOSER)];
  if (first < 0) return [{ text: body }];
  if (body.trim() === CLOSER) return [];
  // What stands behind the last closer is dropped only where no closer is nearer.
  const ends = isClosed && last !== first ? [last, first] : [first];
  const closed = ends
    .filter((end) => end > 0)
    .map((end) => ({ text: body.slice(0, end), behind: body.slice(end + CLOSER.length) }));
  // The closers may all be of the code.
  return [...closed, { text: body }];
}

export function withoutEntities(text: string): readonly Left[] {
  return text.includes("&") && text.includes(";") ? [{ text: decodeEntities(text) }] : [];
}

/** Three backticks or more; three tildes or more only where a line begins, since Python knows that letter. */
const FENCE = "(?:(?<!`)(?=`)|(?<![^\\r\\n])(?=~))(`{3,}|~{3,})(?![`~])";
/** One that is still escaped is one too. */
const END_OF_LINE = String.raw`(?:\r\n?|\n|\\r\\n|\\n)`;
const VERSION_OR_BRACES = String.raw`[ \t]+(?:\d[\d.]*|\{[^}\r\n]*\})`;
/** Alone on the fence's line any word is a language, and so are braces, and a name of Python with what belongs to it. */
const LANGUAGES = [
  String.raw`\{[.=]?\w[^}\r\n]*\}[ \t]*[\w.+-]*`,
  String.raw`(?:python|py)[\d.]*(?:[:,][^\s\\\x60]*|${VERSION_OR_BRACES})`,
  String.raw`[\w.+#-]*`,
];
const LANGUAGE_LINE = String.raw`[ \t]*(?:${LANGUAGES.join("|")})[ \t]*${END_OF_LINE}`;
/** On the line of code only a name of Python is a language. */
const HEAD = String.raw`(?:${LANGUAGE_LINE}|[ \t]*(?:python|py)[\d.]*[ \t]+|[ \t]*\{[.=]?(?:python|py)[\d.]*\})?`;

const STRICT = new RegExp(String.raw`${FENCE}${LANGUAGE_LINE}(.*?)${END_OF_LINE}[ \t]*\1`, "gis");
const LOOSE = new RegExp(String.raw`${FENCE}${HEAD}(.*?)\1`, "gis");
/** From the first fence to the last one: no Python but where all between is one block that quotes fences. */
const OUTER = new RegExp(String.raw`${FENCE}${HEAD}(.*)(?<![\x60~])\1`, "is");
const UNCLOSED = new RegExp(`${FENCE}${HEAD}(.*)`, "is");

/** The outermost block, then all behind its opening, then the longest between two fences; of a lone one both sides. */
export function withoutFence(text: string): readonly Left[] {
  const blocks = [STRICT, LOOSE]
    .flatMap((fence) => [...text.matchAll(fence)])
    .filter(({ index }) => !isInLongString(text, index));
  const open = UNCLOSED.exec(text);
  if (open === null || (blocks.length === 0 && isInLongString(text, open.index))) return [];
  const before = text.slice(0, open.index);
  const behind = toLastLetter(open[2] ?? "").replace(/[`~]+$/, "");
  if (blocks.length === 0)
    return [
      { text: behind, before },
      { text: before, behind },
    ];
  const outer = OUTER.exec(text);
  const lefts = [
    ...(outer === null ? [] : [leftOf(outer)]),
    { text: behind, before },
    longest(blocks.map(leftOf)),
  ];
  return lefts.filter((one, at) => lefts.findIndex((other) => other.text === one.text) === at);
}

const leftOf = ({ 0: whole, 2: text = "", index, input }: RegExpExecArray): Left => ({
  text,
  before: input.slice(0, index),
  behind: input.slice(index + whole.length).replace(/^[`~]+/, ""),
});

/** The first of those that are. */
const longest = (lefts: readonly Left[]): Left =>
  lefts.reduce((best, one) => (one.text.length > best.text.length ? one : best));

/** All below a space but the tabulator and the ends of lines. */
export function withoutControl(text: string): readonly Left[] {
  const kept = [...text].filter((letter) => letter >= " " || "\t\n\r".includes(letter)).join("");
  return kept === text ? [] : [{ text: kept }];
}

/**
 * In a text of one line, or with escaped quotes, every escape is taken at its word, that of the backslash too; else, or
 * failing that, those outside of strings.
 */
export function withoutEscapes(text: string): readonly Left[] {
  if (!text.includes("\\n")) return [];
  const isWhole = !text.includes("\n") || /\\["']/.test(text);
  const all = isWhole ? [unescapeText(text)] : [];
  const lefts = new Set([...all, unescapeCode(text)]);
  return [...lefts].filter((one) => one !== text).map((one) => ({ text: one }));
}

const ESCAPES: { readonly [letter: string]: string } = {
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "'": "'",
};

const unescapeText = (text: string): string =>
  text.replaceAll(/\\(.)/gs, (whole, letter: string) =>
    letter === "\\" ? letter : (ownValue(ESCAPES, letter) ?? whole),
  );

function unescapeCode(text: string): string {
  let code = "";
  for (let at = 0; at < text.length; ) {
    if (text[at] === "\\") {
      code += ownValue(ESCAPES, text[at + 1] ?? "") ?? text.slice(at, at + 2);
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
  {
    wrapper: "cdata",
    says: "the CDATA envelope taken off",
    isEnvelope: true,
    without: withoutCdata,
  },
  { wrapper: "entities", says: "HTML entities decoded", without: withoutEntities },
  {
    wrapper: "fence",
    says: "the code taken out of its Markdown fence",
    isEnvelope: true,
    without: withoutFence,
  },
  { wrapper: "control", says: "control characters taken out", without: withoutControl },
  { wrapper: "escapes", says: "escaped newlines made newlines", without: withoutEscapes },
];
