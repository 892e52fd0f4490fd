// docs/studies-file.md against the decoder: each example is read, and no field is without one.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parts } from "../../../src/builtIn/parts.ts";
import { scenarioParts } from "../../../src/builtIn/scenarioParts.ts";
import { parseYaml } from "../../../src/edges/scenario/yamlText.ts";
import { parseStudy } from "../../../src/edges/studies/studyFile.ts";
import { promisedBy } from "../../../src/run/check/promises.ts";
import { REDUCTIONS } from "../../../src/studies/outcomes/outcome.ts";
import { studyJsonSchema } from "../../../tools/studyJsonSchema.ts";

const lists = { parts, scenarioParts, promised: await promisedBy(parts) };
const page = readFileSync("docs/studies-file.md", "utf8");
const examples = [...page.matchAll(/```yaml\n(.*?)```/gsu)].map(([, text = ""]) => text);

/** What an example takes the place of. */
const SMALL: Readonly<Record<string, string>> = {
  why: "w",
  scenario: "lock-feedback",
  factors: "{ locks.constrained: [.45, .65] }",
  design: "{ kind: grid }",
  replicates: "3",
  outcomes: "{ peak: { metric: load, reduce: max } }",
};

function whole(example: string): string {
  const own = [...example.matchAll(/^([a-z]+):/gimu)].map(([, key = ""]) => key);
  const rest = Object.entries(SMALL).filter(([key]) => !own.includes(key));
  return `${rest.map(([key, value]) => `${key}: ${value}\n`).join("")}${example}`;
}

test.each(examples.map((example) => [example.split("\n", 1)[0] ?? "", example]))(
  "[ST195] an example of the page is read: %s",
  (_, example) => {
    expect(parseStudy(lists, whole(example), "mine.yaml").why).not.toBe("");
  },
);

/** Keys of every map that the schema knows, but for paths of the policy. */
function fieldsOf(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (["Policy", "Factors", "Setting"].includes(key)) return [];
    return [...(key === "properties" ? Object.keys(value) : []), ...fieldsOf(value)];
  });
}

function keysOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [key, ...keysOf(one)]);
}

test("[ST195] every field has an example on the page, and so has every design and reduction", () => {
  const shown = examples.flatMap((example) => {
    const parsed = parseYaml(whole(example), "mine.yaml");
    return "problems" in parsed ? [] : keysOf(parsed.value);
  });
  const fields = new Set(fieldsOf(studyJsonSchema(lists)));
  const designs = examples.flatMap((one) => /kind: (\w+)/u.exec(one)?.[1] ?? []);

  expect(fields.size).toBeGreaterThan(50);
  expect([...fields].filter((field) => !shown.includes(field))).toEqual([]);
  expect(designs.toSorted()).toEqual([
    ...["frontier", "grid", "lhs", "morris", "oat"],
    ...["points", "random", "saltelli", "sobol"],
  ]);
  expect([...REDUCTIONS, "spiral"].filter((one) => !page.includes(`reduce: ${one}`))).toEqual([]);
});

test("[ST195] the table of fields has each field of a study and no other", () => {
  const [table = ""] = page.split("\n## ", 1);
  const told = [...table.matchAll(/^\| (`.*?`) \|/gmu)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`(\w+)`/gu)].map(([, name]) => name),
  );
  const schema = studyJsonSchema(lists) as { readonly properties: object };

  expect(told.toSorted()).toEqual(Object.keys(schema.properties).toSorted());
});
