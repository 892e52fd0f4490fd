/**
 * What a skill is, in one word: whether a saved one has changed is seen by it. Source: seed 001 (a content hash); the real
 * system's text of it: code, schema and description.
 */
import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Json } from "../letter.ts";

export const contentHash = (code: string, schema: Json, description: string): string =>
  bytesToHex(md5(utf8ToBytes(code + pythonJson(schema) + description)));

/** As Python's `json.dumps(…, sort_keys=True)` writes it: spaces behind marks, ASCII alone. */
export function pythonJson(value: Json): string {
  if (typeof value !== "object" || value === null) return ascii(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  const members = Object.entries(value as { readonly [key: string]: Json }); // No list.
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, held]) => `${pythonJson(key)}: ${pythonJson(held)}`).join(", ")}}`;
}

const ascii = (json: string): string =>
  json.replaceAll(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
