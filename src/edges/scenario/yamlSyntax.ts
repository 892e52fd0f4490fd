/**
 * What is wrong with a text that is no YAML, in words that say what to do: the parser tells where it gave up,
 * which is often not what the author did. The usual slips are a text that begins with { and a text that holds ": ".
 */
import type { YAMLError } from "yaml";
import { type Problem, quoted, type Where } from "../errors.ts";

/** One slip can cause thousands of syntax errors; the first ones say it all. */
const NOTES_MAX = 20;
/** A line that is longer is no text that somebody wrote without quotes. */
const LINE_CHARS_MAX = 2_000;

interface Slip {
  /** From 1. */
  readonly column: number;
  /** The text that must be quoted. */
  readonly text: string;
  readonly allowed: string;
}

/**
 * The problems of the parser's notes, in the order of the text. Where a line shows what its author left unquoted, the slips are
 * all that is told: the rest follows from them.
 */
export function syntaxProblems(
  unordered: readonly YAMLError[],
  text: string,
  whereAt: (offset: number) => Where,
  depthMax: number,
): Problem[] {
  const notes = unordered.toSorted((a, b) => a.pos[0] - b.pos[0]);
  const lines = text.split(/\r\n|\r|\n/);
  const slips = new Map<number, Problem>();
  for (const note of notes.slice(0, NOTES_MAX)) {
    const { line = 1, ...rest } = whereAt(note.pos[0]);
    // The parser may notice a slip only in the line below it.
    for (const at of [line, line - 1]) {
      const found = slipIn(lines[at - 1] ?? "", note.code);
      if (found === undefined || slips.has(at)) continue;
      const { column, text: slip, allowed } = found;
      slips.set(at, { where: { ...rest, line: at, column }, found: quoted(slip), allowed });
      break;
    }
  }
  if (slips.size > 0) return [...slips.values()];
  return notes.slice(0, NOTES_MAX).map((note) => noted(note, lines, whereAt, depthMax));
}

function noted(
  { code, message, pos }: YAMLError,
  lines: readonly string[],
  whereAt: (offset: number) => Where,
  depthMax: number,
): Problem {
  const where = whereAt(pos[0]);
  if (code === "RESOURCE_EXHAUSTION") {
    const found = "lists or maps nested too deeply";
    return { where, found, allowed: `up to ${depthMax} levels` };
  }
  const line = lines[(where.line ?? 1) - 1] ?? "";
  if (code === "TAB_AS_INDENT") {
    return {
      where,
      found: "a tab at the start of a line",
      allowed: "spaces: YAML indents with them",
    };
  }
  return { where, found: quoted(line.trim()), allowed: `valid YAML 1.2. ${message}` };
}

/** `key: `, `- ` and what may stand before a value of a line. */
const BEFORE = /^(?:\s*-\s+)*\s*(?:[\w.-]+:\s+)?/;

/** Of a list or a map on one line, a text that begins with a place or holds one: `[read {n}, {agent}/x]`. */
const IN_BRACKETS =
  /[[{,]\s*(?:[\w.-]+:\s+)?(\{[a-z]+\}\s*[^\s"'[\]{},:][^"'[\]{},]*|[^\s"'[\]{},][^"'[\]{},]*\{[a-z]+\}[^"'[\]{},]*)/;

function slipIn(line: string, code: string): Slip | undefined {
  if (line.length > LINE_CHARS_MAX) return undefined;
  const start = BEFORE.exec(line)?.[0].length ?? 0;
  const value = line.slice(start).trimEnd();
  if (/^\{[a-z]+\}\s*[^\s#,}\]]/.test(value)) return unquoted(value, start);
  const inner = IN_BRACKETS.exec(value);
  const text = inner?.[1]?.trimEnd();
  if (inner !== null && text !== undefined) {
    return unquoted(text, start + inner.index + inner[0].indexOf(text));
  }
  const isNested = code === "BLOCK_AS_IMPLICIT_KEY" || code === "MULTILINE_IMPLICIT_KEY";
  if (isNested && /^[^"'{[|>&*!#][^#]*:\s/.test(value)) {
    const allowed = `a text that holds ": " must be quoted: ${JSON.stringify(value)}`;
    return { column: start + 1, text: value, allowed };
  }
  return undefined;
}

const unquoted = (text: string, start: number): Slip => {
  const which = text.startsWith("{") ? "begins with {" : "holds { within [ ] or { }";
  const allowed = `a text that ${which} must be quoted: ${JSON.stringify(text)}`;
  return { column: start + 1, text, allowed };
};
