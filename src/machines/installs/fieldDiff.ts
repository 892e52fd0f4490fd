/** What differs between two JSON values, field by field. Source: ruling I1. */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";

export interface FieldChange {
  /** A JSON pointer (RFC 6901). */
  readonly path: string;
  /** Absent where the field was not there. */
  readonly before?: Json;
  /** Absent where the field is gone. */
  readonly after?: Json;
}

/** In the order of paths, part by part. Lists are compared place by place. */
export function fieldDiff(before: Json, after: Json, path = ""): readonly FieldChange[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  if (was === null || is === null || Array.isArray(before) !== Array.isArray(after)) {
    return before === after ? [] : [{ path, before, after }];
  }
  const keys = [...new Set([...was.keys(), ...is.keys()])];
  if (!Array.isArray(before)) keys.sort();
  return keys.flatMap((key) => {
    const at = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const [old, now] = [was.get(key), is.get(key)];
    if (old === undefined) return now === undefined ? [] : [{ path: at, after: now }];
    return now === undefined ? [{ path: at, before: old }] : fieldDiff(old, now, at);
  });
}

function membersOf(value: Json): ReadonlyMap<string, Json> | null {
  if (Array.isArray(value)) return new Map(value.map((item: Json, index) => [String(index), item]));
  return isMap(value) ? new Map(Object.entries(value)) : null;
}
