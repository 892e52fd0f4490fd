/** Lengths of time as people write them, and back: `1h30m` is 5,400,000 ms. Whole milliseconds only. */

const UNITS_MS: readonly (readonly [unit: string, ms: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
];

/** Ours: ten years; longer than any run, and far below what a number holds exactly. */
export const DURATION_MAX_MS = 3_650 * 86_400_000;

/** Each unit at most once, largest first. */
export const DURATION_PATTERN =
  /^(?=\d)(?:\d{1,12}d)?(?:\d{1,12}h)?(?:\d{1,12}m(?!s))?(?:\d{1,12}s)?(?:\d{1,12}ms)?$/u;

export const DURATION_ALLOWED = "a duration such as 250ms, 90s, 30m, 1h30m or 30d, up to 3650d";

/** Whole milliseconds, 0 … DURATION_MAX_MS; undefined when the text is no such duration. */
export function parseDuration(text: string): number | undefined {
  if (!DURATION_PATTERN.test(text)) return undefined;
  let ms = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([a-z]+)/g)) {
    ms += Number(count) * (UNITS_MS.find(([name]) => name === unit)?.[1] ?? Number.NaN);
  }
  return ms <= DURATION_MAX_MS ? ms : undefined;
}

/** What `parseDuration` reads back: `1h30m`, `0s`; undefined when there is no such text. */
export function durationText(ms: number): string | undefined {
  if (!(Number.isSafeInteger(ms) && ms >= 0 && ms <= DURATION_MAX_MS)) return undefined;
  return span(ms).replaceAll(/ |in/g, "");
}

const DAY_MS = 86_400_000;
const HOURS_SHOWN_MS = 100 * 3_600_000;

/**
 * For tables: `1:32:05`, also beyond a day (`49:00:00`), from a hundred hours on `21d 9:15:00`;
 * `1:32:05.250` when there are milliseconds.
 */
export function clock(ms: number): string {
  if (ms >= HOURS_SHOWN_MS) return `${Math.floor(ms / DAY_MS)}d ${clock(ms % DAY_MS)}`;
  const seconds = Math.floor(ms / 1_000);
  const rest = ms - seconds * 1_000;
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const fraction = rest === 0 ? "" : `.${String(rest).padStart(3, "0")}`;
  return `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}${fraction}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

const SPAN_WORDS = ["d", "h", "min", "s", "ms"];

/** For sentences: `1 h 1 min`, `2 d`, `250 ms`, `0 s`. Exact. */
export function span(ms: number): string {
  let rest = ms;
  const parts: string[] = [];
  for (const [index, [, unitMs]] of UNITS_MS.entries()) {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    if (count > 0) parts.push(`${count} ${SPAN_WORDS[index]}`);
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

/**
 * About how long, for estimates: its two largest units, `1h 21m`, `-4m 30s`, `0s`; more of them where they tell apart
 * what lies `apartMs` from one another.
 */
export function aboutSpan(ms: number, apartMs = Number.POSITIVE_INFINITY): string {
  if (!Number.isFinite(ms)) return String(ms);
  const size = Math.abs(ms);
  const largest = UNITS_MS.findIndex(([, unitMs]) => size >= unitMs);
  if (largest < 0) return size < 0.5 ? "0s" : `${ms < 0 ? "-" : ""}1ms`;
  const apart = UNITS_MS.findIndex(([, unitMs]) => unitMs * 2 <= apartMs);
  const place = Math.max(largest + 1, apart < 0 ? UNITS_MS.length : apart);
  const [, finest] = UNITS_MS[Math.min(place, UNITS_MS.length - 1)] ?? ["ms", 1];
  const rounded = Math.round(size / finest) * finest;
  return `${ms < 0 ? "-" : ""}${span(rounded).replaceAll("min", "m").replaceAll(/(\d) /g, "$1")}`;
}

/** A span without the milliseconds that no reader needs. */
export const shortSpan = (ms: number): string => span(ms < 1_000 ? ms : ms - (ms % 1_000));
