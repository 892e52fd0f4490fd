/** What a file is to the detection: its language, and what stands in the way of reading it. */

export interface CodeFile {
  readonly path: string;
  /** As UTF-8; what is none has U+FFFD in it. */
  readonly text: string;
}

export type Language = "python" | "javascript";

const ENDS: { readonly [end: string]: Language } = {
  ...{ py: "python", pyw: "python", pyi: "python" },
  ...{ js: "javascript", mjs: "javascript", cjs: "javascript" },
};

/** By the end of its name, else by its first line. */
export function languageOf({ path, text }: CodeFile): Language | null {
  const end = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (Object.hasOwn(ENDS, end)) return ENDS[end] ?? null;
  const [, program = ""] = /^\uFEFF?#!\s*\S*?(?:env\s+(?:-\S+\s+)*)?([a-z]+)[\d.]*(?:\s|$)/.exec(
    text.slice(0, 200),
  ) ?? ["", ""];
  if (program.startsWith("python")) return "python";
  return program === "node" || program === "bun" ? "javascript" : null;
}

/** What some program runs and no parser here reads, by the end of a name: nobody knows what it does. */
const UNREAD_CODE = new Set(
  `ts mts cts tsx jsx coffee vue svelte node wasm so dll dylib exe class jar sh bash zsh ksh fish csh pl pm rb php lua r jl go
  rs c cc cpp java cs ps1 psm1 bat cmd vbs applescript awk tcl scpt htm html xhtml pth ipynb pyc pyd pyx whl egg`.split(
    /\s+/,
  ),
);
const RUN_BY_NAME = /^(?:makefile|gnumakefile|dockerfile|justfile|rakefile|jenkinsfile|procfile)$/i;

/** Whether a file of no language here is code all the same: by its name, or by a first line that names a program. */
export function isUnreadCode({ path, text }: CodeFile): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const end = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return UNREAD_CODE.has(end) || RUN_BY_NAME.test(name) || /^\uFEFF?#!/.test(text.slice(0, 3));
}

/** The text as a parser takes it: without a byte order mark. */
export const parsedText = ({ text }: CodeFile): string => text.replace(/^\uFEFF/, "");

/** The text as words are searched for in it: two bytes a letter are still letters. */
export const searchedText = ({ text }: CodeFile): string => text.replaceAll("\0", "");

/** Why a file is not parsed; null when it can be. */
export function hindrance(file: CodeFile, charsMax: number): string | null {
  const { text } = file;
  if (text.length === 0) return "empty";
  if (text.includes("\0")) return "binary, or in an encoding of two bytes";
  if (text.includes("\uFFFD")) return "not UTF-8";
  if (text.length > charsMax) return `${text.length} characters; at most ${charsMax} are parsed`;
  return null;
}

const PLAIN = /^(?:utf-?8(?:-sig)?|(?:us-)?ascii|latin-?1|iso-?8859-?1|cp1252)$/i;

/**
 * The encoding that a Python file asks for in its first two lines, when it is one that writes code as something else,
 * such as `unicode_escape`, under which a comment can hold a statement.
 */
export function hidingEncoding({ text }: CodeFile): string | null {
  for (const line of text.slice(0, 10_000).split(/\r\n|\r|\n/, 2)) {
    const name = /^\uFEFF?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1];
    if (name !== undefined) return PLAIN.test(name.replaceAll("_", "-")) ? null : name;
  }
  return null;
}
