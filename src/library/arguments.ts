/**
 * What a program hands to the library, checked: a wrong argument is one sentence that says where, what
 * was found, what is allowed and what to do, never a crash inside.
 */
import { hintFor, type Problem, quoted, refuse } from "../edges/errors.ts";
import { isMap } from "../machines/isMap.ts";

/** What a value must be. */
export interface Kind {
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
  /** What is wrong inside a value that it does not accept, each at its own place. */
  readonly inside?: (path: string, value: unknown) => readonly Problem[];
}

export const aText: Kind = { allowed: "a text", accepts: (value) => typeof value === "string" };
export const aList: Kind = { allowed: "a list", accepts: Array.isArray };
export const aMap: Kind = { allowed: "a map", accepts: isMap };
export const aFlag: Kind = {
  allowed: "true | false",
  accepts: (value) => typeof value === "boolean",
};
export const aFunction: Kind = {
  allowed: "a function",
  accepts: (value) => typeof value === "function",
};

export const aSignal: Kind = {
  allowed: "an AbortSignal",
  accepts: (value) => value instanceof AbortSignal,
};

export const aWhole = (least: number, most: number): Kind => ({
  allowed: `a whole number ${least} … ${most}`,
  accepts: (value) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
});

export const orNothing = (kind: Kind): Kind => ({
  ...kind,
  allowed: `${kind.allowed}, or nothing`,
  accepts: (value) => value === undefined || kind.accepts(value),
});

type Members = { readonly [name: string]: Kind };

/** A map in which these members are what they must be; others do not matter. */
export const aMapWith = (what: string, members: Members): Kind => ({
  allowed: `${what}: a map with ${Object.keys(members).join(", ")}`,
  accepts: (value) =>
    isMap(value) && Object.entries(members).every(([name, kind]) => kind.accepts(value[name])),
  inside: (path, value) =>
    Object.entries(members).flatMap(([name, kind]) =>
      isMap(value) ? problemsOf(`${path}.${name}`, value[name], kind) : [],
    ),
});

/** Likewise, and there are no others. */
export function aMapOnlyWith(what: string, members: Members): Kind {
  const kind = aMapWith(what, members);
  const names = Object.keys(members);
  const others = (value: unknown): string[] =>
    isMap(value) ? Object.keys(value).filter((name) => !names.includes(name)) : [];
  return {
    ...kind,
    accepts: (value) => kind.accepts(value) && others(value).length === 0,
    inside: (path, value) => [
      ...others(value).map((name) => unknownName(`${path}.${name}`, name, names, what)),
      ...(kind.inside?.(path, value) ?? []),
    ],
  };
}

export const aListOf = (what: string, kind: Kind): Kind => ({
  allowed: `a list of ${what}`,
  accepts: (value) => Array.isArray(value) && value.every(kind.accepts),
  inside: (path, value) => {
    if (!Array.isArray(value)) return [];
    const place = value.findIndex((one) => !kind.accepts(one));
    return place < 0 ? [] : problemsOf(`${path}[${place}]`, value[place], kind);
  },
});

/** What is wrong with a value: where inside it, when that can be told. */
export function problemsOf(path: string, value: unknown, kind: Kind): readonly Problem[] {
  if (kind.accepts(value)) return [];
  const inside = kind.inside?.(path, value) ?? [];
  return inside.length > 0 ? inside : [notA(path, value, kind)];
}

/** A value in a sentence. Whatever a program hands over can be named. */
export function valueText(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  try {
    return quoted(value);
  } catch {
    return `a ${typeof value} that is no JSON`;
  }
}

export const notA = (path: string, value: unknown, { allowed }: Kind): Problem => ({
  where: { path },
  found: valueText(value),
  allowed,
});

/** The verb with its arguments checked, each by name. Throws BadInput. */
export function checked<A extends readonly unknown[], R>(
  verb: string,
  kinds: { readonly [argument: string]: Kind },
  work: (...given: A) => R,
): (...given: A) => R {
  return (...given) => {
    const problems = Object.entries(kinds).flatMap(([name, kind], index) =>
      problemsOf(`${verb} ${name}`, given[index], kind),
    );
    refuse(problems, `Call ${verb}(${Object.keys(kinds).join(", ")}) with what its types say.`);
    return work(...given);
  };
}

/** What is wrong with options: keys that do not exist, values of another kind. */
export function optionProblems(
  verb: string,
  options: unknown,
  kinds: { readonly [option: string]: Kind },
): readonly Problem[] {
  if (!isMap(options)) return [notA(`${verb} options`, options, aMap)];
  const names = Object.keys(kinds);
  return Object.entries(options).flatMap(([name, value]): readonly Problem[] => {
    const path = `${verb} ${name}`;
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) return [unknownName(path, name, names, "an option")];
    return problemsOf(path, value, orNothing(kind));
  });
}

/** A name that does not exist, with the nearest that does. */
export const unknownName = (
  path: string,
  name: string,
  names: readonly string[],
  what: string,
): Problem => ({
  where: { path },
  found: valueText(name),
  allowed: names.length === 0 ? `nothing: there is no such ${what}` : namesText(what, names),
  ...hintFor(name, names),
});

const NAMED_MAX = 40;

const namesText = (what: string, names: readonly string[]): string =>
  names.length > NAMED_MAX ? `${what} that exists` : names.join(" | ");
