/** What editors know of a study's file. `node tools/studySchema.ts` writes it to studies/study.schema.json. */
import * as Schema from "effect/Schema";
import type { Part } from "../../actors/part.ts";
import type { Leaf } from "../../machines/policyLeaf.ts";
import { policyLeaves } from "../../policy.ts";
import { leafJsonSchema, withoutWrappers } from "../scenarioJsonSchema.ts";
import { studySource } from "./studySchema.ts";

/** Draft 2020-12. The decoder stays the authority: it checks more. */
export function studyJsonSchema({ parts }: { readonly parts: readonly Part[] }): object {
  const { schema, definitions } = Schema.toJsonSchemaDocument(studySource, {
    onExcessProperty: "error",
  });
  const leaves = policyLeaves(parts);
  const mapOf = (of: (leaf: Leaf, path: string) => object): object => ({
    type: "object",
    properties: Object.fromEntries(leaves.map(([path, leaf]) => [path, of(leaf, path)])),
    additionalProperties: false,
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Ghostlight study",
    ...(withoutWrappers(schema) as object),
    $defs: {
      ...(withoutWrappers(definitions) as object),
      Policy: mapOf(leafJsonSchema),
      Factors: mapOf(factorJsonSchema),
      Range: range,
    },
  };
}

/** A value that stays, a list that varies, or a range of numbers. */
function factorJsonSchema(leaf: Leaf, path: string): object {
  const one = { $ref: `#/$defs/Policy/properties/${path}` };
  const isNames = leaf.kind === "subset";
  const items = isNames ? { anyOf: [one, { type: "string" }] } : one;
  const ranges = leaf.kind === "integer" ? [{ $ref: "#/$defs/Range" }] : [];
  return {
    description: leaf.says,
    anyOf: [isNames ? { type: "string" } : one, { type: "array", minItems: 1, items }, ...ranges],
  };
}

const written = { type: ["number", "string"] };

const range = {
  type: "object",
  properties: {
    low: { ...written, description: "The lowest value, as the leaf takes it." },
    high: { ...written, description: "The highest value." },
    step: { ...written, description: "How far values are apart. One unit of the leaf if absent." },
    log: { type: "boolean", description: "Whether values are evenly spread in their logarithm." },
  },
  required: ["low", "high"],
  additionalProperties: false,
};
