/** When something happened, as logs write it. */
import type { Json } from "../../../../machines/letter.ts";
import { type Fields, numberOf } from "./fields.ts";

export const TIME_FIELDS = [
  "timestamp",
  "created_at",
  "createdAt",
  "time",
  "ts",
  "datetime",
  "date",
  "created",
  "start_time",
  "startTime",
  "@timestamp",
] as const;

/** From which size on a number counts smaller units than seconds. */
const UNITS = [
  { from: 1e17, perMs: 1e6 },
  { from: 1e14, perMs: 1e3 },
  { from: 1e11, perMs: 1 },
] as const;
/** Smaller numbers are counters, and no seconds since 1970. */
const SECONDS_MIN = 1e8;

/** With a date, and UTC where it names no zone. */
const WRITTEN = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Whole milliseconds since 1970, UTC; null where the value is no time. */
export function timeOf(value: Json | undefined): number | null {
  // As a number, nanoseconds would lose their last digits.
  if (typeof value === "string" && /^\d{17,19}$/.test(value)) return Number(value.slice(0, -6));
  const number = numberOf(value);
  if (number !== null) return timeOfNumber(number);
  if (typeof value !== "string") return null;
  const [all, zone] = WRITTEN.exec(value.trim()) ?? [];
  if (all === undefined) return null;
  const time = Date.parse(
    `${all.replace(" ", "T").replace(",", ".").replace(/\s/, "")}${zone === undefined && all.length > 10 ? "Z" : ""}`,
  );
  return Number.isNaN(time) ? null : time;
}

function timeOfNumber(number: number): number | null {
  const unit = UNITS.find(({ from }) => number >= from);
  if (unit !== undefined) {
    const time = Math.floor(number / unit.perMs);
    return time < TIME_MAX ? time : null;
  }
  return number >= SECONDS_MIN ? Math.floor(number * 1000) : null;
}

/** The end of the year 9999. */
const TIME_MAX = 253_402_300_800_000;

/** The time of an object, under the first of the usual names that holds one. */
export function timeIn(fields: Fields): number | null {
  for (const name of TIME_FIELDS) {
    const time = Object.hasOwn(fields, name) ? timeOf(fields[name]) : null;
    if (time !== null) return time;
  }
  return null;
}
