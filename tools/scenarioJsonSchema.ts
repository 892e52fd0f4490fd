/**
 * What editors know of a scenario file: the Effect Schema as JSON Schema, with every policy leaf
 * spelled out. `node tools/scenarioSchema.ts` writes it to scenarios/scenario.schema.json.
 */

import * as Schema from "effect/Schema";
import { metricNames } from "../src/contract/metricTable.ts";
import type { Part } from "../src/contract/part.ts";
import { policyLeaves } from "../src/contract/policyTree.ts";
import { DURATION_PATTERN } from "../src/edges/duration.ts";
import type { ReadingLists } from "../src/edges/parts/partLists.ts";
import { allowedFor } from "../src/edges/scenario/leafValue.ts";
import { scenarioSource } from "../src/edges/scenario/scenarioSchema.ts";
import { demandedOfAgents, peopledBy } from "../src/edges/scenario/withoutAgents.ts";
import { FOLDER_PATTERN, isTime, type Leaf, shareDigits } from "../src/machines/policyLeaf.ts";

/** Draft 2020-12. The decoder stays the authority: it checks more. */
export function scenarioJsonSchema({ parts, scenarioParts }: ReadingLists): object {
  const { schema, definitions } = Schema.toJsonSchemaDocument(scenarioSource(scenarioParts), {
    onExcessProperty: "error",
  });
  const ofAgents = demandedOfAgents(scenarioParts);
  const leaves = policyLeaves(parts).map(([name, leaf]) => [name, leafJsonSchema(leaf)]);
  const policyTree = {
    type: "object",
    properties: Object.fromEntries(leaves),
    additionalProperties: false,
  };
  const { required, ...whole } = withoutWrappers(schema) as {
    readonly required: readonly string[];
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Ghostlight scenario",
    ...whole,
    required: required.filter((field) => !ofAgents.includes(field)),
    anyOf: [ofAgents, ...peopledBy(scenarioParts).map((field) => [field])].map((fields) => ({
      required: fields,
    })),
    $defs: {
      ...withMetrics(withoutWrappers(definitions) as { readonly Expectation: Definition }, parts),
      Policy: policyTree,
    },
  };
}

interface Definition {
  readonly properties: { readonly [name: string]: object };
}

/** An editor offers the metrics that there are, each with its unit. */
function withMetrics<D extends { readonly Expectation: Definition }>(
  definitions: D,
  parts: readonly Part[],
): D {
  const { Expectation } = definitions;
  const { metric, ...rest } = Expectation.properties;
  const { description } = metric as { readonly description?: string };
  const names = { enum: metricNames(parts), description };
  return {
    ...definitions,
    Expectation: { ...Expectation, properties: { ...rest, metric: names } },
  };
}

/** `allOf` around a lone description or reference says no more than the two beside each other. */
export function withoutWrappers(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutWrappers);
  if (typeof node !== "object" || node === null) return node;
  const { allOf, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, member]) => [key, withoutWrappers(member)]),
  );
  if (!Array.isArray(allOf)) return { ...rest, ...(allOf === undefined ? {} : { allOf }) };
  const areLabels = allOf.every((part: object) =>
    Object.keys(part).every((key) => key === "description" || key === "$ref"),
  );
  return areLabels ? Object.assign(rest, ...allOf) : { ...rest, allOf };
}

/** What a leaf takes, as people write it. */
export function leafJsonSchema(leaf: Leaf): object {
  const rest = {
    description: `${leaf.says} Allowed: ${allowedFor(leaf)}. Source: ${leaf.source}.`,
    default: leaf.default,
  };
  switch (leaf.kind) {
    case "integer": {
      const number = { type: "integer", minimum: leaf.min, maximum: leaf.max };
      if (isTime(leaf)) {
        return { anyOf: [number, { type: "string", pattern: DURATION_PATTERN.source }], ...rest };
      }
      const digits = shareDigits(leaf);
      if (digits === undefined) return { ...number, ...rest };
      const maximum = Number(`${leaf.max}e-${digits}`);
      return { anyOf: [number, { type: "number", minimum: 0, maximum }], ...rest };
    }
    case "flag":
      return { type: "boolean", ...rest };
    case "choice":
      return { enum: leaf.options, ...rest };
    case "subset":
      return { type: "array", items: { enum: leaf.options }, uniqueItems: true, ...rest };
    case "folders": {
      const items = { type: "string", pattern: FOLDER_PATTERN.source };
      return { type: "array", items, uniqueItems: true, ...rest };
    }
  }
}
