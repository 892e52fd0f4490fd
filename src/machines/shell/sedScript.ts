/** The script of sed as instructions. Source: POSIX.1-2024, sed; s, p, d and q only. */
import { type Pattern, type PatternOptions, patternOf } from "./pattern.ts";
import { PatternError } from "./patternSyntax.ts";

export type Address = number | "$" | Pattern;

export interface Instruction {
  readonly first: Address | undefined;
  readonly second: Address | undefined;
  readonly isNegated: boolean;
  readonly command: "s" | "p" | "d" | "q";
  readonly pattern?: Pattern;
  /** Texts, and groups by number; 0 is the whole match. */
  readonly replacement?: readonly (string | number)[];
  readonly nth?: number;
  readonly isGlobal?: boolean;
  readonly prints?: boolean;
}

const INSTRUCTIONS_MAX = 50;

/** Throws PatternError with what is wrong. */
export function scriptOf(
  script: string,
  options: Pick<PatternOptions, "kind" | "steps">,
): Instruction[] {
  const reader = new ScriptReader([...script], options);
  const instructions: Instruction[] = [];
  while (reader.skipSeparators()) {
    instructions.push(reader.instruction());
    if (instructions.length > INSTRUCTIONS_MAX) throw new PatternError("the script is too long");
  }
  return instructions;
}

class ScriptReader {
  private readonly script: readonly string[];
  private readonly options: Pick<PatternOptions, "kind" | "steps">;
  private at = 0;

  constructor(script: readonly string[], options: Pick<PatternOptions, "kind" | "steps">) {
    this.script = script;
    this.options = options;
  }

  /** Whether anything is left. */
  skipSeparators(): boolean {
    this.skip(/[;\s]/);
    return this.at < this.script.length;
  }

  instruction(): Instruction {
    const first = this.address();
    let second: Address | undefined;
    if (first !== undefined && this.script[this.at] === ",") {
      this.at += 1;
      second = this.address();
      if (second === undefined) throw this.wrong("unexpected `,'");
    }
    this.skip(/[ \t]/);
    const isNegated = this.script[this.at] === "!";
    if (isNegated) this.at += 1;
    this.skip(/[ \t]/);
    const command = this.script[this.at] ?? "";
    this.at += 1;
    const place = { first, second, isNegated };
    if (command === "s") return { ...place, ...this.substitution() };
    if (command === "") throw this.wrong("missing command");
    if (command !== "p" && command !== "d" && command !== "q") {
      throw this.wrong(`the command \`${command}' is not supported here`);
    }
    this.end();
    return { ...place, command };
  }

  private address(): Address | undefined {
    const character = this.script[this.at] ?? "";
    if (character === "$") {
      this.at += 1;
      return "$";
    }
    if (character === "/") {
      this.at += 1;
      return this.pattern(this.until("/"), false);
    }
    const digits = /^\d{1,9}/.exec(this.script.slice(this.at, this.at + 9).join(""))?.[0];
    if (digits === undefined) return undefined;
    this.at += digits.length;
    if (digits === "0") throw this.wrong("invalid usage of line address 0");
    return Number(digits);
  }

  private substitution() {
    const delimiter = this.script[this.at] ?? "";
    if (delimiter === "" || delimiter === "\n" || delimiter === "\\") {
      throw this.wrong("unterminated `s' command");
    }
    this.at += 1;
    const source = this.until(delimiter);
    const replacement = replacementOf(this.until(delimiter));
    let flags = "";
    while (/[gpiI0-9]/.test(this.script[this.at] ?? "")) flags += this.script[this.at++];
    this.end();
    const digits = flags.replaceAll(/\D/g, "");
    if (digits.length > 4 || digits === "0")
      throw this.wrong("number option to `s' command may not be zero");
    return {
      command: "s" as const,
      pattern: this.pattern(source, /[iI]/.test(flags)),
      replacement,
      nth: digits === "" ? 1 : Number(digits),
      isGlobal: flags.includes("g"),
      prints: flags.includes("p"),
    };
  }

  private pattern(source: string, ignoreCase: boolean): Pattern {
    if (source === "") throw this.wrong("no previous regular expression");
    return patternOf(source, { ...this.options, ignoreCase });
  }

  /** Up to the delimiter, which an escape, and in a pattern a bracket, takes as text. */
  private until(delimiter: string): string {
    let text = "";
    while (this.at < this.script.length) {
      const character = this.script[this.at++] ?? "";
      if (character === delimiter) return text;
      if (character !== "\\") {
        text += character;
        continue;
      }
      const next = this.script[this.at++] ?? "";
      text += next === delimiter ? next : `\\${next}`;
    }
    throw this.wrong("unterminated `s' command");
  }

  /** After a command comes a separator, or nothing. */
  private end(): void {
    this.skip(/[ \t]/);
    const character = this.script[this.at];
    if (character !== undefined && character !== ";" && character !== "\n") {
      throw this.wrong("extra characters after command");
    }
  }

  private skip(set: RegExp): void {
    while (set.test(this.script[this.at] ?? "x")) this.at += 1;
  }

  private wrong(message: string): PatternError {
    return new PatternError(`char ${this.at}: ${message}`);
  }
}

function replacementOf(source: string): (string | number)[] {
  const pieces: (string | number)[] = [];
  const characters = [...source];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    if (character === "&") pieces.push(0);
    else if (character === "\\") {
      const next = characters[++at] ?? "\\";
      if (/^\d$/.test(next)) pieces.push(Number(next));
      else pieces.push(next === "n" ? "\n" : next === "t" ? "\t" : next);
    } else pieces.push(character);
  }
  return pieces;
}
