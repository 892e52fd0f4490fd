/** Shell patterns: `*`, `?` and bracket expressions. Source: POSIX.1-2024, 2.14. */
import type { Meter } from "./shellLimits.ts";

type Atom = "any" | "star" | ((character: string) => boolean);

/** A test of whole names. `\` takes the next character as it is. Cost is bounded by `steps`. */
export function wildcard(pattern: string, steps: Meter): (name: string) => boolean {
  const atoms = atomsOf([...pattern]);
  return (name) => matches(atoms, [...name], steps);
}

/** Whether an unescaped `*`, `?` or `[` stands in it. */
export const isWild = (pattern: string): boolean => /^(?:[^\\*?[]|\\.)*[*?[]/s.test(pattern);

/** The text as a pattern that matches only itself. */
export const literally = (text: string): string => text.replaceAll(/[\\*?[\]]/g, "\\$&");

/** A pattern without wildcards, as text. */
export const unescaped = (pattern: string): string => pattern.replaceAll(/\\(.)/gs, "$1");

function atomsOf(pattern: readonly string[]): Atom[] {
  const atoms: Atom[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? "";
    if (character === "*") {
      if (atoms.at(-1) !== "star") atoms.push("star");
    } else if (character === "?") atoms.push("any");
    else if (character === "[") {
      const set = bracketAt(pattern, at);
      atoms.push(set?.accepts ?? ((one) => one === "["));
      at = set?.end ?? at;
    } else {
      if (character === "\\") at += 1;
      const wanted = pattern[at] ?? "\\";
      atoms.push((one) => one === wanted);
    }
  }
  return atoms;
}

/** Greedy with one point of return: the last star. */
function matches(atoms: readonly Atom[], name: readonly string[], steps: Meter): boolean {
  let atom = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    steps.spend(1);
    const wanted = atoms[atom];
    if (wanted === "star") {
      star = atom++;
      starAt = at;
    } else if (wanted === "any" || wanted?.(name[at] ?? "")) {
      atom += 1;
      at += 1;
    } else if (star >= 0) {
      atom = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (atoms[atom] === "star") atom += 1;
  return atom === atoms.length;
}

const CLASSES: { readonly [name: string]: (character: string) => boolean } = {
  alpha: (one) => /^[A-Za-z]$/.test(one),
  digit: (one) => /^[0-9]$/.test(one),
  alnum: (one) => /^[A-Za-z0-9]$/.test(one),
  upper: (one) => /^[A-Z]$/.test(one),
  lower: (one) => /^[a-z]$/.test(one),
  space: (one) => /^[ \t\n\r\v\f]$/.test(one),
  blank: (one) => one === " " || one === "\t",
  punct: (one) => /^[!-/:-@[-`{-~]$/.test(one),
  xdigit: (one) => /^[0-9A-Fa-f]$/.test(one),
};

/** Members of `[:name:]`; undefined for a name nobody knows. */
export const characterClass = (name: string): ((character: string) => boolean) | undefined =>
  Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;

export interface Bracket {
  readonly accepts: (character: string) => boolean;
  /** Where its `]` stands. */
  readonly end: number;
}

/** The bracket expression that starts here; undefined when it has no end or an unknown class. */
export function bracketAt(pattern: readonly string[], start: number): Bracket | undefined {
  const isNegated = pattern[start + 1] === "!" || pattern[start + 1] === "^";
  const first = start + (isNegated ? 2 : 1);
  const members: ((character: string) => boolean)[] = [];
  for (let at = first; at < pattern.length; at++) {
    const character = pattern[at] ?? "";
    if (character === "]" && at > first) {
      const isMember = (one: string): boolean => members.some((member) => member(one));
      return { accepts: (one) => isMember(one) !== isNegated, end: at };
    }
    if (character === "[" && pattern[at + 1] === ":") {
      const end = pattern.indexOf(":", at + 2);
      const known = characterClass(pattern.slice(at + 2, end).join(""));
      if (end < 0 || pattern[end + 1] !== "]" || known === undefined) return undefined;
      members.push(known);
      at = end + 1;
    } else if (pattern[at + 1] === "-" && (pattern[at + 2] ?? "]") !== "]") {
      const last = pattern[at + 2] ?? "";
      members.push((one) => one >= character && one <= last);
      at += 2;
    } else members.push((one) => one === character);
  }
  return undefined;
}
