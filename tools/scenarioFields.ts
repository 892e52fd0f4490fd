/** docs/scenario-fields.md: every field of a scenario, told from its schema. `node tools/scenarioDocs.ts` writes it. */
import { builtIn } from "../src/builtIn/lists.ts";
import { scenarioJsonSchema } from "./scenarioJsonSchema.ts";

/** What is read of a node of the schema. */
interface Node {
  readonly type?: string;
  readonly description?: string | undefined;
  readonly properties?: { readonly [name: string]: Node };
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly pattern?: string;
  readonly additionalProperties?: Node | boolean;
  readonly patternProperties?: { readonly [pattern: string]: Node };
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Whole extends Node {
  readonly $defs: { readonly [name: string]: Node };
}

const HEAD = `# Every field of a scenario

Made from the schema by \`node tools/scenarioDocs.ts\`; a test fails when it is stale. What a scenario is, a glossary and examples: [scenarios.md](scenarios.md).
Fields in **bold** are required. Whatever is not listed here is refused, with its line and the nearest name.
`;

/** Names that a list of values may have before it is told by their number. */
const FEW = 16;

export function scenarioFields(): string {
  const whole = scenarioJsonSchema(builtIn) as Whole;
  const definitions = Object.entries(whole.$defs).filter(([name]) => name !== "Policy");
  return [
    HEAD,
    ...section("Scenario", whole),
    "## Policy\n",
    "A map from paths such as `router.kind` to values: the numbers and switches of the modelled systems. " +
      "`npx ghostlight policy [PART]` lists each with its default, bounds, sentence and source; editors offer them.\n",
    ...definitions.flatMap(([name, node]) => section(name, node)),
  ].join("\n");
}

/** A section for a map, one for each kind of it, and those of the maps within it. */
function section(title: string, node: Node): string[] {
  if (node.anyOf !== undefined && node.properties === undefined) {
    return [
      `## ${title}\n`,
      ...node.anyOf.flatMap((kind) => {
        const [tag = ""] = kind.properties?.["does"]?.enum?.map(String) ?? [];
        return kind.properties === undefined
          ? [`${typeOf(kind)}\n`]
          : fieldList(`${title} \`${tag}\``, kind, "###");
      }),
    ];
  }
  return fieldList(title, node, "##");
}

function fieldList(
  title: string,
  { properties = {}, required = [], description }: Node,
  level: string,
): string[] {
  const fields = Object.entries(properties);
  const lines = fields.map(([name, field]) => {
    const shown = required.includes(name) ? `**\`${name}\`**` : `\`${name}\``;
    return `- ${shown}: ${typeOf(field)}. ${field.description ?? ""}`.trimEnd();
  });
  const within = fields.flatMap(([name, field]) => inner(`${title}: ${name}`, field));
  return [
    `${level} ${title}\n`,
    ...(description ? [`${description}\n`] : []),
    ...lines,
    "",
    ...within,
  ];
}

/** Maps that have no name of their own: in a field, or in the list that it is. */
function inner(title: string, node: Node): string[] {
  const one = node.items ?? node;
  const own = one.properties === undefined ? (one.anyOf ?? []).find(isMap) : one;
  return own?.properties === undefined
    ? []
    : fieldList(title, { ...own, description: undefined }, "###");
}

const isMap = ({ properties }: Node): boolean => properties !== undefined;

const plural = (least: number, most: number | undefined): string =>
  most === undefined ? "" : ` (${least > 0 ? `${least} … ` : "up to "}${most})`;

function typeOf(node: Node): string {
  const { $ref, anyOf, type, items, minItems = 0, maxItems } = node;
  if ($ref !== undefined) return linked($ref.split("/").at(-1) ?? "");
  if (node.enum !== undefined) return valuesOf(node.enum);
  if (node.const !== undefined) return `\`${String(node.const)}\``;
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(", or ");
  switch (type) {
    case "array":
      return `list of ${items === undefined ? "anything" : typeOf(items)}${plural(minItems, maxItems)}`;
    case "object":
      return mapOf(node);
    case "string":
      return textOf(node);
    case "integer":
      return `whole number ${bounds(node)}`;
    case "number":
      return `number ${bounds(node)}`.trimEnd();
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    default:
      return "any JSON";
  }
}

const bounds = ({ minimum, maximum }: Node): string =>
  minimum === undefined && maximum === undefined ? "" : `${minimum ?? "…"} … ${maximum ?? ""}`;

const linked = (name: string): string => `[${name}](#${name.toLowerCase()})`;

const valuesOf = (values: readonly unknown[]): string =>
  values.length > FEW
    ? `one of ${values.length} names, such as \`${String(values[0])}\``
    : values.map((value) => `\`${String(value)}\``).join(" or ");

function mapOf({ properties, additionalProperties, patternProperties = {} }: Node): string {
  if (properties !== undefined) return "map, below";
  const [value] = Object.values(patternProperties);
  const other = typeof additionalProperties === "object" ? additionalProperties : value;
  return other === undefined ? "map" : `map from names or paths to ${typeOf(other)}`;
}

/** What the patterns of the schema mean, by what only they hold. */
const PATTERNS: readonly (readonly [part: string, says: string])[] = [
  ["^(?:end|ever)$", "`end`, `ever`, or a duration such as `90s`"],
  ["\\d{1,12}h", "duration such as `90s` or `1h30m`"],
  ["agentOS", "path below `/agentOS/`"],
  ["^\\d{4}-", "instant such as `2026-05-02T09:00:00Z`"],
  ["^[a-z][a-z0-9-]{0,30}$", "name of an agent: up to 31 of a-z, 0-9 and -"],
  ["^[a-z0-9][a-z0-9-]{0,59}$", "id: up to 60 of a-z, 0-9 and -"],
];

function textOf({ pattern, allOf = [], maxLength, minLength = 0 }: Node): string {
  const patterns = [pattern, ...allOf.map((one) => one.pattern)].filter((one) => one !== undefined);
  const known = PATTERNS.find(([part]) => patterns.some((one) => one.includes(part)));
  if (known !== undefined) return known[1];
  const limits = [maxLength, ...allOf.map((one) => one.maxLength)].filter(
    (one) => one !== undefined,
  );
  const least = Math.max(minLength, ...allOf.map((one) => one.minLength ?? 0));
  const most = limits.length === 0 ? undefined : Math.min(...limits);
  return `text${most === undefined ? "" : ` of ${least > 0 ? `${least} … ` : "up to "}${most} characters`}`;
}
