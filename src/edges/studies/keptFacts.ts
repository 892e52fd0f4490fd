/** What was seen of a run as it is kept, and read back: its hash says that it is whole, and nothing of who wrote it. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { isMap } from "../../machines/isMap.ts";
import type { RunFacts } from "../../studies/study.ts";

/** Ours: far above what a run leaves, far below what would fill the memory. */
const TEXT_BYTES_MAX = 256 * 1024 * 1024;

/** Ours: a third of the time that the library's own takes, and a fifteenth more room. */
const LEVEL = 3;

/** The last one: a table and a cache keep the same text, and runs that came to the same. */
let last: { readonly text: string; readonly bytes: Uint8Array } | undefined;

/** A third of its size, or a tenth. */
export function packed(text: string): Uint8Array {
  if (last?.text !== text) last = { text, bytes: deflateRawSync(text, { level: LEVEL }) };
  return last.bytes;
}

/** Undefined for bytes that are no packed text. */
export function unpacked(bytes: Uint8Array): string | undefined {
  try {
    return inflateRawSync(bytes, { maxOutputLength: TEXT_BYTES_MAX }).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Undefined for a text that no run leaves: a database of others may hold anything. */
export function keptFacts(text: string): RunFacts | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isFacts(value) ? value : undefined;
}

function isFacts(value: unknown): value is RunFacts {
  if (!isMap(value)) return false;
  const { outcome, virtualMs, finals, series, tooLong, promises, unknown = "" } = value;
  return (
    isOutcome(outcome) &&
    isNumber(virtualMs) &&
    typeof unknown === "string" &&
    isMapOf(finals, (actors) => isMapOf(actors, isNumber)) &&
    isMapOf(series, isSteps) &&
    isMapOf(tooLong, isNumber) &&
    isMapOf(promises, (said) => said === null || typeof said === "string")
  );
}

export const isOutcome = (value: unknown): boolean =>
  typeof value === "string" && /^[a-z]+(:[A-Za-z]+)?$/.test(value);

export const isNumber = (value: unknown): boolean => Number.isFinite(value);

export const isMapOf = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  isMap(value) && Object.values(value).every(isOne);

const isSteps = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((step) => Array.isArray(step) && step.length === 2 && step.every(isNumber));
