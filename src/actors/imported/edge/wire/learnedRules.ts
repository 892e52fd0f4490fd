/**
 * Rules of one recording, in `rules.json` beside it: each hides differences at the fields that it was written for, and none before a
 * person accepted it by name. They are proposed from two recordings of the same program, and can be edited.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { badInput } from "../../../../edges/errors.ts";
import { patternOf } from "../../../../edges/patternOf.ts";
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { readJson } from "../../../../machines/readJson.ts";
import type { Fields } from "../readers/fields.ts";

export interface LearnedRule {
  readonly name: string;
  /** Paths such as `messages[0].content`. */
  readonly at: readonly string[];
  /** Of the text there; the whole value, whatever it is, when null. */
  readonly pattern: string | null;
  /** What stood there in the two recordings. */
  readonly seen: readonly [Json, Json];
  readonly accepted: boolean;
}

const FILE = "rules.json";

/** None where there is no file. Throws BadInput. */
export function readRules(folder: string): readonly LearnedRule[] {
  const file = join(folder, FILE);
  if (!existsSync(file)) return [];
  const value = readJson(readFileSync(file, "utf8"));
  if (Array.isArray(value) && value.every(isRule)) return value as unknown as LearnedRule[];
  throw badInput(
    { file },
    "no list of rules",
    "a list of maps with name, at (paths), pattern (a regular expression, or null), seen and accepted",
    "Correct it, or remove the file and learn the rules again with --learn.",
  );
}

function isRule(value: Json): boolean {
  if (!isMap(value)) return false;
  const { name, at, pattern, accepted } = value;
  return (
    typeof name === "string" &&
    Array.isArray(at) &&
    at.every((path: Json) => typeof path === "string") &&
    (pattern === null || (typeof pattern === "string" && patternOf(pattern, "gu") !== undefined)) &&
    typeof accepted === "boolean"
  );
}

export const writeRules = (folder: string, rules: readonly LearnedRule[]): void =>
  writeFileSync(join(folder, FILE), `${JSON.stringify(rules, null, 2)}\n`, { mode: 0o600 });

/** The value with what each rule covers replaced by its name; `hear` is told of each place. */
export function covered(
  value: Json,
  rules: readonly LearnedRule[],
  hear: (rule: LearnedRule, path: string, text: string) => void = () => undefined,
): Json {
  if (rules.length === 0) return value;
  const deep = (one: Json, path: string): Json => {
    const [rule] = rules.filter(({ at, pattern }) => pattern === null && at.includes(path));
    if (rule !== undefined) {
      hear(rule, path, JSON.stringify(one));
      return `<${rule.name}>`;
    }
    if (typeof one === "string") {
      return rules.reduce((text, own) => {
        if (own.pattern === null || !own.at.includes(path)) return text;
        return text.replace(new RegExp(own.pattern, "gu"), (found) => {
          hear(own, path, found);
          return `<${own.name}>`;
        });
      }, one);
    }
    if (Array.isArray(one)) return one.map((item: Json, index) => deep(item, `${path}[${index}]`));
    if (!isMap(one)) return one;
    const members = Object.entries(one as Fields);
    return Object.fromEntries(
      members.map(([key, item]) => [key, deep(item, path === "" ? key : `${path}.${key}`)]),
    );
  };
  return deep(value, "");
}

export interface Learned {
  readonly rules: readonly LearnedRule[];
  /** Differences that no rule can cover, in words. */
  readonly open: readonly string[];
}

/** Requests of one kind, in the order of their recording. */
type Requests = readonly { readonly request: Json }[];

/** What differs between two recordings, request by request of each kind, as rules. `plain` takes out what is hidden already. */
export function learned(
  kinds: readonly { readonly what: string; readonly first: Requests; readonly second: Requests }[],
  plain: (request: Json) => Json,
): Learned {
  const found = new Map<string, LearnedRule>();
  const names = new Set<string>();
  const open: string[] = [];
  const propose = (
    pattern: string | null,
    stem: string,
    path: string,
    seen: [Json, Json],
  ): void => {
    const key = pattern ?? path;
    const known = found.get(key);
    if (known !== undefined) {
      found.set(key, { ...known, at: [...new Set([...known.at, path])] });
      return;
    }
    let name = stem;
    for (let n = 2; names.has(name); n += 1) name = `${stem}-${n}`;
    names.add(name);
    found.set(key, { name, at: [path], pattern, seen, accepted: false });
  };
  const words = (one: string, other: string, path: string): void => {
    const [a, b] = [one.split(/\s+/), other.split(/\s+/)];
    if (a.length !== b.length) {
      open.push(`${path}: ${a.length} words in one, ${b.length} in the other`);
      return;
    }
    for (const [place, word] of a.entries()) {
      const second = b[place] ?? "";
      if (word === second) continue;
      const before = a[place - 1];
      const pattern =
        before === undefined
          ? "^\\S+"
          : `(?<=(?:^|\\s)${before.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}\\s+)\\S+`;
      const stem = `after-${(before ?? "start").toLowerCase().replace(/[^a-z0-9]+/g, "") || "mark"}`;
      propose(pattern, stem, path, [word, second]);
    }
  };
  const walk = (one: Json, other: Json, path: string): void => {
    if (JSON.stringify(one) === JSON.stringify(other)) return;
    if (typeof one === "string" && typeof other === "string") {
      words(one, other, path);
      return;
    }
    const isList = Array.isArray(one) && Array.isArray(other);
    if (isList || (isMap(one) && isMap(other))) {
      const [a, b] = [one, other] as unknown as readonly [Fields, Fields];
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        const at = isList ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
        if (a[key] === undefined || b[key] === undefined) open.push(`${at}: stands in one alone`);
        else walk(a[key], b[key], at);
      }
      return;
    }
    propose(null, `field-${path.replace(/[^A-Za-z0-9]+/g, "-")}`, path, [one, other]);
  };
  for (const { what, first, second } of kinds) {
    if (first.length !== second.length) {
      open.push(`${first.length} ${what} in one, ${second.length} in the other`);
    }
    for (const [place, { request }] of first.entries()) {
      const other = second[place];
      if (other !== undefined) walk(plain(request), plain(other.request), "");
    }
  }
  return { rules: [...found.values()], open: [...new Set(open)] };
}
