/**
 * Whether arguments fit the JSON Schema of a tool. A schema of a stranger is copied first, and only what is known, harmless
 * and within bounds is copied: no patterns (which may take for ever), no references out of the schema, and
 * references within it written out. What is omitted makes a schema wider, never narrower, so a fault is one by
 * the whole schema too.
 */
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { isMap } from "../machines/isMap.ts";
import type { Json } from "../machines/letter.ts";
import { ownValue } from "../machines/ownValue.ts";
import { exactText, quotedText } from "./valueText.ts";

/** Ours: the largest schema of a tool that was met holds some two hundred. */
const SCHEMAS_MAX = 2_000;
const DEPTH_MAX = 32;
const LISTED_MAX = 1_000;
/** Characters of arguments that are held against a schema: each may be looked at by each of its schemas. */
const ARGUMENT_CHARS_MAX = 1_000_000;

/** Holds arguments against one schema: what is wrong with them in words, or null. */
export interface ArgumentSchema {
  readonly faultOf: (args: Json) => string | null;
  /** The names of arguments that it knows, and of those that must be there. */
  readonly known: readonly string[];
  readonly required: readonly string[];
}

/** Null for what is no schema of an object, or passes the bounds: it then promises nothing. */
export function argumentSchema(schema: Json): ArgumentSchema | null {
  if (!isMap(schema)) return null;
  const copy = new Copy(schema).whole();
  if (copy === null) return null;
  const validator = new Validator(copy, "2020-12", true);
  return {
    faultOf: (args) => faultOf(validator, args),
    known: Object.keys(copy.properties ?? {}),
    required: copy.required ?? [],
  };
}

const KINDS = ["array", "boolean", "integer", "null", "number", "object", "string"];
const INNER: Schema = { $ref: "#" };
const INNERS: Schema = { type: "array", items: INNER };

/** What is understood of a schema, as a schema. */
const SCHEMA: Schema = {
  type: ["object", "boolean"],
  properties: {
    type: { anyOf: [{ type: "array", items: { enum: KINDS } }, { enum: KINDS }] },
    properties: { type: "object", additionalProperties: INNER },
    required: { type: "array", items: { type: "string" } },
    enum: { type: "array" },
    ...{ items: INNER, prefixItems: INNERS, additionalProperties: INNER },
    ...{ anyOf: INNERS, oneOf: INNERS, allOf: INNERS },
  },
};

/** What keeps a schema from being one, in words; null where arguments can be held against it. */
export function schemaFault(schema: Json): string | null {
  if (!isMap(schema)) return "no object";
  const fault = faultOf(new Validator(SCHEMA, "2020-12", true), schema);
  return (
    fault?.replace(/\.$/, "") ??
    (argumentSchema(schema) === null ? "larger than any that is understood" : null)
  );
}

function faultOf(validator: Validator, args: Json): string | null {
  const text = exactText(args);
  if (text === null || text.length > ARGUMENT_CHARS_MAX) return null;
  const { valid, errors } = validator.validate(args);
  return valid ? null : errorText(errors, args);
}

function errorText(errors: readonly OutputUnit[], args: Json): string {
  // What is wrong at the innermost place stands last.
  const { error, instanceLocation, keyword } = errors.at(-1) ?? {
    ...{ error: "they do not fit", instanceLocation: "#", keyword: "" },
  };
  const path = instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".");
  const text = keyword === "false" ? "It is not among those that it takes." : error;
  const known = isMap(args) ? ` (given: ${quotedText(Object.keys(args).join(", "))})` : "";
  return `${path === "" ? "" : `${path}: `}${text}${path === "" ? known : ""}`;
}

class TooLarge extends Error {}

const NUMBERS = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
] as const;

class Copy {
  readonly #root: Json;
  #count = 0;

  constructor(root: Json) {
    this.#root = root;
  }

  whole(): Schema | null {
    try {
      const copied = this.#of(this.#root, 0);
      return typeof copied === "boolean" ? null : copied;
    } catch (thrown) {
      if (thrown instanceof TooLarge) return null;
      throw thrown;
    }
  }

  #of(schema: Json, depth: number): Schema | boolean {
    if (typeof schema === "boolean") return schema;
    if (!isMap(schema)) return true;
    this.#count++;
    if (this.#count > SCHEMAS_MAX || depth > DEPTH_MAX) throw new TooLarge();
    const all: Schema = {};
    const { type } = schema;
    const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
    // As OpenAPI has it.
    if (types.length > 0 && schema["nullable"] === true) types.push("null");
    if (types.length === 1) all.type = types[0] as Exclude<Schema["type"], undefined>;
    else if (types.length > 0) all.type = types as Exclude<Schema["type"], undefined>;
    for (const name of NUMBERS) {
      const bound = schema[name];
      if (typeof bound === "number") all[name] = bound;
    }
    const { enum: values, required } = schema;
    if (Array.isArray(values) && values.length <= LISTED_MAX) {
      all.enum = schema["nullable"] === true ? [...values, null] : [...values];
    }
    if (schema["const"] !== undefined) all.const = schema["const"];
    if (Array.isArray(required)) {
      all.required = required.filter((one) => typeof one === "string").slice(0, LISTED_MAX);
    }
    this.#addInner(schema, all, depth + 1);
    return all;
  }

  #addInner(schema: { readonly [name: string]: Json }, all: Schema, depth: number): void {
    const { properties, additionalProperties: others, items, prefixItems } = schema;
    if (isMap(properties)) {
      const entries = Object.entries(properties).filter(([name]) => name !== "__proto__");
      all.properties = Object.fromEntries(
        entries.map(([name, one]) => [name, this.#of(one, depth)]),
      ) as Exclude<Schema["properties"], undefined>;
    }
    // With patterns omitted, it would forbid what a pattern allows.
    if (others !== undefined && schema["patternProperties"] === undefined) {
      all.additionalProperties = this.#of(others, depth);
    }
    if (items !== undefined && prefixItems === undefined) {
      all.items = this.#of(items, depth);
    }
    const anyOf = [schema["anyOf"], schema["oneOf"]].filter((one) => Array.isArray(one));
    const allOf = [
      ...(Array.isArray(schema["allOf"]) ? schema["allOf"] : []),
      ...this.#referred(schema["$ref"]),
    ];
    const conditions = [
      ...allOf.map((one) => this.#of(one, depth)),
      ...anyOf.map((some) => ({ anyOf: some.map((one: Json) => this.#of(one, depth)) })),
    ];
    if (conditions.length > 0) all.allOf = conditions as Exclude<Schema["allOf"], undefined>;
  }

  /** What a reference names within the schema; none for any other. */
  #referred(reference: Json | undefined): readonly Json[] {
    if (typeof reference !== "string" || !reference.startsWith("#")) return [];
    let found: Json | undefined = this.#root;
    for (const step of reference.split("/").slice(1)) {
      if (!isMap(found)) return [];
      found = ownValue(found, step.replaceAll("~1", "/").replaceAll("~0", "~"));
    }
    return found === undefined ? [] : [found];
  }
}
