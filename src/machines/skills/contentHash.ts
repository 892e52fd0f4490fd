/**
 * What a skill is, and a challenge, in one word: by it is seen whether a saved skill has changed. Source: seed 001 (a content hash),
 * and the real system's text of it: code, schema and description; dossier 1.4, 1.7.
 */
import { md5, sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { byCodePoint } from "../codePoints.ts";
import type { Json } from "../letter.ts";

export const contentHash = (code: string, schema: Json, description: string): string =>
  bytesToHex(md5(utf8ToBytes(code + pythonJson(schema) + description)));

const DIGITS = 16;

/** The name of a challenge in lessons and logs. The seed says only that there is one. */
export const challengeHash = (text: string): string =>
  bytesToHex(sha1(utf8ToBytes(text.trim()))).slice(0, DIGITS);

/** As Python's `json.dumps(…, sort_keys=True)` writes it, which the real system hashes: spaces behind marks, ASCII alone. */
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
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

const ascii = (json: string): string =>
  json.replaceAll(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
