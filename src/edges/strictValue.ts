/** JSON of strangers: parsed, and refused where no recording could hold it. */
import type { Json } from "../machines/letter.ts";

/** Ours: deep enough for typed attributes within typed attributes, and far from the end of a call stack. */
export const DEPTH_MAX = 128;

export type Parsed = { readonly value: Json } | { readonly fault: string };

/** The value of a text, or in words why there is none. The words quote nothing of the text. */
export function parsedJson(text: string): Parsed {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return { fault: `no JSON: ${syntaxFault(error as Error)}` };
  }
  const fault = strictFault(value);
  return fault === null ? { value } : { fault };
}

/** What the engine says of it, without the piece of the text that it quotes. */
export function syntaxFault({ message }: Error): string {
  const [, words, place] = /^(.+?) (?:in|after) JSON at position (\d+)/.exec(message) ?? [];
  if (words !== undefined) return `${words} at character ${Number(place) + 1}`;
  if (message.startsWith("Unexpected end")) return "Unexpected end of the text";
  return message.startsWith("Unexpected token") ? "Unexpected token" : "it does not parse";
}

/** Null where the value can be held. */
export function strictFault(value: Json, depth = DEPTH_MAX): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? null : "a number past all bounds";
  if (typeof value !== "object" || value === null) return null;
  if (depth === 0) return `nesting deeper than ${DEPTH_MAX}`;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) {
      const fault = strictFault(item, depth - 1);
      if (fault !== null) return fault;
    }
    return null;
  }
  const members = value as { readonly [key: string]: Json };
  for (const key of Object.keys(members)) {
    if (key === "__proto__") return "a key __proto__";
    const fault = strictFault(members[key] as Json, depth - 1);
    if (fault !== null) return fault;
  }
  return null;
}
