/** JSON as Python writes it, which is what the real system hashes. Source: dossier 1.4. */
import { byCodePoint } from "../codePoints.ts";
import type { Json } from "../letter.ts";

/** As Python's `json.dumps(…, sort_keys=True)` writes it: spaces behind marks, ASCII alone. */
export function pythonJson(value: Json): string {
  if (typeof value === "number") return pythonNumber(value);
  if (typeof value !== "object" || value === null) return ascii(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  const members = Object.entries(value as { readonly [key: string]: Json }); // No list.
  const sorted = members.sort(([a], [b]) => byCodePoint(a, b));
  return `{${sorted.map(([key, held]) => `${pythonJson(key)}: ${pythonJson(held)}`).join(", ")}}`;
}

/** Ours: from here on Python writes a float with an exponent, and below the other. */
const LONG_EXPONENT = 16;
const SMALL_EXPONENT = -4;

/**
 * Whole numbers are integers, as long as they are told apart: JSON.parse has lost whether one was written 1.0, and the digits of
 * those that are greater, which count as floats.
 */
function pythonNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= SMALL_EXPONENT && exponent < LONG_EXPONENT) {
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  const sign = exponent < 0 ? "-" : "+";
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

const ascii = (json: string): string =>
  json.replaceAll(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
