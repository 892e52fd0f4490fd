/** cat, head, tail, wc, tee, cut, uniq. Wording as in GNU coreutils; characters are code points. */
import { utf8Length } from "../utf8Length.ts";
import { type Options, optionsOf } from "./options.ts";
import {
  type Call,
  type Command,
  failed,
  type InputText,
  inputsOf,
  linesOf,
  pathIn,
} from "./session.ts";

export const cat: Command = (call) => {
  const options = optionsOf(call, { flags: "nAesu", long: { number: "n" } });
  if (options === undefined) return 1;
  let code = 0;
  let number = 0;
  const operands = options.operands.length === 0 ? ["-"] : options.operands;
  for (const operand of operands) {
    const complain = (path: string, errno: string): void => {
      code = failed(call, `${path}: ${errno}`);
    };
    for (const { text } of inputsOf(call, [operand], complain)) {
      if (!options.has("n")) call.out(text);
      else {
        const numbered = linesOf(text).map((line) => `${String(++number).padStart(6)}\t${line}`);
        call.out(numbered.join("\n") + (text.endsWith("\n") ? "\n" : ""));
      }
    }
  }
  return code;
};

export const head: Command = (call) =>
  ends(call, (text, count, unit) => {
    const parts = unit === "n" ? lineParts(text) : [...text];
    const isFromEnd = count.startsWith("-");
    const amount = Number(count.replace(/^[-+]/, ""));
    return parts.slice(0, isFromEnd ? Math.max(0, parts.length - amount) : amount).join("");
  });

export const tail: Command = (call) =>
  ends(call, (text, count, unit) => {
    const parts = unit === "n" ? lineParts(text) : [...text];
    const amount = Number(count.replace(/^[-+]/, ""));
    const start = count.startsWith("+")
      ? Math.max(0, amount - 1)
      : Math.max(0, parts.length - amount);
    return parts.slice(start).join("");
  });

/** Lines with their newline. */
const lineParts = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

type End = (text: string, count: string, unit: "n" | "c") => string;

function ends(call: Call, end: End): number {
  const [first = "", ...others] = call.args;
  const args = /^-\d+$/.test(first) ? [`-n${first.slice(1)}`, ...others] : call.args;
  const named = { ...call, args };
  const options = optionsOf(named, {
    ...{ flags: "qv", valued: "nc" },
    long: { lines: "n", bytes: "c", quiet: "q" },
  });
  if (options === undefined) return 1;
  const unit = options.last("c") === undefined ? "n" : "c";
  const count = options.last(unit) ?? "10";
  if (!/^[-+]?\d{1,9}$/.test(count)) {
    return failed(call, `invalid number of ${unit === "n" ? "lines" : "bytes"}: '${count}'`);
  }
  let code = 0;
  let isFirst = true;
  const hasHeaders = options.operands.length > 1 && !options.has("q");
  const operands = options.operands.length === 0 ? ["-"] : options.operands;
  for (const operand of operands) {
    const complain = (path: string, errno: string): void => {
      const isFolder = errno === "Is a directory";
      const message = isFolder
        ? `error reading '${path}': ${errno}`
        : `cannot open '${path}' for reading: ${errno}`;
      code = failed(call, message);
    };
    for (const { label, text } of inputsOf(call, [operand], complain)) {
      const shown = label === "-" ? "standard input" : label;
      if (hasHeaders) call.out(`${isFirst ? "" : "\n"}==> ${shown} <==\n`);
      isFirst = false;
      call.session.steps.spend(text.length);
      call.out(end(text, count, unit));
    }
  }
  return code;
}

export const wc: Command = (call) => {
  const options = optionsOf(call, {
    flags: "lcwm",
    long: { lines: "l", bytes: "c", words: "w", chars: "m" },
  });
  if (options === undefined) return 1;
  const columns =
    options.flags.size === 0 ? ["l", "w", "c"] : ["l", "w", "m", "c"].filter(options.has);
  let code = 0;
  const complain = (path: string, errno: string): void => {
    code = failed(call, `${path}: ${errno}`);
  };
  const inputs = inputsOf(call, options.operands, complain);
  const rows = inputs.map(({ label, text }) => ({ label, counts: countsOf(call, text) }));
  const width = widthOf(call, options, columns, rows);
  const print = (counts: Counts, label: string): void => {
    const shown = columns.map((column) => String(counts[column] ?? 0).padStart(width)).join(" ");
    call.out(`${shown}${label === "" ? "" : ` ${label}`}\n`);
  };
  for (const { label, counts } of rows) print(counts, options.operands.length === 0 ? "" : label);
  if (options.operands.length > 1) {
    const sums = columns.map((column) => [
      column,
      rows.reduce((sum, row) => sum + (row.counts[column] ?? 0), 0),
    ]);
    print(Object.fromEntries(sums) as Counts, "total");
  }
  return code;
};

interface Counts {
  readonly [column: string]: number;
}

function countsOf(call: Call, text: string): Counts {
  call.session.steps.spend(text.length);
  return {
    l: text.split("\n").length - 1,
    w: text.split(/[ \t\n\r\v\f]+/).filter((word) => word !== "").length,
    m: [...text].length,
    c: utf8Length(text),
  };
}

/** One figure of one file stands alone; else all are as wide as the bytes of all files. */
function widthOf(
  call: Call,
  { operands }: Options,
  columns: readonly string[],
  rows: readonly { readonly label: string; readonly counts: Counts }[],
): number {
  if (operands.length <= 1 && columns.length === 1) return 1;
  const hasPipe = !call.stdinIsFile && (operands.length === 0 || operands.includes("-"));
  const bytes = rows.reduce((sum, { counts }) => sum + (counts["c"] ?? 0), 0);
  return Math.max(hasPipe ? 7 : 1, String(bytes).length);
}

export const tee: Command = (call) => {
  const options = optionsOf(call, { flags: "a", long: { append: "a" } });
  if (options === undefined) return 1;
  const { disk } = call.session;
  let code = 0;
  for (const operand of options.operands) {
    const path = pathIn(call, operand);
    const errno = disk.write(path, (options.has("a") ? disk.peek(path) : "") + call.stdin);
    if (errno !== undefined) code = failed(call, `${operand}: ${errno}`);
  }
  call.out(call.stdin);
  return code;
};

export const cut: Command = (call) => {
  const options = optionsOf(call, {
    ...{ flags: "s", valued: "dfcb" },
    long: { delimiter: "d", fields: "f", characters: "c" },
  });
  if (options === undefined) return 1;
  const fields = options.last("f");
  const characters = options.last("c") ?? options.last("b");
  const list = rangesOf(fields ?? characters ?? "");
  if (fields === undefined && characters === undefined) {
    return failed(call, "you must specify a list of bytes, characters, or fields");
  }
  if (list === undefined) return failed(call, `invalid field value '${fields ?? characters}'`);
  const delimiter = options.last("d") ?? "\t";
  if ([...delimiter].length !== 1) return failed(call, "the delimiter must be a single character");
  const cutLine = (line: string): string | undefined => {
    call.session.steps.spend(line.length * list.length);
    if (fields === undefined) return chosen([...line], list).join("");
    if (!line.includes(delimiter)) return options.has("s") ? undefined : line;
    return chosen(line.split(delimiter), list).join(delimiter);
  };
  return eachLine(call, options.operands, (line) => cutLine(line));
};

type Range = readonly [first: number, last: number];

function rangesOf(list: string): Range[] | undefined {
  const ranges = list.split(",").map((item): Range | undefined => {
    const [, first, dash, last] = /^(\d{0,9})(-?)(\d{0,9})$/.exec(item) ?? [];
    if (!first && !last) return undefined;
    const from = first ? Number(first) : 1;
    const to = dash ? (last ? Number(last) : Number.POSITIVE_INFINITY) : from;
    return from === 0 || to < from ? undefined : [from, to];
  });
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

const chosen = (parts: readonly string[], ranges: readonly Range[]): string[] =>
  parts.filter((_, at) => ranges.some(([first, last]) => at + 1 >= first && at + 1 <= last));

/** Every line through a function; one that gives nothing is left out. */
function eachLine(
  call: Call,
  operands: readonly string[],
  change: (line: string) => string | undefined,
): number {
  let code = 0;
  const complain = (path: string, errno: string): void => {
    code = failed(call, `${path}: ${errno}`);
  };
  for (const { text } of inputsOf(call, operands, complain)) {
    call.session.steps.spend(text.length);
    const lines = linesOf(text).flatMap((line) => change(line) ?? []);
    call.out(lines.map((line) => `${line}\n`).join(""));
  }
  return code;
}

export const uniq: Command = (call) => {
  const options = optionsOf(call, { flags: "cdui", long: { count: "c", repeated: "d" } });
  if (options === undefined) return 1;
  if (options.operands.length > 1) return failed(call, `extra operand '${options.operands[1]}'`);
  let code = 0;
  const complain = (path: string, errno: string): void => {
    code = failed(call, `${path}: ${errno}`);
  };
  const key = (line: string): string => (options.has("i") ? line.toLowerCase() : line);
  for (const { text } of inputsOf(call, options.operands, complain)) {
    for (const { line, count } of runsOf(text, key)) {
      if ((options.has("d") && count === 1) || (options.has("u") && count > 1)) continue;
      call.out(`${options.has("c") ? `${String(count).padStart(7)} ` : ""}${line}\n`);
    }
  }
  return code;
};

function runsOf(text: InputText["text"], key: (line: string) => string) {
  const runs: { line: string; count: number }[] = [];
  for (const line of linesOf(text)) {
    const last = runs.at(-1);
    if (last !== undefined && key(last.line) === key(line)) last.count += 1;
    else runs.push({ line, count: 1 });
  }
  return runs;
}
