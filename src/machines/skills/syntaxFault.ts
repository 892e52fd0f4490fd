/**
 * Why code is no Python, one cause for each thing that its author would do otherwise. Source: seed 001, entry-point
 * normalization: a specific actionable error (the real system names all four causes at once); rulings K9 and K15.
 */
import { cutText } from "../cutText.ts";
import { linesOf, openBrackets } from "./pythonText.ts";
import type { Wrapper } from "./wrappers.ts";

export const CODE_CAUSES = [
  "truncated-stream",
  "cdata-wrapper",
  "markdown-fence",
  "html-entities",
  "escaped-newlines",
  "control-characters",
  "syntax-error",
] as const;

export type CodeCause = (typeof CODE_CAUSES)[number];

export interface CodeFault {
  readonly cause: CodeCause;
  /** What stands there, with CPython's own words. */
  readonly found: string;
  /** What to send in its place. */
  readonly todo: string;
}

/** What CPython says of a text that it cannot read. */
export interface ParseFailure {
  readonly ok: false;
  readonly message: string;
  /** Null where it names none. */
  readonly line: number | null;
}

export interface BrokenCode extends Omit<ParseFailure, "ok"> {
  /** Without the wrappers that could be taken off. */
  readonly text: string;
  readonly wrappers: readonly Wrapper[];
}

const LINE_CHARS_SHOWN = 80;

interface Says {
  /** What was found, where nothing else of this is so. */
  readonly found: string;
  /** Where it was taken off, and that was not enough. */
  readonly without?: string;
  /** Where there is nothing in it. */
  readonly empty?: string;
  readonly todo: string;
}

const UNREAD = "code that Python cannot read";

const SAYS: { readonly [cause in CodeCause]: Says } = {
  "truncated-stream": {
    found: "code that ends in the middle",
    todo: "Send the whole source again; where it is too long for one answer, write a shorter one.",
  },
  "cdata-wrapper": {
    found: "a CDATA wrapper that could not be taken off",
    without: `${UNREAD}, also without its CDATA wrapper`,
    empty: "a CDATA wrapper with no code in it",
    todo: "Send the raw Python source, without <![CDATA[ and ]]>.",
  },
  "markdown-fence": {
    found: "a Markdown fence that could not be taken off",
    without: `${UNREAD}, also without its Markdown fence`,
    empty: "a Markdown fence with no code in it",
    todo: "Send the raw Python source alone, without ``` and without prose.",
  },
  "html-entities": {
    found: `${UNREAD}, also with its HTML entities decoded`,
    todo: 'Send <, >, & and " themselves, not &lt;, &gt;, &amp; and &quot;.',
  },
  "escaped-newlines": {
    found: `${UNREAD}, also with its \\n made lines`,
    todo: "Send real lines; \\n belongs within a string only.",
  },
  "control-characters": {
    found: "characters that no source may hold",
    without: `${UNREAD}, also without its control characters`,
    todo: "Send the source without control characters and other letters that cannot be seen.",
  },
  "syntax-error": {
    found: UNREAD,
    todo: "Mend that line, and send the raw Python source alone.",
  },
};

const CDATA = /<!\[CDATA\[|\]\]>/;
const FENCE = /`{3,}|(?<![^\r\n])[ \t]*~{3,}/;
/** With the language behind it. */
const FENCES = /(?:`{3,}|(?<![^\r\n])[ \t]*~{3,})[\w.+-]*[ \t]*(?![^\r\n])|`{3,}/g;

export function codeFault(broken: BrokenCode): CodeFault {
  const cause = causeOf(broken);
  return {
    cause,
    found: `${foundOf(cause, broken)}: ${blameText(broken)}`,
    todo: SAYS[cause].todo,
  };
}

function foundOf(cause: CodeCause, { text }: BrokenCode): string {
  const { found, without = found, empty = found } = SAYS[cause];
  const bare = text.replaceAll(new RegExp(CDATA, "g"), "").replaceAll(FENCES, "");
  if (bare.trim() === "") return empty;
  const isThere = { "cdata-wrapper": CDATA, "markdown-fence": FENCE }[cause as string];
  return isThere?.test(text) ? found : without;
}

function causeOf(broken: BrokenCode): CodeCause {
  const { text, wrappers, message } = broken;
  const had = (wrapper: Wrapper): boolean => wrappers.includes(wrapper);
  if (isTruncated(broken)) return "truncated-stream";
  if (had("cdata") || CDATA.test(text)) return "cdata-wrapper";
  if (had("fence") || FENCE.test(text)) return "markdown-fence";
  if (had("escapes")) return "escaped-newlines";
  if (had("entities")) return "html-entities";
  if (had("control") || /non-printable|null byte/.test(message)) return "control-characters";
  return "syntax-error";
}

/** What a line ends with that another must follow. */
const UNFINISHED =
  /([=+\-*/%,.&|^@\\([{]|(?<!~)~|(?<=\s)[<>]|\b(and|or|not|in|is|if|else|import|from|def|class|for|while|lambda|as|with|elif|assert|del|global|nonlocal|async|await))$/;

/** Lines that are the beginning of one, whatever they end with. */
const BEGUN = [
  /^\s*(async\s+)?for\s[\w\s,]*$/,
  /^\s*(async\s+)?def\s+\w+$/,
  /^\s*from\s+[\w.]+$/,
  /^\s*@[^#]*$/,
  /\blambda\b[^:#]*:?$/,
];

/** A line that begins a block, with all of it but the colon. */
const HEADER =
  /^\s*((async\s+)?(with|for|def\b.*(\)|->.*)$)|if|elif|while|class|match|case|except|(try|else|finally)$)/;

/** Whether the fault is that the text is over: CPython blames its end, or what is open there. */
export function isTruncated({ text, message, line }: Omit<BrokenCode, "wrappers">): boolean {
  if (/unexpected EOF|unterminated triple-quoted/.test(message)) return true;
  if (/was never closed/.test(message)) return openBrackets(text).length > 0;
  const lines = linesOf(text);
  const last = lines.at(-1) ?? "";
  if (line === null || line < lines.length) return false;
  if (/unterminated (f-|t-)?string/.test(message)) return true;
  if (/expected 'except'/.test(message)) return /^\s/.test(last);
  if (/expected 'else'/.test(message)) return isOpenHere(text, text.lastIndexOf(" if "));
  if (/expected an indented block/.test(message)) return text.endsWith(":");
  if (message === "expected ':'") return HEADER.test(last);
  if (!/invalid syntax|expected/i.test(message)) return false;
  return UNFINISHED.test(text) || BEGUN.some((begun) => begun.test(last));
}

const isOpenHere = (text: string, index: number): boolean =>
  openBrackets(text.slice(0, index)).length === 0;

/** CPython's words, and the line that they are about. */
function blameText({ text, message, line }: BrokenCode): string {
  if (line === null) return message;
  const words = linesOf(text)[line - 1]?.trim() ?? "";
  const shown = words === "" ? "" : `: ${cutText(words, LINE_CHARS_SHOWN)}`;
  return `${message} (line ${line})${shown}`;
}
