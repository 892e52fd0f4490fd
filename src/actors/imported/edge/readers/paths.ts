/** Paths with points, as a mapping names fields. */
import type { Json } from "../../../../machines/letter.ts";
import { type Fields, listOf, mapOf } from "./fields.ts";

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
