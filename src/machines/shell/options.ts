/** Letters and long names of a command's options. Source: POSIX.1-2024, Utility Syntax Guidelines. */
import { type Call, failed } from "./session.ts";

export interface OptionForm {
  /** Letters without a value. */
  readonly flags: string;
  /** Letters that take one: the rest of the word, or the next. */
  readonly valued?: string;
  /** Long names, each for a letter. */
  readonly long?: { readonly [name: string]: string };
}

export interface Options {
  readonly flags: ReadonlySet<string>;
  readonly values: { readonly [letter: string]: readonly string[] };
  readonly operands: readonly string[];
  /** Letters and values in the order given. */
  readonly has: (letter: string) => boolean;
  readonly last: (letter: string) => string | undefined;
}

/** Options may stand after operands, as with GNU's tools. Undefined once an error was said. */
export function optionsOf(call: Call, form: OptionForm): Options | undefined {
  const flags = new Set<string>();
  const values: { [letter: string]: string[] } = {};
  const operands: string[] = [];
  const words = [...call.args];
  const takeValue = (letter: string, value: string | undefined): boolean => {
    if (value === undefined) return false;
    values[letter] = [...(values[letter] ?? []), value];
    return true;
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (word === "-" || !word.startsWith("-")) {
      operands.push(word);
      continue;
    }
    if (word.startsWith("--")) {
      const [name = "", ...rest] = word.slice(2).split("=");
      const letter = form.long && Object.hasOwn(form.long, name) ? form.long[name] : undefined;
      if (letter === undefined) return refused(call, `unrecognized option '--${name}'`);
      if (!form.valued?.includes(letter)) flags.add(letter);
      else if (!takeValue(letter, rest.length > 0 ? rest.join("=") : words[++at])) {
        return refused(call, `option '--${name}' requires an argument`);
      }
      continue;
    }
    for (let position = 1; position < word.length; position++) {
      const letter = word[position] ?? "";
      if (form.valued?.includes(letter)) {
        const value = word.slice(position + 1) || words[++at];
        if (!takeValue(letter, value)) {
          return refused(call, `option requires an argument -- '${letter}'`);
        }
        break;
      }
      if (!form.flags.includes(letter)) return refused(call, `invalid option -- '${letter}'`);
      flags.add(letter);
    }
  }
  return {
    ...{ flags, values, operands },
    has: (letter) => flags.has(letter),
    last: (letter) => values[letter]?.at(-1),
  };
}

function refused(call: Call, message: string): undefined {
  failed(call, message);
  call.err(`Try '${call.name} --help' for more information.\n`);
  return undefined;
}
