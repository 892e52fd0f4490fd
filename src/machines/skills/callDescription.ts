/**
 * How a skill is shown to a model, and how a model must not call it. Source: seed 001, tool description hardening; ruling
 * K13: exactly three wraps are forbidden.
 */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";

export interface ShownSkill {
  readonly name: string;
  readonly description: string;
  readonly parametersSchema: Json;
}

export type Wrap = "python -c" | "import" | "python3 acquired_skills";

/** The name alone, without an example and without a word on wraps: before the hardening of 2026-04-24. */
export const plainDescription = ({ name, description }: ShownSkill): string =>
  `${name}: ${description}`;

export const callDescription = (skill: ShownSkill, broken?: string): string =>
  [
    `[ACQUIRED SKILL — CALL BY NAME] ${skill.description}`,
    `USAGE: ${skill.name} is a top-level capability. Call it directly: ${exampleOf(skill)}`,
    `Do NOT wrap it: ${forbiddenWraps(skill.name).join(", ")} will not find it.`,
    ...(broken === undefined ? [] : [`LISTED AS BROKEN: ${broken}`]),
  ].join("\n");

const forbiddenWraps = (name: string): readonly string[] => [
  "`python -c`",
  `\`import ${name}\``,
  `\`python3 acquired_skills/${name}.py\``,
];

function exampleOf({ name, parametersSchema }: ShownSkill): string {
  const schema = fieldsOf(parametersSchema);
  const { required } = schema;
  const all = Object.entries(fieldsOf(schema["properties"]));
  const needed = all.filter(([key]) => Array.isArray(required) && required.includes(key));
  const shown = needed.length > 0 ? needed : all;
  return `${name}(${shown.map(([key, about]) => `${key}=${exampleValue(about)}`).join(", ")})`;
}

const fieldsOf = (given: Json | undefined): { readonly [key: string]: Json } =>
  isMap(given) ? (given as { readonly [key: string]: Json }) : {};

const VALUES: { readonly [type: string]: string } = {
  string: '"…"',
  integer: "1",
  number: "1.5",
  boolean: "true",
  array: "[]",
  object: "{}",
};

function exampleValue(about: Json): string {
  const { default: usual, enum: options, type } = fieldsOf(about);
  const given = usual ?? (Array.isArray(options) ? options[0] : undefined);
  if (given !== undefined) return JSON.stringify(given);
  return (typeof type === "string" ? VALUES[type] : undefined) ?? '"…"';
}

export interface FoundWrap {
  readonly wrap: Wrap;
  readonly name: string;
}

/** The wrap in which a command or a program reaches for one of these skills; null when it does not. */
export function wrapOf(text: string, names: readonly string[]): FoundWrap | null {
  const words = new Set(text.match(/[A-Za-z_]\w*/g));
  for (const name of names.filter((one) => words.has(one))) {
    const wrap = WRAPS.find(({ of }) => of(name).test(text))?.wrap;
    if (wrap !== undefined) return { wrap, name };
  }
  return null;
}

const WRAPS: readonly { readonly wrap: Wrap; readonly of: (name: string) => RegExp }[] = [
  {
    wrap: "python3 acquired_skills",
    of: (name) => new RegExp(`\\bpython[\\d.]*\\s+\\S*acquired_skills/${name}\\.py\\b`),
  },
  {
    wrap: "python -c",
    of: (name) => new RegExp(`\\bpython[\\d.]*\\s+-c\\b[\\s\\S]*\\b${name}\\b`),
  },
  {
    wrap: "import",
    of: (name) =>
      new RegExp(
        `\\bimport\\s+(?:[\\w.]+\\s*,\\s*)*(?:\\w+\\.)*${name}\\b|\\bfrom\\s+(?:\\w+\\.)*${name}\\s+import\\b`,
      ),
  },
];
