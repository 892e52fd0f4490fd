/** sort, in the C locale: by code unit, numbers with -n, keys by field. Source: POSIX.1-2024, sort. */
import { optionsOf } from "./options.ts";
import { type Call, type Command, failed, inputsOf, linesOf } from "./session.ts";

interface Key {
  readonly from: number;
  readonly to: number;
  readonly numeric: boolean;
  readonly reverse: boolean;
  readonly fold: boolean;
}

type Compare = (one: string, other: string) => number;

export const sort: Command = (call) => {
  const options = optionsOf(call, {
    ...{ flags: "rnufbsz", valued: "kto" },
    long: { reverse: "r", "numeric-sort": "n", unique: "u", key: "k", "field-separator": "t" },
  });
  if (options === undefined) return 2;
  const separator = options.last("t");
  const whole = { numeric: options.has("n"), reverse: options.has("r"), fold: options.has("f") };
  const keys = (options.values["k"] ?? []).map((text) => keyOf(text, whole));
  const bad = keys.indexOf(undefined);
  if (bad >= 0)
    return failed(
      call,
      `invalid number at field start: invalid count at start of '${options.values["k"]?.[bad]}'`,
      2,
    );
  let code = 0;
  const complain = (path: string, errno: string): void => {
    const isFolder = errno === "Is a directory";
    code = failed(
      call,
      isFolder ? `read failed: ${path}: ${errno}` : `cannot read: ${path}: ${errno}`,
      2,
    );
  };
  const lines = inputsOf(call, options.operands, complain).flatMap(({ text }) => linesOf(text));
  if (code !== 0) return code;
  spendFor(call, lines, keys.length);
  const wanted = keys.filter((key) => key !== undefined);
  const byKeys = comparing(
    wanted.length === 0 ? [{ ...whole, from: 1, to: 0 }] : wanted,
    separator,
  );
  const last: Compare = (one, other) => (whole.reverse ? -1 : 1) * byText(one, other);
  const isStable = options.has("u") || options.has("s");
  const sorted = lines.toSorted(
    (one, other) => byKeys(one, other) || (isStable ? 0 : last(one, other)),
  );
  const shown = options.has("u")
    ? sorted.filter((line, at) => at === 0 || byKeys(sorted[at - 1] ?? "", line) !== 0)
    : sorted;
  call.out(shown.map((line) => `${line}\n`).join(""));
  return 0;
};

/** Comparisons look at whole lines, about as often as there are bits in their number. */
function spendFor(call: Call, lines: readonly string[], keys: number): void {
  const rounds = lines.length.toString(2).length * (1 + keys);
  call.session.steps.spend(lines.reduce((sum, line) => sum + 1 + line.length, 0) * rounds);
}

const byText: Compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/** `2`, `2,3`, `2n`, `1,1r`. Character positions are not known here. */
function keyOf(text: string, whole: Omit<Key, "from" | "to">): Key | undefined {
  const [, from, first = "", to, second = ""] =
    /^(\d{1,4})(?:\.1)?([nrfb]*)(?:,(\d{1,4})([nrfb]*))?$/.exec(text) ?? [];
  if (from === undefined || from === "0") return undefined;
  const letters = first + second;
  const own = {
    numeric: letters.includes("n"),
    reverse: letters.includes("r"),
    fold: letters.includes("f"),
  };
  return { from: Number(from), to: Number(to ?? 0), ...(letters === "" ? whole : own) };
}

function comparing(keys: readonly Key[], separator: string | undefined): Compare {
  return (one, other) => {
    for (const key of keys) {
      const first = partOf(one, key, separator);
      const second = partOf(other, key, separator);
      const order = key.numeric
        ? numberIn(first) - numberIn(second)
        : byText(key.fold ? first.toUpperCase() : first, key.fold ? second.toUpperCase() : second);
      if (order !== 0) return key.reverse ? -order : order;
    }
    return 0;
  };
}

/** From field `from` to field `to`, or the line's end. Blanks belong to the field after them. */
function partOf(line: string, { from, to }: Key, separator: string | undefined): string {
  if (from === 1 && to === 0) return line;
  const fields =
    separator === undefined ? (line.match(/[ \t]*[^ \t]+|[ \t]+$/g) ?? []) : line.split(separator);
  return fields.slice(from - 1, to === 0 ? undefined : to).join(separator ?? "");
}

/** The number a text begins with, 0 when it begins with none. */
const numberIn = (text: string): number =>
  Number(/^[ \t]*(-?(?:\d+\.?\d*|\.\d+))/.exec(text.slice(0, 400))?.[1] ?? 0);
