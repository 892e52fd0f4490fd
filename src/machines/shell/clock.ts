/** A moment as `date` and `ls -l` show it: UTC, English names. Source: POSIX.1-2024, strftime. */
import { isoTime } from "../synthesis/isoTime.ts";
import { days } from "../units.ts";

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const MONTH_NAMES =
  "January February March April May June July August September October November December".split(
    " ",
  );
/** The first of January 1970 was a Thursday. */
const WEEKDAYS = "Thursday Friday Saturday Sunday Monday Tuesday Wednesday".split(" ");
const LATEST_MS = 253_402_300_799_999;

export interface Clock {
  readonly year: string;
  /** Three letters. */
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly weekday: string;
  /** 2026-05-02 and 09:00:00 */
  readonly date: string;
  readonly time: string;
}

/** Of milliseconds since 1970; what lies outside the years 1970 to 9999 is moved to their edge. */
export function clockOf(epochMs: number): Clock {
  const ms = Math.min(Math.max(0, Math.floor(epochMs)), LATEST_MS);
  const iso = isoTime(ms);
  const date = iso.slice(0, 10);
  const time = iso.slice(11, 19);
  const [year = "", month = "", day = ""] = date.split("-");
  const [hour = "", minute = "", second = ""] = time.split(":");
  const weekday = WEEKDAYS[Math.floor(ms / days(1)) % WEEKDAYS.length] ?? "";
  return {
    year,
    month: MONTHS[Number(month) - 1] ?? "",
    day,
    hour,
    minute,
    second,
    weekday,
    date,
    time,
  };
}

/** What `date` prints for a format; undefined for a letter it does not know here. */
export function strftime(format: string, epochMs: number): string {
  const clock = clockOf(epochMs);
  const { year, month, day, hour, minute, second, weekday, date, time } = clock;
  const values: { readonly [letter: string]: string } = {
    Y: year,
    y: year.slice(2),
    m: date.slice(5, 7),
    b: month,
    B: MONTH_NAMES[MONTHS.indexOf(month)] ?? "",
    d: day,
    e: day.replace(/^0/, " "),
    H: hour,
    M: minute,
    S: second,
    N: "000000000",
    F: date,
    T: time,
    R: time.slice(0, 5),
    D: `${date.slice(5, 7)}/${day}/${year.slice(2)}`,
    a: weekday.slice(0, 3),
    A: weekday,
    Z: "UTC",
    z: "+0000",
    s: String(Math.floor(Math.max(0, epochMs) / 1_000)),
    n: "\n",
    t: "\t",
    "%": "%",
  };
  return format.replaceAll(/%(.)/g, (whole, letter: string) =>
    Object.hasOwn(values, letter) ? (values[letter] ?? whole) : whole,
  );
}
