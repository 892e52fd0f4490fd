/** Commands of ours as a shell takes them. What stands in them may come from strangers: all of it passes here. */

/** `npx ghostlight why 'a b' 7`. A list is several words; what is undefined, or an empty list, is left out. */
export function command(
  words: TemplateStringsArray,
  ...given: readonly (Word | undefined | readonly Word[])[]
): string {
  let text = "npx ghostlight";
  for (const [place, said] of words.entries()) {
    text += place === 0 ? ` ${said}` : said;
    const value = given[place];
    if (Array.isArray(value)) text = followed(text, value.map(argument).join(" "));
    else text = followed(text, value === undefined ? "" : notAnOption(String(value)));
  }
  return text.trimEnd();
}

type Word = string | number;

/** The same in a sentence. */
export const commandSaid = (...given: Parameters<typeof command>): string =>
  `\`${command(...given)}\``;

const argument = (word: Word): string => shellArgument(String(word));

/** What is left out takes the space before it along. */
const followed = (text: string, more: string): string =>
  more === "" ? text.replace(/ $/, "") : text + more;

/** One word that begins with a dash would be read as an option. */
const notAnOption = (word: string): string => shellArgument(word.replace(/^-/, "./-"));

const PLAIN = /^[\w./@:+=%-]+$/;
/** What no terminal shows as it is. */
const UNSHOWN = /[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029]/u;

/** One word for a shell: what is neither plain nor shown stands in it as an escape. */
export function shellArgument(text: string): string {
  if (PLAIN.test(text)) return text;
  if (!UNSHOWN.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = [...text.replace(/[\\']/g, "\\$&")].map((one) => {
    const code = one.codePointAt(0) ?? 0;
    return UNSHOWN.test(one) ? `\\${code < 256 ? `x${hex(code, 2)}` : `u${hex(code, 4)}`}` : one;
  });
  return `$'${escaped.join("")}'`;
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");

/** `--name value` for each value that there is, of a list for each of it; true is the name alone. */
export const optionWords = (options: {
  readonly [name: string]: Word | true | undefined | readonly Word[];
}): readonly Word[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (value === true) return [`--${name}`];
    return [value].flat().flatMap((one) => [`--${name}`, one as Word]);
  });
