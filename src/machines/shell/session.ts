/** What the commands of one shell share, and what a single command is given. */
import type { Disk } from "./disk.ts";
import { resolved } from "./disk.ts";
import { type Meter, within } from "./shellLimits.ts";

/** Where output goes: the terminal, a pipe or a file. Two descriptors may share one. */
export interface Sink {
  text: string;
}

/** What a substitution copies and `cd` changes. */
export interface Scope {
  readonly cwd: string;
  readonly variables: ReadonlyMap<string, string>;
  /** Exit code of the last pipeline. */
  readonly status: number;
}

/** Of one runShell. */
export interface Session {
  readonly disk: Disk;
  readonly steps: Meter;
  readonly home: string;
  readonly user: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** One command as it runs: words in, text out. */
export interface Call {
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin: string;
  /** A file was redirected into it; otherwise a pipe, or nothing. */
  readonly stdinIsFile: boolean;
  readonly session: Session;
  readonly line: number;
  /** Changed by `cd`, `exit`, `export` and assignments only. */
  scope: Scope;
  ended: boolean;
  out(text: string): void;
  err(text: string): void;
}

/** Returns the exit code. */
export type Command = (call: Call) => number;

export function append(sink: Sink, text: string): void {
  within("outputChars", sink.text.length + text.length);
  sink.text += text;
}

/** The absolute path a word of the call names. */
export const pathIn = (call: Call, path: string): string => resolved(call.scope.cwd, path);

/** `cat: notes.md: No such file or directory`; returns 1. */
export function failed(call: Call, message: string, code = 1): number {
  call.err(`${call.name}: ${message}\n`);
  return code;
}

/** What the shell itself says about one of its own commands. */
export function shellFailed(call: Call, message: string, code: number): number {
  call.err(`sh: ${call.line}: ${message}\n`);
  return code;
}

/** As in Linux. */
export const PATH_CHARS_MAX = 4_096;

export interface InputText {
  /** As it was written; `-` for standard input. */
  readonly label: string;
  readonly text: string;
}

/**
 * The texts a filter works on: files, `-`, or standard input when none is named. `complain` says
 * what is wrong with a path.
 */
export function inputsOf(
  call: Call,
  operands: readonly string[],
  complain: (path: string, errno: string) => void,
): InputText[] {
  const wanted = operands.length === 0 ? ["-"] : operands;
  return wanted.flatMap((label): InputText[] => {
    if (label === "-") {
      call.session.steps.spend(call.stdin.length);
      return [{ label, text: call.stdin }];
    }
    const path = pathIn(call, label);
    if (call.session.disk.isFolder(path)) {
      complain(label, "Is a directory");
      return [];
    }
    const text = label.endsWith("/") ? undefined : call.session.disk.read(path);
    if (text === undefined) complain(label, missingErrno(call, label));
    return text === undefined ? [] : [{ label, text }];
  });
}

/** Why a path that names no file names none. */
export function missingErrno(call: Call, label: string): string {
  const { disk } = call.session;
  if (label.length > PATH_CHARS_MAX) return "File name too long";
  const segments = pathIn(call, label).split("/");
  const isBelowFile = segments.some(
    (_, at) =>
      at > 0 && at < segments.length - 1 && disk.isFile(segments.slice(0, at + 1).join("/")),
  );
  const isFileItself = label.endsWith("/") && disk.isFile(pathIn(call, label));
  return isBelowFile || isFileItself ? "Not a directory" : "No such file or directory";
}

/** Without the run of one character at its end. A pattern would take quadratic time for this. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** Lines without their newline; the last one need not have one. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
