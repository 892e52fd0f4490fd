// Schemas of strangers: what they forbid, and what must not be done with them.
import fc from "fast-check";
import { expect, it } from "vitest";
import { argumentSchema } from "../../src/findings/argumentSchema.ts";
import type { Json } from "../../src/machines/letter.ts";
import { nested } from "./facts.ts";

const numbers = (count: number): Json => Array.from({ length: count }, (_, at) => at);
const faultOf = (schema: Json, args: Json) => argumentSchema(schema)?.faultOf(args) ?? null;

it.each<readonly [string, Json, Json]>([
  ["an enum", { properties: { a: { enum: [1, 2] } } }, { a: 3 }],
  ["a nested list", { properties: { a: { items: { type: "integer" } } } }, { a: [1, "x"] }],
  ["anyOf", { properties: { a: { anyOf: [{ type: "null" }, { type: "string" }] } } }, { a: 1 }],
  [
    "a reference",
    { $defs: { s: { type: "string" } }, properties: { a: { $ref: "#/$defs/s" } } },
    { a: 1 },
  ],
  ...(
    [
      ...[{ minimum: [5, 4] }, { maximum: [5, 6] }],
      ...[{ exclusiveMinimum: [5, 5] }, { exclusiveMaximum: [5, 5] }],
      ...[{ minLength: [2, "a"] }, { maxLength: [2, "abc"] }],
      ...[{ minItems: [1, []] }, { maxItems: [1, [1, 2]] }],
      ...[{ minProperties: [1, {}] }, { maxProperties: [0, { b: 1 }] }],
    ] as readonly Json[]
  ).flatMap((bounds) =>
    Object.entries(bounds as { readonly [name: string]: Json[] }).map(
      ([name, [bound = null, a = null]]): readonly [string, Json, Json] => [
        ...([name, { properties: { a: { [name]: bound } } }, { a }] as const),
      ],
    ),
  ),
  ["a constant", { properties: { a: { const: 5 } } }, { a: 6 }],
  ["a list of types", { properties: { a: { type: ["string", "null"] } } }, { a: 1 }],
  ["null where it is not allowed", { properties: { a: { type: "string" } } }, { a: null }],
  ["null that no enum names", { properties: { a: { enum: [1, 2] } } }, { a: null }],
  ["allOf", { properties: { a: { allOf: [{ type: "string" }] } } }, { a: 1 }],
  ["an enum of a thousand", { properties: { a: { enum: numbers(1_000) } } }, { a: "x" }],
])("[FI14] %s that arguments break is told", (_what, schema, args) => {
  expect(faultOf(schema, args)).not.toBeNull();
  expect(faultOf(schema, { b: 1 })).toBeNull();
});

it.each<readonly [string, Json, Json]>([
  ["patterns", { properties: { a: { pattern: "^(a+)+$" } } }, { a: `${"a".repeat(60)}!` }],
  [
    "members by pattern",
    { patternProperties: { "^x": {} }, additionalProperties: false },
    { x1: 1 },
  ],
  ["formats", { properties: { a: { format: "email" } } }, { a: "x" }],
  ["conditions", { if: { required: ["b"] }, else: { required: ["b"] } }, { a: 1 }],
  ["not", { not: { pattern: "a" } }, { a: 1 }],
  [
    "references elsewhere",
    { properties: { a: { $ref: "https://evil.example/s.json" } } },
    { a: 1 },
  ],
  [
    "a path of another file",
    { properties: { a: { type: "string" }, b: { $ref: "x.json/properties/a" } } },
    { b: 1 },
  ],
  [
    "null where it is allowed",
    { properties: { a: { type: "string", nullable: true } } },
    { a: null },
  ],
  ["null beside an enum", { properties: { a: { enum: [1], nullable: true } } }, { a: null }],
  ["an enum with null beside it", { properties: { a: { enum: [1], nullable: true } } }, { a: 1 }],
  ["null alone", { properties: { a: { nullable: true } } }, { a: 1 }],
  [
    "items behind others",
    { properties: { a: { prefixItems: [{ type: "string" }], items: { type: "integer" } } } },
    { a: ["x"] },
  ],
  ["an enum of more", { properties: { a: { enum: numbers(1_001) } } }, { a: "x" }],
  ["a list without end", { properties: { a: { type: "string" } } }, { a: nested(201) }],
  ["oneOf, as anyOf", { oneOf: [{ required: ["a"] }, { type: "object" }] }, { a: 1 }],
  ["malformed keywords", { type: 5, enum: "x", required: "a", properties: [], items: 3 }, { a: 1 }],
])("[FI15] %s forbid nothing", (_what, schema, args) => {
  expect(faultOf(schema, args)).toBeNull();
});

it("[FI15] oneOf, as anyOf, forbids what none of its schemas takes, also beside an anyOf", () => {
  const oneOf = [{ required: ["a"] }, { required: ["b"] }];
  const anyOf = [{ required: ["c"] }];

  expect(faultOf({ oneOf }, { c: 1 })).not.toBeNull();
  expect(faultOf({ oneOf, anyOf }, { c: 1 })).not.toBeNull();
  expect(faultOf({ oneOf, anyOf }, { a: 1, b: 1, c: 1 })).toBeNull();
});

it("[FI15] what goes round or grows without measure promises nothing", () => {
  const round = { $ref: "#" };
  const defs = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `d${at}`,
      { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  );
  // The whole is a schema, too.
  const wide = (schemas: number) => ({
    properties: Object.fromEntries(Array.from({ length: schemas - 1 }, (_, at) => [`p${at}`, {}])),
  });
  const deep = (levels: number): Json =>
    levels === 0 ? { type: "string" } : { properties: { in: deep(levels - 1) } };

  expect(argumentSchema(round)).toBeNull();
  expect(argumentSchema({ $defs: defs, $ref: "#/$defs/d0" })).toBeNull();
  expect([wide(2_000), wide(2_001)].map((one) => argumentSchema(one) === null)).toEqual([
    ...[false, true],
  ]);
  expect([deep(32), deep(33)].map((one) => argumentSchema(one) === null)).toEqual([false, true]);
  for (const none of [null, true, "object", [], 4]) expect(argumentSchema(none)).toBeNull();
});

it("[FI15] whatever stands in a schema, arguments are held against it without an error", () => {
  const keyword = fc.constantFrom(
    ...["type", "enum", "const", "required", "properties", "items", "anyOf", "allOf", "oneOf"],
    ...["$ref", "additionalProperties", "minimum", "maxLength", "prefixItems", "nullable", "$id"],
  );
  const { schema } = fc.letrec((tie) => ({
    schema: fc.dictionary(keyword, tie("value"), { maxKeys: 4 }),
    value: fc.oneof(
      { maxDepth: 3, depthIdentifier: "schema" },
      fc.jsonValue({ maxDepth: 2 }),
      tie("schema"),
      fc.array(tie("schema"), { maxLength: 3 }),
    ),
  }));
  const law = fc.property(schema, fc.jsonValue(), (one, args) => {
    const fault = faultOf(one as Json, args as Json);
    expect(fault === null || fault.length > 0).toBe(true);
  });

  fc.assert(law);
});
