/** What editors know of a study's file. `node tools/studySchema.ts` writes it to studies/study.schema.json. */
import * as Schema from "effect/Schema";
import { metricNames } from "../src/contract/metricTable.ts";
import { policyLeaves } from "../src/contract/policyTree.ts";
import type { StudyLists } from "../src/edges/studies/studyOf.ts";
import { studySource } from "../src/edges/studies/studySchema.ts";
import { isList, type Leaf } from "../src/machines/policyLeaf.ts";
import { propertiesOf } from "../src/run/check/catalogue.ts";
import { VARIANT } from "../src/studies/study.ts";
import { leafJsonSchema, withoutWrappers } from "./scenarioJsonSchema.ts";

/** Draft 2020-12. The decoder stays the authority: it checks more. */
export function studyJsonSchema({
  parts,
  promised,
}: Pick<StudyLists, "parts" | "promised">): object {
  const { schema, definitions } = Schema.toJsonSchemaDocument(studySource, {
    onExcessProperty: "error",
  });
  const leaves = policyLeaves(parts);
  const mapOf = (of: (leaf: Leaf, path: string) => object): object => ({
    type: "object",
    properties: Object.fromEntries(leaves.map(([path, leaf]) => [path, of(leaf, path)])),
    additionalProperties: false,
  });
  const summed = leaves.flatMap(([path, leaf]) => (leaf.kind === "integer" ? [path] : []));
  const promises = propertiesOf(promised).filter(({ kind }) => kind === "world");
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Ghostlight study",
    ...(withoutWrappers(schema) as object),
    anyOf: [{ required: ["design"] }, { required: ["goal"] }],
    $defs: {
      ...(withoutWrappers(definitions) as object),
      Policy: mapOf(leafJsonSchema),
      Factors: mapOf(factorJsonSchema),
      Setting: {
        type: "object",
        properties: {
          [VARIANT]: { type: "string", description: "Where `variants` is a list." },
          ...Object.fromEntries(leaves.map(([path, leaf]) => [path, valueJsonSchema(leaf, path)])),
        },
        additionalProperties: false,
      },
      Summed: { enum: summed },
      Weights: {
        type: "object",
        propertyNames: { enum: summed },
        additionalProperties: { type: "number" },
      },
      Metric: { enum: metricNames(parts) },
      Promise: { enum: promises.map(({ id }) => id) },
      Range: range,
      Weighed: weighedList,
    },
  };
}

/** One value: a list for a subset may be written with commas. */
function valueJsonSchema(leaf: Leaf, path: string): object {
  const one = { $ref: `#/$defs/Policy/properties/${path}` };
  return isList(leaf) ? { anyOf: [one, { type: "string" }] } : one;
}

/** A value that stays, a list that varies, or a range of numbers. */
function factorJsonSchema(leaf: Leaf, path: string): object {
  const items = valueJsonSchema(leaf, path);
  const stays = isList(leaf) ? { type: "string" } : items;
  const ranges = leaf.kind === "integer" ? [{ $ref: "#/$defs/Range" }] : [];
  const weighed = { $ref: "#/$defs/Weighed", properties: { values: { items } } };
  return {
    description: leaf.says,
    anyOf: [stays, { type: "array", minItems: 1, items }, weighed, ...ranges],
  };
}

/** A leaf adds what its values may be. */
const weighedList = {
  type: "object",
  properties: {
    values: { type: "array", minItems: 1 },
    weights: { type: "array", minItems: 1, items: { type: "number", minimum: 0 } },
  },
  required: ["values", "weights"],
  additionalProperties: false,
};

const written = { type: ["number", "string"] };

const range = {
  type: "object",
  properties: {
    low: { ...written, description: "The lowest value, as the leaf takes it." },
    high: { ...written, description: "The highest value." },
    step: { ...written, description: "How far values are apart. One unit of the leaf if absent." },
    normal: {
      type: "object",
      description: "Values are drawn from a normal distribution, within low and high.",
      properties: { mean: written, deviation: written },
      required: ["mean", "deviation"],
      additionalProperties: false,
    },
    triangular: { ...written, description: "The likeliest value, from which both ends fall off." },
    log: { type: "boolean", description: "Whether values are evenly spread in their logarithm." },
  },
  required: ["low", "high"],
  additionalProperties: false,
};
