/**
 * Why code is no Python, one cause for each thing that its author would do otherwise. Source: seed 001, entry-point
 * normalization: a specific actionable error (the real system names all four causes at once); rulings K9 and K15.
 */
import { cutText } from "../cutText.ts";
import { openBrackets } from "./pythonText.ts";
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

const SAYS: { readonly [cause in CodeCause]: readonly [found: string, todo: string] } = {
  "truncated-stream": [
    "code that ends in the middle",
    "Send the whole source again; where it is too long for one answer, write a shorter one.",
  ],
  "cdata-wrapper": [
    "a CDATA wrapper around code that is no Python without it",
    "Send the raw Python source, without <![CDATA[ and ]]>.",
  ],
  "markdown-fence": [
    "a Markdown fence around code that is no Python without it",
    "Send the raw Python source alone, without ``` and without prose.",
  ],
  "html-entities": [
    "HTML entities in code that is no Python without them",
    'Send <, >, & and " themselves, not &lt;, &gt;, &amp; and &quot;.',
  ],
  "escaped-newlines": [
    "newlines written as \\n that could not be made lines",
    "Send real lines; \\n belongs within a string only.",
  ],
  "control-characters": [
    "characters that no source may hold",
    "Send the source without control characters and other letters that cannot be seen.",
  ],
  "syntax-error": [
    "code that Python cannot read",
    "Mend that line, and send the raw Python source alone.",
  ],
};

export function codeFault(broken: BrokenCode): CodeFault {
  const cause = causeOf(broken);
  const [found, todo] = SAYS[cause];
  return { cause, found: `${found}: ${said(broken)}`, todo };
}

function causeOf(broken: BrokenCode): CodeCause {
  const { text, wrappers, message } = broken;
  const had = (wrapper: Wrapper): boolean => wrappers.includes(wrapper);
  if (isTruncated(broken)) return "truncated-stream";
  if (had("cdata") || /<!\[CDATA\[|\]\]>/.test(text)) return "cdata-wrapper";
  if (had("fence") || text.includes("```")) return "markdown-fence";
  if (had("entities") && !had("escapes")) return "html-entities";
  if (had("escapes")) return "escaped-newlines";
  if (had("entities")) return "html-entities";
  if (had("control") || /non-printable|null byte/.test(message)) return "control-characters";
  return "syntax-error";
}

/** What a line ends with that another must follow. */
const UNFINISHED =
  /([=+\-*/%,.&|^~@\\([{]|\b(and|or|not|in|is|if|else|import|from|def|class|for|while|lambda|as|with))$/;

/** Whether the fault is that the text is over: CPython blames its end, or what is open there. */
function isTruncated({ text, message, line }: BrokenCode): boolean {
  if (/unexpected EOF|unterminated triple-quoted/.test(message)) return true;
  if (/was never closed/.test(message)) return openBrackets(text).length > 0;
  const lines = text.split("\n");
  if (line === null || line < lines.length) return false;
  if (/unterminated (f-|t-)?string/.test(message)) return true;
  if (/expected 'except'/.test(message)) return /^\s/.test(lines.at(-1) ?? "");
  if (/expected an indented block/.test(message)) return text.endsWith(":");
  return UNFINISHED.test(text) && /invalid syntax|expected/.test(message);
}

/** CPython's words, and the line that they are about. */
function said({ text, message, line }: BrokenCode): string {
  if (line === null) return message;
  const words = text.split("\n")[line - 1]?.trim() ?? "";
  const shown = words === "" ? "" : `: ${cutText(words, LINE_CHARS_SHOWN)}`;
  return `${message} (line ${line})${shown}`;
}
