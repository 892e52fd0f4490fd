/** What findings are made of: a wrong value, a name that is there twice, one that does not exist. */
import { type FolderPolicy, isVirtualPath, rootsText } from "../../machines/folders.ts";
import { quoted } from "../errors.ts";
import type { Finding } from "./finding.ts";
import type { Part, Path } from "./yamlText.ts";

export const wrong = (path: Path, value: unknown, allowed: string): Finding => ({
  path,
  found: quoted(value),
  allowed,
});

export const idsOf = <K extends string>(
  items: readonly { readonly [key in K]: string }[],
  key: K,
) => items.map((item) => item[key]);

/** Each name once, and none that is kept for others: what every object has, unless a part has a rule of its own. */
export function namesFindings(
  names: readonly string[],
  pathOf: (index: number) => Path,
  isKept: (name: string) => boolean = isReserved,
): Finding[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const isSecond = seen.has(name);
    seen.add(name);
    if (isSecond)
      return [{ ...wrong(pathOf(index), name, "each name once"), found: `${quoted(name)} again` }];
    return isKept(name) ? [wrong(pathOf(index), name, "another name: this one is reserved")] : [];
  });
}

export const isReserved = (name: string): boolean => name in Object.prototype;

/** A reference to something that must exist. */
export function reference(
  path: Path,
  name: string,
  existing: Iterable<string>,
  what: string,
): Finding[] {
  const names = [...existing];
  if (names.includes(name)) return [];
  const few = names.length > 0 && names.length <= 12 ? `: ${names.join(", ")}` : "";
  const allowed =
    names.length === 0 ? `nothing here: there is no ${what}` : `the name of ${article(what)}${few}`;
  return [{ ...wrong(path, name, allowed), meant: { word: name, names } }];
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);

export function pathFindings(
  paths: readonly string[],
  pathOf: (path: string) => Path,
  folders: FolderPolicy,
  part: Part = "value",
): Finding[] {
  const allowed = `a path below ${rootsText(folders)}/ without empty, . or .. segments`;
  return paths
    .filter((path) => !isVirtualPath(path, folders))
    .map((path) => ({ ...wrong(pathOf(path), path, allowed), part }));
}
