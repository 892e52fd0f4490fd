/** Fields of foreign objects, asked for by the names that formats give them. */
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";

export interface Fields {
  readonly [name: string]: Json;
}

/** The first of these names under which something stands that is not null. */
export function fieldOf(fields: Fields, names: readonly string[]): Json {
  for (const name of names)
    if (Object.hasOwn(fields, name) && fields[name] !== null) return fields[name] ?? null;
  return null;
}

/** The same of names that some write in one word with capitals, and some with underscores: `spanId`, `span_id`. */
export function eitherOf(fields: Fields, ...names: readonly string[]): Json {
  for (const name of names) {
    const found = fieldOf(fields, [name]) ?? fieldOf(fields, [snakeCase(name)]);
    if (found !== null) return found;
  }
  return null;
}

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);

export const textOf = (value: Json | undefined): string | null =>
  typeof value === "string" && value !== "" ? value : null;

export const textIn = (fields: Fields, ...names: readonly string[]): string | null =>
  textOf(fieldOf(fields, names));

export const idIn = (fields: Fields, ...names: readonly string[]): string | null =>
  idOf(fieldOf(fields, names));

/** Ids are numbers in some logs. */
export const idOf = (value: Json | undefined): string | null =>
  typeof value === "number" ? String(value) : textOf(value);

/** A number, or a text that is one. */
export function numberOf(value: Json | undefined): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value))
    return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A count or index, from 0. */
export function wholeOf(value: Json | undefined): number | null {
  const number = numberOf(value);
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

export const mapOf = (value: Json | undefined): Fields | null => (isMap(value) ? value : null);

/** The map, or one without fields. */
export const mapIn = (value: Json | undefined): Fields => mapOf(value) ?? {};

export const listOf = (value: Json | undefined): readonly Json[] | null =>
  Array.isArray(value) ? (value as readonly Json[]) : null;

/** The list, or one of nothing. */
export const listIn = (value: Json | undefined): readonly Json[] => listOf(value) ?? [];

/** The maps in a list; none of anything else. */
export const mapsIn = (list: Json | readonly Json[] | undefined): readonly Fields[] =>
  listIn(list as Json | undefined).filter((value) => isMap(value));

/** The fields that hold something, without those that were read. */
export const restIn = (fields: Fields, isRead = (_name: string): boolean => false): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !isRead(name) && !isEmpty(value)),
  );

/** Whether there is nothing in it that could be lost. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Whether words stand in a value, or calls: more than an id, a number or a flag. */
export function hasWords(value: Json | undefined): boolean {
  if (typeof value === "string") return /\S\s+\S/.test(value);
  if (typeof value !== "object" || value === null) return false;
  const members = value as { readonly [key: string]: Json };
  return Object.keys(members).some(
    (key) => hasWords(members[key]) || (CALLS.test(key) && !isEmpty(members[key])),
  );
}

const CALLS = /^(tool_?calls?|function_?calls?|arguments)$/i;

const CALL_TYPES =
  /^(tool[_-]?(use|call|result)|function_call(_output)?|(mcp|server)_tool_use|action|observation)$/i;

/** Whether a value that nobody reads holds calls, results or an error of a tool: then it is no mere field. */
export function holdsCalls(value: Json | undefined, depth = CALLS_DEPTH_MAX): boolean {
  if (typeof value !== "object" || value === null || depth === 0) return false;
  if (Array.isArray(value))
    return (value as readonly Json[]).some((one) => holdsCalls(one, depth - 1));
  return Object.entries(value as Fields).some(
    ([key, member]) =>
      (CALLS.test(key) && key !== "arguments" && !isEmpty(member)) ||
      (/^is_?error$/i.test(key) && member === true) ||
      (key === "type" && typeof member === "string" && CALL_TYPES.test(member)) ||
      holdsCalls(member, depth - 1),
  );
}

/** Ours: no format has its calls deeper. */
const CALLS_DEPTH_MAX = 8;

/** What stands there; undefined where nothing does. A name that has points itself is found, too. */
export function atPath(value: Json | undefined, path: string): Json | undefined {
  if (value === undefined || value === null || typeof value !== "object") return undefined;
  const members = value as { readonly [name: string]: Json };
  if (Object.hasOwn(members, path)) return members[path];
  for (let point = path.indexOf("."); point >= 0; point = path.indexOf(".", point + 1)) {
    const first = path.slice(0, point);
    if (!Object.hasOwn(members, first)) continue;
    const found = atPath(members[first], path.slice(point + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

const DEPTH_MAX = 6;

/** Each field with its path, maps opened; lists are values. */
export function* leaves(
  fields: Fields,
  before = "",
  depth = DEPTH_MAX,
): Generator<readonly [string, Json], undefined> {
  for (const [name, value] of Object.entries(fields)) {
    const path = `${before}${name}`;
    const inner = mapOf(value);
    yield [path, value];
    if (inner !== null && depth > 0 && listOf(value) === null)
      yield* leaves(inner, `${path}.`, depth - 1);
  }
}
