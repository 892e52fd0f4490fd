/** ls and stat. Wording as in GNU coreutils in the C locale; modes and owners are made up. */
import { utf8Length } from "../utf8Length.ts";
import { clockOf } from "./clock.ts";
import { childOf } from "./disk.ts";
import { type Options, optionsOf } from "./options.ts";
import {
  type Call,
  type Command,
  failed,
  missingErrno,
  pathIn,
  withoutTrailing,
} from "./session.ts";
import { within } from "./shellLimits.ts";

const BLOCK_BYTES = 4_096;
/** Characters of any one thing that stat can say of a file, its name apart. */
const LONGEST_FIELD = 50;

interface Shown {
  readonly label: string;
  readonly path: string;
}

export const ls: Command = (call) => {
  const options = optionsOf(call, {
    flags: "la1ARdhrtFp",
    long: { all: "a", recursive: "R", "human-readable": "h" },
  });
  if (options === undefined) return 2;
  const { disk } = call.session;
  let code = 0;
  const files: Shown[] = [];
  const folders: Shown[] = [];
  for (const label of options.operands.length === 0 ? ["."] : options.operands) {
    const path = pathIn(call, label);
    if (disk.isFolder(path) && !options.has("d")) folders.push({ label, path });
    else if (disk.isFolder(path) || (disk.isFile(path) && !label.endsWith("/"))) {
      files.push({ label, path });
    } else code = failed(call, `cannot access '${label}': ${missingErrno(call, label)}`, 2);
  }
  printEntries(call, options, ordered(call, options, files));
  const hasHeaders = options.has("R") || options.operands.length > 1;
  ordered(call, options, folders).forEach((folder, index) => {
    printFolder(call, options, folder, { hasHeaders, isFirst: index === 0 && files.length === 0 });
  });
  return code;
};

function printFolder(
  call: Call,
  options: Options,
  { label, path }: Shown,
  { hasHeaders, isFirst }: { readonly hasHeaders: boolean; readonly isFirst: boolean },
): void {
  const { disk } = call.session;
  if (!isFirst) call.out("\n");
  if (hasHeaders) call.out(`${label}:\n`);
  const named = disk
    .list(path)
    .filter((name) => options.has("a") || options.has("A") || !name.startsWith("."))
    .map((name) => ({ label: name, path: childOf(path, name) }));
  const dots = options.has("a")
    ? [
        { label: ".", path },
        { label: "..", path: pathIn(call, `${path}/..`) },
      ]
    : [];
  const shown = ordered(call, options, [...dots, ...named]);
  if (options.has("l")) call.out(`total ${blocksOf(call, shown)}\n`);
  printEntries(call, options, shown);
  if (!options.has("R")) return;
  for (const one of ordered(call, options, named)) {
    if (!disk.isFolder(one.path)) continue;
    const below = { label: `${withoutTrailing(label, "/")}/${one.label}`, path: one.path };
    printFolder(call, options, below, { hasHeaders, isFirst: false });
  }
}

/** By name, or newest first with -t; -r turns it round. */
function ordered(call: Call, options: Options, shown: readonly Shown[]): Shown[] {
  const { disk } = call.session;
  const byName = shown.toSorted((one, other) =>
    one.label < other.label ? -1 : one.label > other.label ? 1 : 0,
  );
  const sorted = options.has("t")
    ? byName.toSorted((one, other) => disk.writtenMs(other.path) - disk.writtenMs(one.path))
    : byName;
  return options.has("r") ? sorted.reverse() : sorted;
}

function printEntries(call: Call, options: Options, shown: readonly Shown[]): void {
  const { disk, user } = call.session;
  const marked = ({ label, path }: Shown): string =>
    (options.has("F") || options.has("p")) && disk.isFolder(path) ? `${label}/` : label;
  if (!options.has("l")) {
    call.out(shown.map((one) => `${marked(one)}\n`).join(""));
    return;
  }
  const widest = shown.reduce(
    (most, { path }) => Math.max(most, String(bytesOf(call, path)).length),
    0,
  );
  for (const one of shown) {
    const mode = disk.isFolder(one.path) ? "drwxr-xr-x 2" : "-rw-r--r-- 1";
    const size = String(bytesOf(call, one.path)).padStart(widest);
    const { month, day, hour, minute } = clockOf(disk.writtenMs(one.path));
    call.out(
      `${mode} ${user} ${user} ${size} ${month} ${day.replace(/^0/, " ")} ${hour}:${minute} ${marked(one)}\n`,
    );
  }
}

/** Kilobytes in whole blocks, as `total` counts them. */
const blocksOf = (call: Call, shown: readonly Shown[]): number =>
  shown.reduce((sum, { path }) => sum + Math.ceil(bytesOf(call, path) / BLOCK_BYTES) * 4, 0);

function bytesOf({ session: { disk, steps } }: Call, path: string): number {
  if (!disk.isFile(path)) return BLOCK_BYTES;
  const text = disk.peek(path);
  steps.spend(1 + text.length);
  return utf8Length(text);
}

export const stat: Command = (call) => {
  const options = optionsOf(call, { flags: "", valued: "c", long: { format: "c", printf: "c" } });
  if (options === undefined) return 1;
  if (options.operands.length === 0) return failed(call, "missing operand");
  const { disk } = call.session;
  let code = 0;
  for (const operand of options.operands) {
    const path = pathIn(call, operand);
    if (!disk.isFile(path) && !disk.isFolder(path)) {
      code = failed(call, `cannot statx '${operand}': ${missingErrno(call, operand)}`);
      continue;
    }
    const format = options.last("c");
    call.out(
      `${format === undefined ? pageOf(call, operand, path) : formatted(call, format, operand, path)}\n`,
    );
  }
  return code;
};

const kindOf = ({ session: { disk } }: Call, path: string): string =>
  disk.isFolder(path)
    ? "directory"
    : disk.peek(path) === ""
      ? "regular empty file"
      : "regular file";

function pageOf(call: Call, operand: string, path: string): string {
  const written = clockOf(call.session.disk.writtenMs(path));
  return [
    `  File: ${operand}`,
    `  Size: ${bytesOf(call, path)}\t${kindOf(call, path)}`,
    `Modify: ${written.date} ${written.time}.000000000 +0000`,
  ].join("\n");
}

function formatted(call: Call, format: string, operand: string, path: string): string {
  within("outputChars", format.length * (operand.length + LONGEST_FIELD));
  const writtenMs = call.session.disk.writtenMs(path);
  const { date, time } = clockOf(writtenMs);
  const values: { readonly [letter: string]: () => string } = {
    n: () => operand,
    s: () => String(bytesOf(call, path)),
    F: () => kindOf(call, path),
    y: () => `${date} ${time}.000000000 +0000`,
    Y: () => String(Math.floor(writtenMs / 1_000)),
    U: () => call.session.user,
    a: () => (call.session.disk.isFolder(path) ? "755" : "644"),
    "%": () => "%",
  };
  return format.replaceAll(/%(.)/g, (whole, letter: string) =>
    Object.hasOwn(values, letter) ? (values[letter]?.() ?? whole) : "?",
  );
}
