/** grep, with egrep's and fgrep's patterns. Wording as in GNU grep. */
import { childOf } from "./disk.ts";
import { type Options, optionsOf } from "./options.ts";
import { type Pattern, patternOf } from "./pattern.ts";
import { PatternError } from "./patternSyntax.ts";
import {
  type Call,
  type Command,
  failed,
  type InputText,
  inputsOf,
  linesOf,
  pathIn,
} from "./session.ts";
import { wildcard } from "./wildcard.ts";

export const grep: Command = (call) => {
  const options = optionsOf(call, {
    ...{ flags: "nirRcvlLEFGhHqswxo", valued: "em", long: LONG },
  });
  if (options === undefined) return 2;
  const [first, ...rest] = options.operands;
  const given = options.values["e"];
  const source = given?.join("\n") ?? first;
  if (source === undefined) return failed(call, "usage: grep [OPTION]... PATTERNS [FILE]...", 2);
  const operands = given === undefined ? rest : options.operands;
  const most = options.last("m") ?? "999999999";
  if (!/^\d{1,9}$/.test(most)) return failed(call, "invalid max count", 2);
  try {
    const matching = matcherOf(call, options, source.split("\n"));
    return searched(call, options, operands, { matching, most: Number(most) });
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    return failed(call, thrown.message, 2);
  }
};

const LONG = {
  recursive: "r",
  "ignore-case": "i",
  "line-number": "n",
  count: "c",
  "invert-match": "v",
  "files-with-matches": "l",
  "extended-regexp": "E",
  "fixed-strings": "F",
  quiet: "q",
  include: "I",
} as const;

/** Begin and end of the next match at or after a position, in code points. */
type Matching = (line: readonly string[], from: number) => readonly [number, number] | undefined;

interface Search {
  readonly matching: Matching;
  readonly most: number;
}

function matcherOf(call: Call, options: Options, sources: readonly string[]): Matching {
  const { steps } = call.session;
  const kind = options.has("F") ? "fixed" : options.has("E") ? "extended" : "basic";
  const patterns = sources.map((source) =>
    patternOf(source, { kind, steps, ignoreCase: options.has("i") }),
  );
  const fits = (line: readonly string[], [start, end]: readonly [number, number]): boolean => {
    if (options.has("x")) return start === 0 && end === line.length;
    if (!options.has("w")) return true;
    return !/\w/.test(line[start - 1] ?? "") && !/\w/.test(line[end] ?? "");
  };
  const next = (pattern: Pattern, line: readonly string[], from: number) => {
    for (let at = from; at <= line.length; at++) {
      const [start = -1, end = -1] = pattern.search(line, at) ?? [];
      if (start < 0) return undefined;
      if (fits(line, [start, end])) return [start, end] as const;
      at = start;
    }
    return undefined;
  };
  return (line, from) => {
    steps.spend(line.length);
    const found = patterns.flatMap((pattern) => {
      const match = next(pattern, line, from);
      return match === undefined ? [] : [match];
    });
    return found.toSorted((one, other) => one[0] - other[0] || other[1] - one[1])[0];
  };
}

function searched(
  call: Call,
  options: Options,
  operands: readonly string[],
  search: Search,
): number {
  const isRecursive = options.has("r") || options.has("R");
  let hasFailed = false;
  const complain = (path: string, errno: string): void => {
    hasFailed ||= errno !== "Is a directory";
    if (!options.has("s")) call.err(`grep: ${path}: ${errno}\n`);
  };
  const wanted = operands.length === 0 && isRecursive ? ["."] : operands;
  const labels = isRecursive
    ? wanted.flatMap((label) => filesBelow(call, options, label, operands.length === 0))
    : wanted;
  const inputs = isRecursive && labels.length === 0 ? [] : inputsOf(call, labels, complain);
  const isNamed = (isRecursive || wanted.length > 1 || options.has("H")) && !options.has("h");
  let hasMatch = false;
  for (const input of inputs) {
    const isMatch = printMatches(call, options, input, { ...search, isNamed });
    hasMatch ||= isMatch;
    if (isMatch && options.has("q")) return 0;
  }
  return hasFailed ? 2 : hasMatch ? 0 : 1;
}

/** Files below a folder, as paths that begin as it was written; a file is itself. */
function filesBelow(call: Call, options: Options, label: string, isBare: boolean): string[] {
  const { disk, steps } = call.session;
  const include = options.values["I"]?.map((pattern) => wildcard(pattern, steps));
  const walk = (folder: string, shown: string): string[] =>
    disk.list(folder).flatMap((name) => {
      const path = childOf(folder, name);
      const below = shown === "" ? name : `${shown.replace(/\/$/, "")}/${name}`;
      const isWanted = include === undefined || include.some((fits) => fits(name));
      return [
        ...(disk.isFile(path) && isWanted ? [below] : []),
        ...(disk.isFolder(path) ? walk(path, below) : []),
      ];
    });
  const path = pathIn(call, label);
  if (label === "-" || !disk.isFolder(path)) return [label];
  return walk(path, isBare ? "" : label);
}

function printMatches(
  call: Call,
  options: Options,
  { label, text }: InputText,
  { matching, most, isNamed }: Search & { readonly isNamed: boolean },
): boolean {
  const shown = label === "-" ? "(standard input)" : label;
  const prefix = isNamed ? `${shown}:` : "";
  const isSilent = ["q", "l", "L", "c"].some(options.has);
  let count = 0;
  for (const [index, line] of linesOf(text).entries()) {
    if (count >= most) break;
    const characters = [...line];
    const isMatch = (matching(characters, 0) !== undefined) !== options.has("v");
    if (!isMatch) continue;
    count += 1;
    if (isSilent) continue;
    const number = options.has("n") ? `${index + 1}:` : "";
    const parts = options.has("o") ? matchesIn(characters, matching, options.has("v")) : [line];
    for (const part of parts) call.out(`${prefix}${number}${part}\n`);
  }
  if (options.has("q")) return count > 0;
  if (options.has("l") && count > 0) call.out(`${shown}\n`);
  else if (options.has("L") && count === 0) call.out(`${shown}\n`);
  else if (options.has("c") && !options.has("l") && !options.has("L"))
    call.out(`${prefix}${count}\n`);
  return options.has("L") ? count === 0 : count > 0;
}

function matchesIn(line: readonly string[], matching: Matching, isInverted: boolean): string[] {
  const parts: string[] = [];
  if (isInverted) return parts;
  for (let from = 0; from <= line.length; ) {
    const match = matching(line, from);
    if (match === undefined) break;
    const [start, end] = match;
    if (end > start) parts.push(line.slice(start, end).join(""));
    from = Math.max(end, start + 1);
  }
  return parts;
}
