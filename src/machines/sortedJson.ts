/** JSON with sorted keys, for texts that are signed or audited: one value has one text. */
import type { Json } from "./letter.ts";

export function sortedJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    // Numbers, of which embeddings are long lists, have one text.
    if (value.every((one) => typeof one === "number")) return JSON.stringify(value);
    let text = "";
    for (const one of value) text += `${text === "" ? "[" : ","}${sortedJson(one)}`;
    return `${text}]`;
  }
  const members = value as { readonly [key: string]: Json }; // No list.
  let text = "";
  for (const key of Object.keys(members).sort()) {
    text += `${text === "" ? "{" : ","}${JSON.stringify(key)}:${sortedJson(members[key] as Json)}`;
  }
  return text === "" ? "{}" : `${text}}`;
}
