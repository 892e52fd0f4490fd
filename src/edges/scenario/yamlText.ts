/**
 * YAML 1.2 core as plain JSON values that remember their place in the text. Strict and bounded:
 * no tags beyond the core, no repeated keys, no `__proto__`, no numbers JSON lacks; a text that
 * would take long is refused before it is parsed, and aliases cannot multiply it without end.
 */

import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from "yaml";
import type { Json } from "../../machines/letter.ts";
import { type Problem, quoted, type Where } from "../errors.ts";

const TEXT_CHARS_MAX = 4 * 1_048_576;
/** The parser takes about 10 µs each; a world of ten thousand agents has half a million. */
const TOKENS_MAX = 600_000;
/** Ours: values after aliases are expanded, some hundred times those of a shipped scenario. */
const VALUES_MAX = 200_000;
const DEPTH_MAX = 64;

export type Path = readonly (string | number)[];

/** Whether the key or the value at a path is meant. */
export type Part = "key" | "value";

export interface YamlText {
  readonly value: Json;
  /** Where the path leads, through aliases; as far as it leads when something on it is missing. */
  whereOf(path: Path, part: Part): Where;
}

/**
 * The value of a text, or what is wrong with it, in the order of its lines. A number that is written with a
 * point stays the text that it is at the paths named by `keepsPoint`. Never throws.
 */
export function parseYaml(
  text: string,
  file: string,
  keepsPoint: (path: Path) => boolean = () => false,
): YamlText | { readonly problems: Problem[] } {
  const lines = new LineCounter();
  const whereAt = (offset: number): Where => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const unreadable = unreadableText(text);
  if (unreadable !== undefined) return { problems: [{ where: { file }, ...unreadable }] };
  const document = parseDocument(text, {
    version: "1.2",
    schema: "core",
    merge: false,
    stringKeys: true,
    uniqueKeys: false, // Compares every key with every other; jsonOf does it in one pass.
    prettyErrors: false,
    logLevel: "error", // "silent" would also take several documents for one.
    lineCounter: lines,
  });
  const notes: readonly YAMLError[] = [...document.errors, ...document.warnings];
  if (notes.length > 0) return { problems: syntaxProblems(notes, text, whereAt, DEPTH_MAX) };
  if (document.directives?.yaml.version !== "1.2") {
    const found = "a directive for another version of YAML";
    return { problems: [{ where: whereAt(0), found, allowed: "YAML 1.2" }] };
  }
  return jsonOf(document, whereAt, keepsPoint);
}

/** Pretests that need no parser. */
function unreadableText(text: string): Omit<Problem, "where"> | undefined {
  if (text.length > TEXT_CHARS_MAX) {
    return {
      found: `${text.length} characters`,
      allowed: `up to ${TEXT_CHARS_MAX} characters`,
    };
  }
  if (hasControlCharacters(text)) {
    return { found: "control characters, as in a binary file", allowed: "YAML text in UTF-8" };
  }
  if (!text.isWellFormed()) {
    return { found: "half of a surrogate pair", allowed: "well-formed Unicode" };
  }
  if (text.trim() === "") return { found: "an empty file", allowed: "a text in YAML" };
  // A token is a character at least, and a scalar has another one for its mark.
  if (2 * text.length < TOKENS_MAX) return undefined;
  let tokens = 0;
  for (const token of new Lexer().lex(text)) {
    tokens += token.startsWith('"') ? token.split("\\").length : 1;
    if (tokens > TOKENS_MAX) {
      return { found: "too much YAML", allowed: `up to ${TOKENS_MAX} tokens and escapes` };
    }
  }
  return undefined;
}

/** What YAML does not allow anywhere in a text; also the parser's own end-of-document marks. */
function hasControlCharacters(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return true;
  }
  return false;
}

/** Carries the first problem out of the recursion. */
class Refused {
  readonly problem: Problem;
  constructor(problem: Problem) {
    this.problem = problem;
  }
}

function jsonOf(
  document: Document,
  whereAt: (offset: number) => Where,
  keepsPoint: (path: Path) => boolean,
): YamlText | { readonly problems: Problem[] } {
  const targets = aliasTargets(document);
  try {
    const value = new Expansion(targets, whereAt, keepsPoint).plain(document.contents, [], 0);
    const whereOf = (path: Path, part: Part): Where => ({
      ...whereAt(offsetOf(document.contents, path, part, targets)),
      path: pathText(path),
    });
    return { value, whereOf };
  } catch (thrown) {
    if (thrown instanceof Refused) return { problems: [thrown.problem] };
    throw thrown;
  }
}

/** Nodes as plain values. Throws Refused at the first that cannot be one. */
class Expansion {
  readonly #targets: ReadonlyMap<Node, Node>;
  readonly #whereAt: (offset: number) => Where;
  readonly #keepsPoint: (path: Path) => boolean;
  /** What is being expanded, against aliases inside themselves. */
  readonly #open = new Set<Node>();
  #values = 0;

  constructor(
    targets: ReadonlyMap<Node, Node>,
    whereAt: (offset: number) => Where,
    keepsPoint: (path: Path) => boolean,
  ) {
    this.#targets = targets;
    this.#whereAt = whereAt;
    this.#keepsPoint = keepsPoint;
  }

  plain(node: unknown, path: Path, depth: number): Json {
    if (++this.#values > VALUES_MAX) {
      const allowed = `up to ${VALUES_MAX}, with aliases`;
      return this.#refuse(node, path, "too many values", allowed);
    }
    if (depth > DEPTH_MAX) {
      const found = "lists, maps or aliases nested too deeply";
      return this.#refuse(node, path, found, `up to ${DEPTH_MAX} levels`);
    }
    if (isAlias(node)) return this.#aliased(node, path, depth);
    if (isSeq(node)) {
      return node.items.map((item, index) => this.plain(item, [...path, index], depth + 1));
    }
    if (isMap(node)) return this.#members(node, path, depth);
    const value: unknown = isScalar(node) ? node.value : null;
    if (typeof value === "number" && !Number.isFinite(value)) {
      return this.#refuse(node, path, quoted(value), "a number that JSON can hold");
    }
    if (typeof value === "number" && isScalar(node) && node.source?.includes(".")) {
      return this.#keepsPoint(path) ? node.source : value;
    }
    if (typeof value === "string" && !value.isWellFormed()) {
      return this.#refuse(node, path, "half of a surrogate pair", "well-formed Unicode");
    }
    return value as Json;
  }

  #aliased(alias: Alias, path: Path, depth: number): Json {
    const target = this.#targets.get(alias);
    if (target === undefined || this.#open.has(target)) {
      const allowed = `an anchor &${alias.source} before it that does not hold it`;
      return this.#refuse(alias, path, quoted(`*${alias.source}`), allowed);
    }
    this.#open.add(target);
    const value = this.plain(target, path, depth + 1);
    this.#open.delete(target);
    return value;
  }

  #members(map: YAMLMap, path: Path, depth: number): Json {
    const entries = new Map<string, Json>();
    for (const { key, value } of map.items) {
      const name = keyText(key);
      const own = [...path, name];
      if (name === "__proto__" || !name.isWellFormed()) {
        return this.#refuse(key, own, `the key ${quoted(name)}`, "another name");
      }
      if (entries.has(name)) {
        return this.#refuse(key, own, `the key ${quoted(name)} again`, "each key once");
      }
      entries.set(name, this.plain(value, own, depth + 1));
    }
    return Object.fromEntries(entries);
  }

  #refuse(node: unknown, path: Path, found: string, allowed: string): never {
    const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    throw new Refused({
      where: { ...this.#whereAt(offset), path: pathText(path) },
      found,
      allowed,
    });
  }
}

const keyText = (key: unknown): string => (isScalar(key) ? String(key.value ?? "") : "");

/** What each alias means: the last anchor of its name before it. */
function aliasTargets(document: Document): Map<Node, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Node, Node>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) {
        anchors.set(node.anchor, node);
      }
    },
  });
  return targets;
}

function offsetOf(root: unknown, path: Path, part: Part, targets: ReadonlyMap<Node, Node>): number {
  let node = root;
  let offset = isNode(root) ? (root.range?.[0] ?? 0) : 0;
  for (const [index, step] of path.entries()) {
    while (isAlias(node)) node = targets.get(node);
    const pair: Pair | undefined = isMap(node)
      ? node.items.find(({ key }) => keyText(key) === String(step))
      : undefined;
    const next = isSeq(node) ? node.items[Number(step)] : pair?.value;
    if (next === undefined || (pair === undefined && !isSeq(node))) return offset;
    const isLast = index === path.length - 1;
    const place = isLast && part === "key" && pair !== undefined ? pair.key : next;
    if (isNode(place)) offset = place.range?.[0] ?? offset;
    node = next;
  }
  return offset;
}

/** `events[1].at`; a key that is no plain word stands in quotes: `files["/agentOS/a.md"]`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (!/^[\w-]+$/.test(step)) return `${text}[${quoted(step)}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}

/*
 * What is wrong with a text that is no YAML, in words that say what to do: the parser tells where it gave up,
 * which is often not what the author did. The usual slips are a text that begins with { and a text that holds ": ".
 */

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
function syntaxProblems(
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
