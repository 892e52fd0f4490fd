/**
 * ISO 8601 in UTC from milliseconds since 1970, by arithmetic only: a spec file carries the virtual
 * time, not the host's. Source: seed 000, "File write" (`activated_at`).
 */
import { days, hours, minutes, seconds } from "./units.ts";

const DAYS_OF_400_YEARS = 146_097;
const MARCH_1970 = 719_468;

/** Whole milliseconds at or after 1970, before the year 10000. */
export function isoTime(epochMs: number): string {
  const day = Math.floor(epochMs / days(1));
  const ms = epochMs - day * days(1);
  const clock = [
    padded(Math.floor(ms / hours(1)), 2),
    padded(Math.floor(ms / minutes(1)) % 60, 2),
    padded(Math.floor(ms / seconds(1)) % 60, 2),
  ];
  return `${dateOf(day)}T${clock.join(":")}.${padded(ms % seconds(1), 3)}Z`;
}

/** Years counted from March, so that the leap day is the last of its year. */
function dateOf(day: number): string {
  const shifted = day + MARCH_1970;
  const era = Math.floor(shifted / DAYS_OF_400_YEARS);
  const dayOfEra = shifted - era * DAYS_OF_400_YEARS;
  const leapDays =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const year = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
  const isNextYear = month >= 10;
  return [
    padded(year + era * 400 + (isNextYear ? 1 : 0), 4),
    padded(isNextYear ? month - 9 : month + 3, 2),
    padded(dayOfMonth, 2),
  ].join("-");
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, "0");
