/** sed: s, p and d, with addresses; -n, -e, -E and -i. Source: POSIX.1-2024, sed. */
import { optionsOf } from "./options.ts";
import type { Pattern } from "./pattern.ts";
import { PatternError } from "./patternSyntax.ts";
import { type Address, type Instruction, scriptOf } from "./sedScript.ts";
import { type Call, type Command, failed, inputsOf, pathIn } from "./session.ts";
import { within } from "./shellLimits.ts";

export const sed: Command = (call) => {
  const options = optionsOf(call, {
    ...{ flags: "nErisu", valued: "e" },
    long: { quiet: "n", silent: "n", "in-place": "i", "regexp-extended": "E", expression: "e" },
  });
  if (options === undefined) return 1;
  const [first, ...rest] = options.operands;
  const given = options.values["e"];
  const script = given?.join("\n") ?? first;
  if (script === undefined) return failed(call, "no script specified");
  const operands = given === undefined ? rest : options.operands;
  const kind = options.has("E") || options.has("r") ? "extended" : "basic";
  let instructions: readonly Instruction[];
  try {
    instructions = scriptOf(script, { kind, steps: call.session.steps });
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    return failed(call, `-e expression #1: ${thrown.message}`);
  }
  return run(call, instructions, operands, {
    isQuiet: options.has("n"),
    isInPlace: options.has("i"),
  });
};

function run(
  call: Call,
  instructions: readonly Instruction[],
  operands: readonly string[],
  { isQuiet, isInPlace }: { readonly isQuiet: boolean; readonly isInPlace: boolean },
): number {
  let code = 0;
  const complain = (path: string, errno: string): void => {
    const isFolder = errno === "Is a directory";
    call.err(
      isFolder
        ? `sed: couldn't edit ${path}: not a regular file\n`
        : `sed: can't read ${path}: ${errno}\n`,
    );
    code = isFolder ? 4 : 2;
  };
  const inputs = inputsOf(call, operands, complain);
  if (!isInPlace) {
    call.out(
      edited(
        call,
        instructions,
        inputs.map(({ text }) => text),
        isQuiet,
      ),
    );
    return code;
  }
  if (operands.length === 0) return failed(call, "no input files");
  for (const { label, text } of inputs) {
    const after = edited(call, instructions, [text], isQuiet);
    const errno = call.session.disk.write(pathIn(call, label), after);
    if (errno !== undefined)
      code = failed(call, `couldn't open temporary file for ${label}: ${errno}`, 4);
  }
  return code;
}

interface Line {
  readonly text: string;
  readonly newline: string;
}

/** All texts as one stream: line numbers run on, and a missing last newline stays missing. */
function edited(
  call: Call,
  instructions: readonly Instruction[],
  texts: readonly string[],
  isQuiet: boolean,
): string {
  const lines = texts.flatMap((text, at): Line[] =>
    (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => ({
      text: line.replace(/\n$/, ""),
      newline: line.endsWith("\n") || at < texts.length - 1 ? "\n" : "",
    })),
  );
  const active = instructions.map((): number | undefined => undefined);
  let printed = "";
  for (const [index, { text, newline }] of lines.entries()) {
    call.session.steps.spend(1 + text.length);
    const state = { line: text, printed: "", isDeleted: false, isLast: false };
    instructions.forEach((instruction, at) => {
      if (state.isDeleted || state.isLast) return;
      const place = { number: index + 1, isEnd: index === lines.length - 1, line: state.line };
      if (isSelected(instruction, place, active, at)) perform(instruction, state);
    });
    if (!state.isDeleted && !isQuiet) state.printed += `${state.line}\n`;
    const isCut = newline === "" && state.printed !== "";
    printed += isCut ? state.printed.slice(0, -1) : state.printed;
    call.session.steps.spend(state.printed.length);
    if (state.isLast) break;
  }
  return printed;
}

interface Place {
  readonly number: number;
  readonly isEnd: boolean;
  readonly line: string;
}

/** `active` holds, for each range that has begun, the number of the line it began at. */
function isSelected(
  { first, second, isNegated }: Instruction,
  place: Place,
  active: (number | undefined)[],
  at: number,
): boolean {
  if (first === undefined) return !isNegated;
  if (second === undefined) return fits(first, place) !== isNegated;
  if (active[at] === undefined) {
    if (!fits(first, place)) return isNegated;
    const isOver = typeof second === "number" && second <= place.number;
    if (!isOver) active[at] = place.number;
    return !isNegated;
  }
  const isOver = typeof second === "number" ? place.number >= second : fits(second, place);
  if (isOver) active[at] = undefined;
  const isPast = typeof second === "number" && place.number > second;
  return isPast === isNegated;
}

function fits(address: Address, { number, isEnd, line }: Place): boolean {
  if (address === "$") return isEnd;
  return typeof address === "number"
    ? number === address
    : address.search([...line], 0) !== undefined;
}

function perform(
  instruction: Instruction,
  state: { line: string; printed: string; isDeleted: boolean; isLast: boolean },
): void {
  switch (instruction.command) {
    case "p":
      state.printed += `${state.line}\n`;
      return;
    case "d":
      state.isDeleted = true;
      return;
    case "q":
      state.isLast = true;
      return;
    case "s": {
      const after = substituted(instruction, state.line);
      if (after === undefined) return;
      state.line = after;
      if (instruction.prints) state.printed += `${after}\n`;
    }
  }
}

/** The line with its matches replaced; undefined when there was none. */
function substituted(
  { pattern, replacement = [], nth = 1, isGlobal }: Instruction,
  line: string,
): string | undefined {
  const text = [...line];
  const parts: string[] = [];
  let count = 0;
  let end = 0;
  let length = line.length;
  for (let from = 0; from <= text.length; ) {
    const match = (pattern as Pattern).search(text, from);
    if (match === undefined) break;
    const [start = 0, stop = 0] = match;
    const isEmptyAfterMatch = start === stop && start === end && count > 0 && from === end;
    if (!isEmptyAfterMatch) {
      count += 1;
      if (count >= nth) {
        parts.push(text.slice(end, start).join(""));
        for (const piece of replacement) {
          const part = typeof piece === "string" ? piece : groupOf(text, match, piece);
          length += part.length;
          within("outputChars", length);
          parts.push(part);
        }
        end = stop;
        if (!isGlobal) break;
      }
    }
    from = stop > start ? stop : start + 1;
  }
  if (count < nth) return undefined;
  return parts.join("") + text.slice(end).join("");
}

function groupOf(text: readonly string[], match: readonly number[], group: number): string {
  const start = match[2 * group] ?? -1;
  return start < 0 ? "" : text.slice(start, match[2 * group + 1]).join("");
}
