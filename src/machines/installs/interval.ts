/** How long an interval is that was said in words. Source: dossier 1.7. */
import type { Json } from "../letter.ts";

/** The first that ends the text counts: so `minutes` and `hours` end in `s`, and say nothing. */
const UNITS: readonly (readonly [ending: string, seconds: number])[] = [
  ...(["seconds", "second", "secs", "sec", "s"] as const).map((unit) => [unit, 1] as const),
  ...(["minutes", "minute", "mins", "min", "m"] as const).map((unit) => [unit, 60] as const),
  ...(["hours", "hour", "hrs", "hr", "h"] as const).map((unit) => [unit, 3_600] as const),
];

/** Seconds, more than none; null where the words say no such thing. */
export function intervalSecs(value: Json): number | null {
  if (typeof value === "number") return Number.isSafeInteger(value) && value > 0 ? value : null;
  if (typeof value !== "string") return null;
  const text = value.trim().toLowerCase();
  const [ending, seconds] = UNITS.find(([unit]) => text.endsWith(unit)) ?? ["", 1];
  const digits = text.slice(0, text.length - ending.length).trim();
  if (!/^\+?\d+$/.test(digits)) return null;
  const secs = Number(digits) * seconds;
  return Number.isSafeInteger(secs) && secs > 0 ? secs : null;
}
