/** What a tool takes, in a line for a prompt, from the JSON Schema of its arguments. Ours. */
import { cutText } from "../../cutText.ts";
import type { Json } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";

/** Ours: a tool with more parameters shows these, and `…`. */
const PARAMETERS_MAX = 20;
const LINE_MAX = 600;

type Fields = { readonly [field: string]: Json };

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * `path: string, limit?: integer`: the names in the order of the schema, what each is, and a question mark
 * behind what may be missing. Undefined where the schema says nothing about them, or is none.
 */
export function taken(schema: Json | undefined): string | undefined {
  if (!isFields(schema)) return undefined;
  const properties = ownValue(schema, "properties");
  if (!isFields(properties)) return undefined;
  const names = Object.keys(properties);
  const isOpen = ownValue(schema, "additionalProperties") !== false;
  if (names.length === 0) return isOpen ? undefined : "";
  const required = ownValue(schema, "required");
  const needed = Array.isArray(required) ? required : [];
  const shown = names.slice(0, PARAMETERS_MAX).map((name) => {
    const what = kindOf(properties[name] ?? null);
    return `${name}${needed.includes(name) ? "" : "?"}${what === undefined ? "" : `: ${what}`}`;
  });
  return cutText([...shown, ...(names.length > PARAMETERS_MAX ? ["…"] : [])].join(", "), LINE_MAX);
}

/** `"fast" | "slow"` of an enumeration, `string | null` of several types. */
function kindOf(schema: Json): string | undefined {
  if (!isFields(schema)) return undefined;
  const options = ownValue(schema, "enum");
  if (Array.isArray(options)) return options.map((one) => JSON.stringify(one)).join(" | ");
  const type = ownValue(schema, "type");
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  return types.length === 0 ? undefined : types.join(" | ");
}
