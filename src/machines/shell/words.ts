/**
 * The text of a command as words and operators, as POSIX's token recognition has it: quotes,
 * backslashes, parameters, substitutions, comments, redirections and here-documents.
 *
 * Source: POSIX.1-2024, Shell Command Language 2.2, 2.3 and 2.7. Own code: the small parsers in the
 * package registry lose which part of a word was quoted, descriptors and here-documents.
 */

export type Part =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  | { readonly kind: "variable"; readonly name: string; readonly quoted: boolean }
  | { readonly kind: "command"; readonly command: string; readonly quoted: boolean };

export type Word = readonly Part[];

export type Token =
  | { readonly kind: "word"; readonly word: Word; readonly line: number }
  | { readonly kind: "operator"; readonly text: string; readonly line: number }
  | {
      readonly kind: "redirect";
      readonly fd: number;
      readonly operator: "<" | ">" | ">>" | ">&" | "<<";
      readonly line: number;
      /** Of a here-document: what stands between the delimiters. */
      body?: Word;
    };

/** What is no command, in the words of the shell. */
export class ShellSyntaxError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const OPERATORS = ["&&", "||", ";;", ";", "|", "&", "(", ")"];
const REDIRECT = /(\d?)(<<-|<<|<&|<|>>|>&|>\||>)/y;
const BLANK = /[ \t]+|\\\n/y;
const COMMENT = /#[^\n]*/y;
const PLAIN = /[^ \t\n\\'"$`;&|()<>]+/y;
const PARAMETER = /\$(?:([A-Za-z_]\w*|[?$#0-9])|\{([A-Za-z_]\w*|[?])\})/y;

/** The whole text, newlines as operators. Throws ShellSyntaxError only. */
export function tokensOf(text: string): Token[] {
  const reader = new WordReader(text);
  const tokens: Token[] = [];
  const pending: { token: Token & { kind: "redirect" }; delimiter: Word; dashed: boolean }[] = [];
  while (reader.position < text.length) {
    if (reader.skipped(BLANK) || reader.skipped(COMMENT)) continue;
    const { line } = reader;
    if (text[reader.position] === "\n") {
      reader.position += 1;
      for (const { token, delimiter, dashed } of pending.splice(0)) {
        token.body = reader.hereDocument(delimiter, dashed);
      }
      tokens.push({ kind: "operator", text: "\n", line });
      continue;
    }
    const redirect = reader.matched(REDIRECT);
    if (redirect !== undefined) {
      const token = redirectToken(redirect, line);
      tokens.push(token);
      if (token.operator !== "<<") continue;
      reader.skipped(BLANK);
      const delimiter = reader.word();
      if (delimiter.length === 0) throw new ShellSyntaxError("redirection unexpected", line);
      token.body = [];
      pending.push({ token, delimiter, dashed: redirect[2] === "<<-" });
      continue;
    }
    const operator = OPERATORS.find((one) => text.startsWith(one, reader.position));
    if (operator !== undefined) {
      reader.position += operator.length;
      tokens.push({ kind: "operator", text: operator, line });
      continue;
    }
    tokens.push({ kind: "word", word: reader.word(), line });
  }
  return tokens;
}

function redirectToken([, digit, sign]: RegExpExecArray, line: number) {
  const operator = sign === "<<-" ? "<<" : sign === ">|" ? ">" : sign;
  if (operator === "<&") throw new ShellSyntaxError('"<&" is not supported here', line);
  const fd = digit ? Number(digit) : operator?.startsWith("<") ? 0 : 1;
  return { kind: "redirect", fd, operator, line } as Token & { kind: "redirect" };
}

class WordReader {
  readonly text: string;
  position = 0;
  private newlines = 0;
  private counted = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The number of the line at the position, which only moves forward. */
  get line(): number {
    for (; this.counted < this.position; this.counted++) {
      if (this.text[this.counted] === "\n") this.newlines += 1;
    }
    return this.newlines + 1;
  }

  /** What the sticky pattern matches here; the position moves past it. */
  matched(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.position = pattern.lastIndex;
    return found;
  }

  skipped(pattern: RegExp): boolean {
    return this.matched(pattern) !== undefined;
  }

  word(): Word {
    const parts: Part[] = [];
    for (;;) {
      const plain = this.matched(PLAIN);
      const character = this.text[this.position];
      if (plain !== undefined) parts.push({ kind: "text", text: plain[0], quoted: false });
      else if (character === "'") parts.push(this.single());
      else if (character === '"') parts.push(...this.double());
      else if (character === "\\") parts.push(...this.escaped());
      else if (character === "$" || character === "`") parts.push(this.dollar(false));
      else return parts;
    }
  }

  private single(): Part {
    const end = this.text.indexOf("'", this.position + 1);
    if (end < 0) throw this.unterminated();
    const text = this.text.slice(this.position + 1, end);
    this.position = end + 1;
    return { kind: "text", text, quoted: true };
  }

  private escaped(): Part[] {
    const next = this.text[this.position + 1];
    this.position += 2;
    if (next === "\n") return [];
    return [{ kind: "text", text: next ?? "\\", quoted: true }];
  }

  private double(): Part[] {
    this.position += 1;
    const end = (): boolean => this.text[this.position] === '"';
    const parts = this.expanded(end, '$`"\\');
    if (!end()) throw this.unterminated();
    this.position += 1;
    return [{ kind: "text", text: "", quoted: true }, ...parts];
  }

  /** Text in which parameters and substitutions count, up to where `isEnd` says so. */
  private expanded(isEnd: () => boolean, escapable: string): Part[] {
    const parts: Part[] = [];
    let literal = "";
    const flush = (): void => {
      if (literal !== "") parts.push({ kind: "text", text: literal, quoted: true });
      literal = "";
    };
    while (this.position < this.text.length && !isEnd()) {
      const character = this.text[this.position] ?? "";
      const next = this.text[this.position + 1] ?? "";
      if (character === "\\" && next !== "" && `${escapable}\n`.includes(next)) {
        literal += next === "\n" ? "" : next;
        this.position += 2;
      } else if (character === "$" || character === "`") {
        flush();
        parts.push(this.dollar(true));
      } else {
        literal += character;
        this.position += 1;
      }
    }
    flush();
    return parts;
  }

  private dollar(quoted: boolean): Part {
    const parameter = this.matched(PARAMETER);
    if (parameter !== undefined) {
      return { kind: "variable", name: parameter[1] ?? parameter[2] ?? "", quoted };
    }
    const rest = this.text.slice(this.position, this.position + 3);
    if (rest === "$((") throw new ShellSyntaxError("arithmetic is not supported here", this.line);
    if (rest.startsWith("${")) throw new ShellSyntaxError("Bad substitution", this.line);
    if (rest.startsWith("$(")) return { kind: "command", command: this.parenthesised(), quoted };
    if (rest.startsWith("`")) return { kind: "command", command: this.backquoted(), quoted };
    this.position += 1;
    return { kind: "text", text: "$", quoted };
  }

  private backquoted(): string {
    let command = "";
    for (let at = this.position + 1; at < this.text.length; at++) {
      const character = this.text[at] ?? "";
      if (character === "`") {
        this.position = at + 1;
        return command;
      }
      const next = this.text[at + 1] ?? "";
      const isEscape = character === "\\" && next !== "" && "$`\\".includes(next);
      command += isEscape ? next : character;
      if (isEscape) at += 1;
    }
    throw this.unterminated();
  }

  /** The text between `$(` and its `)`, past quotes and inner parentheses. */
  private parenthesised(): string {
    const start = this.position + 2;
    let depth = 1;
    let quote = "";
    for (let at = start; at < this.text.length; at++) {
      const character = this.text[at] ?? "";
      if (character === "\\" && quote !== "'") at += 1;
      else if (quote !== "") quote = character === quote ? "" : quote;
      else if (character === "'" || character === '"') quote = character;
      else if (character === "(") depth += 1;
      else if (character === ")") depth -= 1;
      if (depth === 0) {
        this.position = at + 1;
        return this.text.slice(start, at);
      }
    }
    throw new ShellSyntaxError('Syntax error: end of file unexpected (expecting ")")', this.line);
  }

  /** Lines up to the delimiter; literal when any part of the delimiter was quoted. */
  hereDocument(delimiter: Word, dashed: boolean): Word {
    const end = delimiter.map((part) => (part.kind === "text" ? part.text : "")).join("");
    const isLiteral = delimiter.some(({ quoted }) => quoted);
    const lines: string[] = [];
    while (this.position < this.text.length) {
      const newline = this.text.indexOf("\n", this.position);
      const stop = newline < 0 ? this.text.length : newline;
      const raw = this.text.slice(this.position, stop);
      const line = dashed ? raw.replace(/^\t+/, "") : raw;
      this.position = Math.min(stop + 1, this.text.length);
      if (line === end) break;
      lines.push(`${line}\n`);
    }
    const body = lines.join("");
    if (isLiteral) return [{ kind: "text", text: body, quoted: true }];
    return new WordReader(body).expanded(() => false, "$`\\");
  }

  private unterminated(): ShellSyntaxError {
    return new ShellSyntaxError("Syntax error: Unterminated quoted string", this.line);
  }
}
