/** test and [. Source: POSIX.1-2024, test. */
import { type Call, type Command, pathIn, shellFailed } from "./session.ts";

export const test: Command = (call) => {
  const { args } = call;
  if (call.name !== "[") return judged(call, args);
  if (args.at(-1) !== "]") return shellFailed(call, "[: missing ]", 2);
  return judged(call, args.slice(0, -1));
};

/** The sentence of a wrong expression. */
class BadExpression extends Error {}

function judged(call: Call, words: readonly string[]): number {
  if (words.length === 0) return 1;
  try {
    const reader = { words, at: 0 };
    const isTrue = anyOf(call, reader);
    if (reader.at < words.length)
      throw new BadExpression(`${words[reader.at]}: unexpected operator`);
    return isTrue ? 0 : 1;
  } catch (thrown) {
    if (!(thrown instanceof BadExpression)) throw thrown;
    return shellFailed(call, `${call.name}: ${thrown.message}`, 2);
  }
}

interface Reader {
  readonly words: readonly string[];
  at: number;
}

function anyOf(call: Call, reader: Reader): boolean {
  let isTrue = allOf(call, reader);
  while (reader.words[reader.at] === "-o") {
    reader.at += 1;
    const next = allOf(call, reader);
    isTrue ||= next;
  }
  return isTrue;
}

function allOf(call: Call, reader: Reader): boolean {
  let isTrue = primary(call, reader);
  while (reader.words[reader.at] === "-a") {
    reader.at += 1;
    const next = primary(call, reader);
    isTrue &&= next;
  }
  return isTrue;
}

const BINARY = ["=", "==", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
const UNARY = ["-e", "-f", "-d", "-s", "-r", "-w", "-x", "-n", "-z", "-L", "-h"];

function primary(call: Call, reader: Reader): boolean {
  let isNegated = false;
  const { words } = reader;
  while (
    words[reader.at] === "!" &&
    reader.at + 1 < words.length &&
    !BINARY.includes(words[reader.at + 1] ?? "")
  ) {
    isNegated = !isNegated;
    reader.at += 1;
  }
  const [first, second, third] = words.slice(reader.at, reader.at + 3);
  if (first === undefined) throw new BadExpression("argument expected");
  if (second !== undefined && BINARY.includes(second) && third !== undefined) {
    reader.at += 3;
    return compared(first, second, third) !== isNegated;
  }
  if (UNARY.includes(first) && second !== undefined) {
    reader.at += 2;
    return unary(call, first, second) !== isNegated;
  }
  reader.at += 1;
  return (first !== "") !== isNegated;
}

function unary(call: Call, operator: string, word: string): boolean {
  if (operator === "-n") return word !== "";
  if (operator === "-z") return word === "";
  const { disk } = call.session;
  const path = pathIn(call, word);
  const isFolder = word !== "" && disk.isFolder(path);
  const isFile = word !== "" && !word.endsWith("/") && disk.isFile(path) && !isFolder;
  switch (operator) {
    case "-f":
      return isFile;
    case "-d":
    case "-x":
      return isFolder;
    case "-s":
      return isFolder || (isFile && disk.peek(path) !== "");
    case "-L":
    case "-h":
      return false;
    default:
      return isFile || isFolder;
  }
}

function compared(one: string, operator: string, other: string): boolean {
  if (operator === "=" || operator === "==") return one === other;
  if (operator === "!=") return one !== other;
  const [first, second] = [one, other].map((word) => {
    if (!/^\s*[-+]?\d{1,15}\s*$/.test(word)) throw new BadExpression(`Illegal number: ${word}`);
    return Number(word);
  }) as [number, number];
  const order = first - second;
  const holds: { readonly [name: string]: boolean } = {
    "-eq": order === 0,
    "-ne": order !== 0,
    "-lt": order < 0,
    "-le": order <= 0,
    "-gt": order > 0,
    "-ge": order >= 0,
  };
  return holds[operator] === true;
}
