/** tr: sets with ranges, classes and escapes. Source: POSIX.1-2024, tr. */

import { optionsOf } from "./options.ts";
import { escapedCharacter } from "./printed.ts";
import { type Command, failed } from "./session.ts";
import { characterClass } from "./wildcard.ts";

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const SET_MAX = 4_096;

export const tr: Command = (call) => {
  const options = optionsOf(call, {
    flags: "dscC",
    long: { delete: "d", "squeeze-repeats": "s", complement: "c" },
  });
  if (options === undefined) return 1;
  const [first, second] = options.operands;
  if (first === undefined) return failed(call, "missing operand");
  if (options.operands.length > 2) return failed(call, `extra operand '${options.operands[2]}'`);
  const deletes = options.has("d");
  if (second === undefined && !deletes && !options.has("s")) {
    return failed(call, `missing operand after '${first}'`);
  }
  const from = membersOf(first);
  const to = membersOf(second ?? "");
  if (typeof from === "string") return failed(call, from);
  if (typeof to === "string") return failed(call, to);
  if (second === "" && !deletes)
    return failed(call, "when not truncating set1, string2 must be non-empty");
  const isComplement = options.has("c") || options.has("C");
  const members = new Set(from);
  const isMember = (one: string): boolean => members.has(one) !== isComplement;
  const table = new Map(from.map((one, index) => [one, to[Math.min(index, to.length - 1)] ?? one]));
  const last = to.at(-1) ?? "";
  const squeezed = new Set(second === undefined ? [] : to);
  const isSqueezed = (one: string): boolean =>
    options.has("s") && (second === undefined ? isMember(one) : squeezed.has(one));
  let printed = "";
  let previous: string | undefined;
  call.session.steps.spend(call.stdin.length);
  for (const character of call.stdin) {
    if (deletes && isMember(character)) continue;
    const translates = second !== undefined && !deletes && isMember(character);
    const one = translates
      ? isComplement
        ? last
        : (table.get(character) ?? character)
      : character;
    if (one === previous && isSqueezed(one)) continue;
    printed += one;
    previous = one;
  }
  call.out(printed);
  return 0;
};

/** The characters of a set in order, or what is wrong with it. */
function membersOf(set: string): string[] | string {
  const members: string[] = [];
  const characters = [...set];
  let at = 0;
  const next = (): string => {
    if (characters[at] !== "\\") return characters[at++] ?? "";
    const escaped = escapedCharacter(characters, at);
    at = escaped.end;
    return escaped.text;
  };
  while (at < characters.length && members.length < SET_MAX) {
    const named = /^\[:(\w+):\]/.exec(characters.slice(at, at + 14).join(""));
    if (named !== null) {
      const accepts = characterClass(named[1] ?? "");
      if (accepts === undefined) return `invalid character class '${named[1]}'`;
      members.push(...ASCII.filter(accepts));
      at += named[0].length;
      continue;
    }
    const first = next();
    if (characters[at] !== "-" || at + 1 >= characters.length) {
      members.push(first);
      continue;
    }
    at += 1;
    const last = next();
    const from = first.codePointAt(0) ?? 0;
    const to = last.codePointAt(0) ?? 0;
    if (to < from)
      return `range-endpoints of '${first}-${last}' are in reverse collating sequence order`;
    for (let code = from; code <= to && members.length < SET_MAX; code++) {
      members.push(String.fromCodePoint(code));
    }
  }
  return members;
}
