/** echo and printf. Source: POSIX.1-2024; dash's echo reads backslashes, as XSI wants it. */
import { type Call, type Command, failed } from "./session.ts";
import { within } from "./shellLimits.ts";

const LETTERS: { readonly [letter: string]: string } = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  f: "\f",
  v: "\v",
  "\\": "\\",
};
const WIDTH_MAX = 1_000;

/** What a backslash here and what follows it stand for; an unknown letter keeps its backslash. */
export function escapedCharacter(
  characters: readonly string[],
  at: number,
): { readonly text: string; readonly end: number } {
  const letter = characters[at + 1] ?? "";
  if (Object.hasOwn(LETTERS, letter)) return { text: LETTERS[letter] ?? "", end: at + 2 };
  const octal = /^[0-7]{1,3}/.exec(characters.slice(at + 1, at + 4).join(""))?.[0];
  if (octal !== undefined) {
    return {
      text: String.fromCharCode(Number.parseInt(octal, 8) & 0xff),
      end: at + 1 + octal.length,
    };
  }
  return { text: "\\", end: at + 1 };
}

/** The text with its escapes; `isCut` when a `\c` ended it. Octals need a 0 first in echo and %b. */
function withEscapes(text: string, needsZero: boolean): { text: string; isCut: boolean } {
  const characters = [...text];
  let shown = "";
  for (let at = 0; at < characters.length; ) {
    const character = characters[at] ?? "";
    if (character !== "\\") {
      shown += character;
      at += 1;
    } else if (characters[at + 1] === "c" && needsZero) return { text: shown, isCut: true };
    else if (needsZero && /[0-7]/.test(characters[at + 1] ?? "")) {
      const isOctal = characters[at + 1] === "0";
      const octal = isOctal && /[0-7]/.test(characters[at + 2] ?? "");
      const escaped = octal ? escapedCharacter(characters, at + 1) : { text: "\0", end: at + 2 };
      shown += isOctal ? escaped.text : "\\";
      at = isOctal ? escaped.end : at + 1;
    } else {
      const escaped = escapedCharacter(characters, at);
      shown += escaped.text;
      at = escaped.end;
    }
  }
  return { text: shown, isCut: false };
}

export const echo: Command = (call) => {
  const hasNoNewline = call.args[0] === "-n";
  const words = hasNoNewline ? call.args.slice(1) : call.args;
  const { text, isCut } = withEscapes(words.join(" "), true);
  call.out(isCut || hasNoNewline ? text : `${text}\n`);
  return 0;
};

const CONVERSION = /%([-0+ #]{0,5})(\d{0,9})(?:\.(\d{0,9}))?([a-zA-Z%])|%/g;

/** The format is used again as long as arguments are left. */
export const printf: Command = (call) => {
  const [format, ...args] = call.args[0] === "--" ? call.args.slice(1) : call.args;
  if (format === undefined) return failed(call, "usage: printf format [arg ...]", 2);
  const state: Printing = { args, at: 0, code: 0, isCut: false };
  const plain = withEscapes(format, false).text;
  do {
    const before = state.at;
    let printed = "";
    let end = 0;
    for (const found of plain.matchAll(CONVERSION)) {
      printed += plain.slice(end, found.index) + converted(call, found, state);
      end = found.index + found[0].length;
      within("outputChars", printed.length);
      if (state.isCut || state.code === 2) break;
    }
    call.out(state.isCut || state.code === 2 ? printed : printed + plain.slice(end));
    if (state.at === before || state.isCut || state.code === 2) break;
  } while (state.at < args.length);
  return state.code;
};

interface Printing {
  readonly args: readonly string[];
  at: number;
  code: number;
  isCut: boolean;
}

function converted(call: Call, found: RegExpMatchArray, state: Printing): string {
  const [whole, flags = "", width = "", precision, letter] = found;
  if (letter === "%") return "%";
  if (letter === undefined || !"sbcdiuxXo".includes(letter)) {
    state.code = failed(call, `${whole}: invalid directive`, 2);
    return "";
  }
  const arg = state.args[state.at] ?? "";
  state.at += 1;
  const text = textOf(call, arg, letter, precision, state);
  const columns = Math.min(Number(width), WIDTH_MAX);
  if (flags.includes("-")) return text.padEnd(columns);
  const isNumber = "diuxXo".includes(letter);
  const signed =
    flags.includes("+") && "di".includes(letter) && !text.startsWith("-") ? `+${text}` : text;
  if (!flags.includes("0") || !isNumber) return signed.padStart(columns);
  const sign = /^[-+]/.exec(signed)?.[0] ?? "";
  return sign + signed.slice(sign.length).padStart(columns - sign.length, "0");
}

function textOf(
  call: Call,
  arg: string,
  letter: string,
  precision: string | undefined,
  state: Printing,
): string {
  if (letter === "c") return [...arg][0] ?? "";
  if (letter === "b") {
    const { text, isCut } = withEscapes(arg, true);
    state.isCut ||= isCut;
    return text;
  }
  if (letter === "s")
    return precision === undefined ? arg : [...arg].slice(0, Number(precision)).join("");
  const isNumber = /^\s*[-+]?(?:0[xX][0-9a-fA-F]{1,12}|\d{1,15})$/.test(arg);
  if (!isNumber && arg !== "") state.code = failed(call, `${arg}: expected numeric value`);
  const digits = Number(/^\s*[-+]?(?:0[xX][0-9a-fA-F]{1,12}|\d{1,15})/.exec(arg)?.[0] ?? 0);
  const value = Number.isFinite(digits) ? digits : 0;
  if (letter === "x" || letter === "X") {
    const hex = Math.abs(value).toString(16);
    return letter === "X" ? hex.toUpperCase() : hex;
  }
  return letter === "o" ? Math.abs(value).toString(8) : String(value);
}
