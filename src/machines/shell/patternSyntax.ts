/** The text of a regular expression as a tree. Source: POSIX.1-2024, Base Definitions 9, and GNU's `\w \s \b`. */
import { bracketAt } from "./wildcard.ts";

type Test = (character: string) => boolean;

export type Node =
  | { readonly kind: "test"; readonly accepts: Test }
  | { readonly kind: "assert"; readonly what: "^" | "$" | "\\b" | "\\<" | "\\>" }
  | { readonly kind: "group"; readonly index: number; readonly inner: Node }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "either"; readonly options: readonly Node[] }
  | {
      readonly kind: "repeat";
      readonly inner: Node;
      readonly min: number;
      readonly max: number | undefined;
    };

/** The text is no pattern, in the words of grep. */
export class PatternError extends Error {}

const COUNT_MAX = 255;
const DEPTH_MAX = 50;

const ESCAPED: { readonly [letter: string]: Test } = {
  w: (one) => /^\w$/.test(one),
  W: (one) => !/^\w$/.test(one),
  s: (one) => /^\s$/.test(one),
  S: (one) => !/^\s$/.test(one),
  n: (one) => one === "\n",
  t: (one) => one === "\t",
};

/** How many groups there are, besides the tree. */
export function parsePattern(
  source: string,
  kind: "basic" | "extended" | "fixed",
): { readonly node: Node; readonly groups: number } {
  if (kind === "fixed") return { node: sequence([...source].map(literal)), groups: 0 };
  const parser = new PatternParser([...source], kind === "extended");
  return { node: parser.whole(), groups: parser.groups };
}

const literal = (wanted: string): Node => ({ kind: "test", accepts: (one) => one === wanted });
const sequence = (parts: readonly Node[]): Node => ({ kind: "sequence", parts });

class PatternParser {
  groups = 0;
  private readonly source: readonly string[];
  private readonly extended: boolean;
  private at = 0;
  private depth = 0;

  constructor(source: readonly string[], extended: boolean) {
    this.source = source;
    this.extended = extended;
  }

  whole(): Node {
    const node = this.either();
    if (this.at < this.source.length) {
      throw new PatternError("Unmatched ) or \\)");
    }
    return node;
  }

  /** Whether an operator stands here: `|` in extended patterns, `\|` in basic ones. */
  private sees(operator: string): boolean {
    return this.extended
      ? this.source[this.at] === operator
      : this.source[this.at] === "\\" && this.source[this.at + 1] === operator;
  }

  private takes(operator: string): boolean {
    if (!this.sees(operator)) return false;
    this.at += this.extended ? 1 : 2;
    return true;
  }

  private either(): Node {
    const options = [this.branch()];
    while (this.takes("|")) options.push(this.branch());
    return options.length === 1 ? (options[0] as Node) : { kind: "either", options };
  }

  private branch(): Node {
    const parts: Node[] = [];
    while (this.at < this.source.length && !this.sees("|") && !this.closes()) {
      parts.push(this.repeated(this.atom(parts.length === 0), parts.length === 0));
    }
    return sequence(parts);
  }

  /** In extended patterns a lone `)` is text. */
  private closes(): boolean {
    return this.sees(")") && (this.depth > 0 || !this.extended);
  }

  private atom(isFirst: boolean): Node {
    if (this.takes("(")) return this.group();
    const character = this.source[this.at] ?? "";
    this.at += 1;
    if (character === "\\") return this.escape();
    if (character === ".") return { kind: "test", accepts: () => true };
    if (character === "^" && (this.extended || isFirst)) return { kind: "assert", what: "^" };
    if (character === "$" && (this.extended || this.endsHere()))
      return { kind: "assert", what: "$" };
    if (character !== "[") return literal(character);
    const bracket = bracketAt(this.source, this.at - 1);
    if (bracket === undefined) throw new PatternError("Unmatched [, [^, [:, [., or [=");
    this.at = bracket.end + 1;
    return { kind: "test", accepts: bracket.accepts };
  }

  private endsHere(): boolean {
    return this.at >= this.source.length || this.sees("|") || this.sees(")");
  }

  private group(): Node {
    this.groups += 1;
    this.depth += 1;
    const index = this.groups;
    if (this.depth > DEPTH_MAX) throw new PatternError("Regular expression too big");
    const inner = this.either();
    if (!this.takes(")")) throw new PatternError("Unmatched ( or \\(");
    this.depth -= 1;
    return { kind: "group", index, inner };
  }

  private escape(): Node {
    const letter = this.source[this.at];
    if (letter === undefined) throw new PatternError("Trailing backslash");
    this.at += 1;
    if (letter === "b" || letter === "<" || letter === ">") {
      return { kind: "assert", what: `\\${letter}` };
    }
    if (/^[1-9]$/.test(letter)) throw new PatternError("back-references are not supported here");
    const accepts = Object.hasOwn(ESCAPED, letter) ? ESCAPED[letter] : undefined;
    return accepts === undefined ? literal(letter) : { kind: "test", accepts };
  }

  /** `*`, `+`, `?` and counts after an atom; a leading `*` of a basic pattern is text. */
  private repeated(atom: Node, isFirst: boolean): Node {
    let node = atom;
    for (let times = 0; ; times++) {
      const isText = !this.extended && isFirst && atom.kind === "assert" && times === 0;
      if (this.source[this.at] === "*" && !isText) {
        this.at += 1;
        node = { kind: "repeat", inner: node, min: 0, max: undefined };
      } else if (this.takes("+")) node = { kind: "repeat", inner: node, min: 1, max: undefined };
      else if (this.takes("?")) node = { kind: "repeat", inner: node, min: 0, max: 1 };
      else if (this.sees("{") && (this.count() !== undefined || !this.extended)) {
        node = this.counted(node);
      } else return node;
      if (times >= DEPTH_MAX) throw new PatternError("Regular expression too big");
    }
  }

  /** `{2}`, `{2,}` or `{2,3}` ahead; in extended patterns any other brace is text. */
  private count(): RegExpExecArray | undefined {
    const rest = this.source.slice(this.at, this.at + 14).join("");
    const form = this.extended ? /^\{(\d{1,3})(,(\d{0,3}))?\}/ : /^\\\{(\d{1,3})(,(\d{0,3}))?\\\}/;
    return form.exec(rest) ?? undefined;
  }

  private counted(inner: Node): Node {
    const count = this.count();
    const min = Number(count?.[1]);
    const max = count?.[2] === undefined ? min : count[3] ? Number(count[3]) : undefined;
    if (count === undefined || min > COUNT_MAX || (max ?? 0) > COUNT_MAX || (max ?? min) < min) {
      throw new PatternError("Invalid content of \\{\\}");
    }
    this.at += count[0].length;
    return { kind: "repeat", inner, min, max };
  }
}
