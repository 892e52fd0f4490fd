/** From a word as written to the words a command gets. Source: POSIX.1-2024, 2.6. */
import { childOf, resolved } from "./disk.ts";
import { type Scope, type Session, withoutTrailing } from "./session.ts";
import { within } from "./shellLimits.ts";
import { isWild, literally, unescaped, wildcard } from "./wildcard.ts";
import type { Part, Word } from "./words.ts";

export interface Expander {
  readonly session: Session;
  readonly scope: Scope;
  /** What a command substitution prints. */
  readonly substituted: (command: string) => string;
}

/** A field on its way: a pattern in which what was quoted is escaped. */
interface Field {
  pattern: string;
  /** A quoted empty text is a word; an unquoted one is none. */
  isWord: boolean;
}

/** Every word with parameters, splitting and file names. */
export function expandedWords(words: readonly Word[], expander: Expander): string[] {
  const expanded: string[] = [];
  for (const word of words) {
    for (const { pattern } of fieldsOf(word, expander)) {
      expander.session.steps.spend(1 + pattern.length);
      const names = isWild(pattern) ? fileNames(pattern, expander) : [];
      if (names.length === 0) expanded.push(unescaped(pattern));
      for (const name of names) expanded.push(name);
      within("words", expanded.length);
    }
  }
  return expanded;
}

/** One text, neither split nor taken for file names: an assignment, a target, a here-document. */
export function expandedText(word: Word, expander: Expander): string {
  let text = "";
  word.forEach((part, index) => {
    text += textOf(withTilde(part, index, word, expander), expander);
    within("outputChars", text.length);
  });
  expander.session.steps.spend(text.length);
  return text;
}

function fieldsOf(word: Word, expander: Expander): Field[] {
  const fields: Field[] = [{ pattern: "", isWord: false }];
  word.forEach((part, index) => {
    const tilde = withTilde(part, index, word, expander);
    const value = textOf(tilde, expander);
    const last = fields.at(-1) as Field;
    if (tilde.quoted) {
      last.pattern += literally(value);
      last.isWord = true;
    } else if (tilde.kind === "text") {
      last.pattern += value.replaceAll("\\", "\\\\");
      last.isWord ||= value !== "";
    } else addSplit(fields, value);
    within("outputChars", fields.at(-1)?.pattern.length ?? 0);
  });
  return fields.filter(({ isWord }) => isWord);
}

/** Blanks in an unquoted value part words. */
function addSplit(fields: Field[], value: string): void {
  const pieces = value.split(/[ \t\n]+/);
  pieces.forEach((piece, index) => {
    if (index > 0 && (fields.at(-1) as Field).isWord) fields.push({ pattern: "", isWord: false });
    const last = fields.at(-1) as Field;
    last.pattern += piece.replaceAll("\\", "\\\\");
    last.isWord ||= piece !== "";
  });
  within("words", fields.length);
}

function withTilde(part: Part, index: number, word: Word, { session }: Expander): Part {
  if (index > 0 || part.kind !== "text" || part.quoted || !part.text.startsWith("~")) return part;
  const isHome = part.text[1] === "/" || (part.text === "~" && word.length === 1);
  return isHome ? { kind: "text", text: session.home + part.text.slice(1), quoted: true } : part;
}

function textOf(part: Part, { scope, substituted }: Expander): string {
  if (part.kind === "text") return part.text;
  if (part.kind === "command") return withoutTrailing(substituted(part.command), "\n");
  if (part.name === "?") return String(scope.status);
  if (part.name === "#") return "0";
  if (part.name === "0") return "sh";
  return scope.variables.get(part.name) ?? "";
}

/** What lies on the disk and fits, sorted; hidden names only when the pattern shows the dot. */
function fileNames(pattern: string, { session, scope }: Expander): string[] {
  const isAbsolute = pattern.startsWith("/");
  const segments = pattern.split("/").filter((segment, at) => segment !== "" || at > 0);
  const start = { path: isAbsolute ? "/" : scope.cwd, shown: isAbsolute ? "/" : "" };
  let found = [start];
  segments.forEach((segment, at) => {
    const isLast = at === segments.length - 1;
    const separator = isLast ? "" : "/";
    found = found.flatMap(({ path, shown }) =>
      namesIn(path, segment, session).map(({ name, at: where }) => ({
        path: where,
        shown: `${shown}${name}${separator}`,
      })),
    );
    within("words", found.length);
  });
  return found.map(({ shown }) => shown).sort();
}

function namesIn(folder: string, segment: string, { disk, steps }: Session) {
  if (!disk.isFolder(folder)) return [];
  const plain = unescaped(segment);
  if (!isWild(segment)) {
    const path = resolved(folder, plain);
    return disk.isFile(path) || disk.isFolder(path) ? [{ name: plain, at: path }] : [];
  }
  const fits = wildcard(segment, steps);
  return disk
    .list(folder)
    .filter((name) => (plain.startsWith(".") || !name.startsWith(".")) && fits(name))
    .map((name) => ({ name, at: childOf(folder, name) }));
}
