/** Words and operators as a list of pipelines. Source: POSIX.1-2024, Shell Command Language 2.9. */
import { ShellLimitReached, shellLimits } from "./shellLimits.ts";
import { ShellSyntaxError, type Token, tokensOf, type Word } from "./words.ts";

export interface Redirect {
  readonly fd: number;
  readonly operator: "<" | ">" | ">>" | ">&" | "<<";
  /** The path, the descriptor, or the text of a here-document. */
  readonly target: Word;
}

export interface SimpleCommand {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  readonly line: number;
}

export interface Pipeline {
  /** What must be true of the status so far: `&&` runs on success, `||` on failure. */
  readonly joiner: ";" | "&&" | "||";
  readonly negated: boolean;
  readonly commands: readonly SimpleCommand[];
}

/** Words that begin something this shell does not have. */
const COMPOUND = new Set(
  "if then else elif fi for while until do done case esac { } function select".split(" "),
);

/** Throws ShellSyntaxError, or the limit of a pipeline's length. */
export function pipelinesOf(text: string): Pipeline[] {
  const tokens = tokensOf(text);
  const pipelines: Pipeline[] = [];
  let position = 0;
  let joiner: Pipeline["joiner"] = ";";
  const skipNewlines = (): void => {
    while (operatorAt(tokens, position) === "\n") position += 1;
  };
  for (;;) {
    skipNewlines();
    if (position >= tokens.length) {
      if (joiner === ";") return pipelines;
      throw new ShellSyntaxError("Syntax error: end of file unexpected", lastLine(tokens));
    }
    const read = pipelineAt(tokens, position, joiner);
    pipelines.push(read.pipeline);
    position = read.end;
    joiner = ";";
    const operator = operatorAt(tokens, position);
    if (operator === undefined) continue;
    position += 1;
    joiner = operator === "&&" || operator === "||" ? operator : ";";
    if (operator !== "\n" && joiner === ";" && operator !== ";")
      throw unexpected(tokens, position - 1);
  }
}

function pipelineAt(tokens: readonly Token[], start: number, joiner: Pipeline["joiner"]) {
  let position = start;
  let negated = false;
  while (bareWord(tokens[position]) === "!") {
    negated = !negated;
    position += 1;
  }
  const commands: SimpleCommand[] = [];
  for (;;) {
    const read = commandAt(tokens, position);
    commands.push(read.command);
    position = read.end;
    if (commands.length > shellLimits.pipelineLength) throw new ShellLimitReached("pipelineLength");
    if (operatorAt(tokens, position) !== "|") break;
    position += 1;
    while (operatorAt(tokens, position) === "\n") position += 1;
  }
  return { pipeline: { joiner, negated, commands }, end: position };
}

function commandAt(tokens: readonly Token[], start: number) {
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  let position = start;
  const first = bareWord(tokens[position]);
  if (first !== undefined && COMPOUND.has(first)) {
    throw new ShellSyntaxError(`"${first}" is not supported here`, tokens[position]?.line ?? 1);
  }
  for (; position < tokens.length; position++) {
    const token = tokens[position] as Token;
    if (token.kind === "operator") break;
    if (token.kind === "word") {
      words.push(token.word);
      continue;
    }
    if (token.operator === "<<") {
      redirects.push({ fd: token.fd, operator: "<<", target: token.body ?? [] });
      continue;
    }
    const target = tokens[position + 1];
    if (target?.kind !== "word") throw unexpected(tokens, position + 1);
    redirects.push({ fd: token.fd, operator: token.operator, target: target.word });
    position += 1;
  }
  if (words.length + redirects.length === 0) throw unexpected(tokens, position);
  const line = tokens[start]?.line ?? 1;
  return { command: { words, redirects, line }, end: position };
}

function operatorAt(tokens: readonly Token[], position: number): string | undefined {
  const token = tokens[position];
  return token?.kind === "operator" ? token.text : undefined;
}

/** The word when no part of it is quoted or expanded. */
function bareWord(token: Token | undefined): string | undefined {
  if (token?.kind !== "word" || token.word.length !== 1) return undefined;
  const [part] = token.word;
  return part?.kind === "text" && !part.quoted ? part.text : undefined;
}

function unexpected(tokens: readonly Token[], position: number): ShellSyntaxError {
  const token = tokens[position];
  const line = token?.line ?? lastLine(tokens);
  if (token === undefined)
    return new ShellSyntaxError("Syntax error: end of file unexpected", line);
  if (token.kind === "operator" && (token.text === "(" || token.text === "&")) {
    return new ShellSyntaxError(`"${token.text}" is not supported here`, line);
  }
  const what =
    token.kind === "operator" ? (token.text === "\n" ? "newline" : `"${token.text}"`) : "word";
  return new ShellSyntaxError(`Syntax error: ${what} unexpected`, line);
}

const lastLine = (tokens: readonly Token[]): number => tokens.at(-1)?.line ?? 1;
