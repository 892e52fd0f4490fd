/**
 * The difference between two contexts, for the event log. Contexts are immutable, so equal
 * references are equal values and the walk costs as much as what changed.
 */
import type { Json } from "../machines/letter.ts";
import type { Grown } from "../machines/service.ts";
import type { Change } from "./envelope.ts";

/**
 * `grown` is taken at its word. Comparing a text makes it one piece in memory, which costs as much
 * as the whole text with every line that a registry gets; comparing a folder, as many as its files.
 */
export function changesBetween(before: unknown, after: unknown, grown?: Grown): Change[] {
  const changes: Change[] = [];
  const [old, now] = grown?.apart?.() ?? [before, after];
  walk(old, now, [], changes, grown);
  return changes;
}

function walk(
  before: unknown,
  after: unknown,
  path: readonly string[],
  changes: Change[],
  grown: Grown | undefined,
): void {
  if (before === after) return;
  if (typeof before === "string" && typeof after === "string" && before !== "") {
    const appended = endOf(before, after, grown);
    if (appended !== undefined) {
      changes.push({ path, appended });
      return;
    }
  } else if (isObject(before) && isObject(after) && isComparable(before, after)) {
    const keys = Object.keys(after);
    const oldKeys = Object.keys(before);
    if (areEqual(keys, oldKeys)) {
      // Looking up every key in turn takes half as long again.
      const values = Object.values(after);
      const oldValues = Object.values(before);
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i] as string;
        const old = oldValues[i];
        const now = values[i];
        if (old === now) continue;
        const at = below(path, key);
        // Numbers are most of what changes.
        if (typeof now === "number") changes.push({ path: at, to: now });
        else walk(old, now, at, changes, grown);
      }
      return;
    }
    for (const key of keys) {
      const old = Object.hasOwn(before, key) ? before[key] : undefined;
      if (old !== after[key]) walk(old, after[key], [...path, key], changes, grown);
    }
    for (const key of oldKeys) {
      if (!Object.hasOwn(after, key)) changes.push({ path: [...path, key], removed: true });
    }
    return;
  }
  changes.push({ path, to: after as Json });
}

/** Most are at the top, where spreading nothing would cost more than the rest. */
const below = (path: readonly string[], key: string): readonly string[] =>
  path.length === 0 ? [key] : [...path, key];

/** Of the keys of two contexts: mostly they are the same, in the same order. */
function areEqual(keys: readonly string[], others: readonly string[]): boolean {
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) if (keys[i] !== others[i]) return false;
  return true;
}

/** What `after` has after `before`; undefined when it begins otherwise. */
function endOf(before: string, after: string, grown: Grown | undefined): string | undefined {
  const { text, by = "" } = grown ?? {};
  if (after === text && after.length === before.length + by.length) return by;
  // Not startsWith, which V8 runs character by character: ten times slower on a long registry.
  return after.slice(0, before.length) === before ? after.slice(before.length) : undefined;
}

type Members = { readonly [key: string]: unknown };

/** Two objects, or two arrays of the same length. */
function isComparable(before: Members, after: Members): boolean {
  if (Array.isArray(before) !== Array.isArray(after)) return false;
  return !Array.isArray(before) || before.length === after["length"];
}

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** The context after a delivery, from the one before it. */
export function withChanges(before: object, changes: readonly Change[]): object {
  return changes.reduce<unknown>((value, change) => changed(value, change, 0), before) as object;
}

function changed(value: unknown, change: Change, depth: number): unknown {
  const key = change.path[depth];
  if (key === undefined) {
    if ("appended" in change) return `${value as string}${change.appended}`;
    return "to" in change ? change.to : undefined;
  }
  const members = value as Members;
  if ("removed" in change && depth === change.path.length - 1) {
    const { [key]: _, ...others } = members;
    return others;
  }
  const next = changed(members[key], change, depth + 1);
  return Array.isArray(value) ? value.with(Number(key), next) : { ...members, [key]: next };
}
