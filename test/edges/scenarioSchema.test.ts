import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { policyLeaves } from "../builtIn.ts";
import { scenarioJsonSchema } from "../builtInScenarios.ts";

interface Node {
  readonly properties?: { readonly [name: string]: Node };
  readonly description?: string;
  readonly additionalProperties?: unknown;
  readonly [key: string]: unknown;
}

const nodesOf = (value: unknown): Node[] =>
  typeof value === "object" && value !== null
    ? [value as Node, ...Object.values(value).flatMap(nodesOf)]
    : [];

test("the committed file is current: node tools/scenarioSchema.ts", () => {
  const file = new URL("../../scenarios/scenario.schema.json", import.meta.url);

  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(scenarioJsonSchema());
});

test("every field is described, and no map takes unknown keys", () => {
  const maps = nodesOf(scenarioJsonSchema()).filter(
    ({ type, properties }) => type === "object" && properties !== undefined,
  );
  const fields = maps.flatMap(({ properties }) => Object.entries(properties ?? {}));

  expect(fields.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
  expect(maps.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([]);
});

test("every pattern works in an editor, and every reference leads somewhere", () => {
  const schema = scenarioJsonSchema() as Node & { $defs: object };
  const nodes = nodesOf(schema);
  const references = nodes.flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));

  for (const { pattern } of nodes) if (typeof pattern === "string") new RegExp(pattern, "u");
  expect(references.length).toBeGreaterThan(5);
  expect(references.filter((to) => !(to.slice("#/$defs/".length) in schema.$defs))).toEqual([]);
});

test("every policy leaf is there with its default", () => {
  const { $defs } = scenarioJsonSchema() as { $defs: { Policy: { properties: Node } } };

  expect(Object.keys($defs.Policy.properties)).toEqual(policyLeaves().map(([path]) => path));
  expect($defs.Policy.properties["model.gpuMs"]).toMatchObject({ default: 6_000 });
});
