/** JSON with sorted keys, for texts that are signed or audited: one value has one text. */
import type { Json } from "./letter.ts";

export function sortedJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    // Numbers, of which embeddings are long lists, have one text.
    if (value.every((one) => typeof one === "number")) return JSON.stringify(value);
    return `[${value.map(sortedJson).join(",")}]`;
  }
  const members = value as { readonly [key: string]: Json }; // No list.
  const texts = Object.keys(members)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(members[key] as Json)}`);
  return `{${texts.join(",")}}`;
}
