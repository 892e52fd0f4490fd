/** What an Effect Schema found wrong with a value, in the words of our errors. */

import type * as SchemaAST from "effect/SchemaAST";
import type * as SchemaIssue from "effect/SchemaIssue";
import { isMap } from "../../machines/isMap.ts";
import type { Json } from "../../machines/letter.ts";
import { nearest } from "../../machines/nearest.ts";
import { quoted } from "../errors.ts";
import type { Finding } from "./finding.ts";
import type { Path } from "./yamlText.ts";

/** One finding for each place. `value` is what was decoded, with input reporting off. */
export function findingsOf(issue: SchemaIssue.Issue, value: Json): Finding[] {
  const found = walk(issue, value, []);
  const slips = new Set(found.flatMap(slipOf));
  const seen = new Set<string>();
  return found.filter(({ path }) => {
    const place = JSON.stringify(path);
    return !slips.has(place) && !seen.has(place) && seen.add(place);
  });
}

/** The place of the key that an unexpected one stands for: not a second problem if it is missing. */
function slipOf({ path, part, meant }: Finding): string[] {
  const name = part === "key" && meant ? nearest(meant.word, meant.names) : undefined;
  return name === undefined ? [] : [JSON.stringify([...path.slice(0, -1), name])];
}

function walk(issue: SchemaIssue.Issue, root: Json, path: Path, ast?: SchemaAST.AST): Finding[] {
  switch (issue._tag) {
    case "Pointer":
      return walk(issue.issue, root, [...path, ...(issue.path as Path)], ast);
    case "Composite":
      return issue.issues.flatMap((inner) => walk(inner, root, path, issue.ast));
    case "Encoding":
      return walk(issue.issue, root, path, issue.ast);
    case "Filter":
      return [wrong(root, path, expectedOf(issue.filter.annotations) ?? describe(ast))];
    case "AnyOf":
      return issue.issues.length > 0
        ? issue.issues.flatMap((inner) => walk(inner, root, path, issue.ast))
        : [unmatched(issue.ast, root, path)];
    case "UnexpectedKey":
      return [unexpected(issue.ast, path)];
    case "MissingKey":
      return [missing(path, fieldOf(ast, path))];
    case "InvalidType":
    case "OneOf":
      return [wrong(root, path, describe(issue.ast))];
    case "InvalidValue":
    case "Forbidden":
      return [wrong(root, path, describe(ast))];
  }
}

function wrong(root: Json, path: Path, allowed: string): Finding {
  const value = at(root, path);
  const place = unquotedPlace(value);
  if (place === undefined) return { path, found: foundIn(value), allowed };
  const quote = `a text that begins with { must be quoted: "${place}"`;
  return { path, found: `${place}, which YAML reads as a map`, allowed: `${allowed}; ${quote}` };
}

/** `{n}` of `text: {n}`, which somebody meant as a text. */
export function unquotedPlace(value: Json | undefined): string | undefined {
  const [[name, nothing] = [], ...more] = isMap(value) ? Object.entries(value) : [];
  const isPlace = nothing === null && more.length === 0 && /^[a-z]{1,30}$/.test(name ?? "");
  return isPlace ? `{${name}}` : undefined;
}

const missing = (path: Path, allowed: string): Finding => ({
  path,
  found: "nothing, but it is required",
  allowed,
});

/** What the last field of the path takes, in words. `ast` is of the map around it. */
function fieldOf(ast: SchemaAST.AST | undefined, path: Path): string {
  const fields = ast?._tag === "Objects" ? ast.propertySignatures : [];
  return describe(fields.find(({ name }) => name === path.at(-1))?.type);
}

function unexpected(ast: SchemaAST.AST, path: Path): Finding {
  const key = String(path.at(-1));
  const found = `the key ${quoted(key)}`;
  if (ast._tag !== "Objects") return { path, part: "key", found, allowed: "" };
  const names = ast.propertySignatures.map(({ name }) => String(name));
  const allowed =
    names.length > 0
      ? names.join(", ")
      : ast.indexSignatures.map(({ parameter }) => describe(parameter)).join(" or ");
  return { path, part: "key", found, allowed, meant: { word: key, names } };
}

/** A union none of whose members even began to fit: for maps, the tag is wrong or missing. */
function unmatched(ast: SchemaAST.Union, root: Json, path: Path): Finding {
  const value = at(root, path);
  const tag = tagOf(ast);
  if (tag === undefined || !isMap(value)) return wrong(root, path, describe(ast));
  const own = [...path, tag.name];
  const given = value[tag.name];
  if (given === undefined) return missing(own, tag.values.join(" | "));
  const meant = { word: typeof given === "string" ? given : "", names: tag.values };
  return { path: own, found: foundIn(given), allowed: tag.values.join(" | "), meant };
}

/** The field that tells the members of a union of maps apart, and its values. */
function tagOf({ types }: SchemaAST.Union): { name: string; values: string[] } | undefined {
  const tags = types.flatMap((type) =>
    type._tag === "Objects"
      ? type.propertySignatures.flatMap(({ name, type: field }) =>
          field._tag === "Literal" ? [{ name: String(name), value: String(field.literal) }] : [],
        )
      : [],
  );
  const name = tags[0]?.name;
  if (name === undefined || tags.length !== types.length) return undefined;
  return { name, values: tags.map(({ value }) => value) };
}

function describe(ast: SchemaAST.AST | undefined): string {
  if (ast === undefined) return "another value";
  const own = expectedOf(ast.checks?.at(-1)?.annotations) ?? expectedOf(ast.annotations);
  if (own !== undefined) return own;
  switch (ast._tag) {
    case "Literal":
      return quoted(ast.literal);
    case "Union":
      return ast.types.map(describe).join(" | ");
    case "String":
      return "a text";
    case "Number":
      return "a number";
    case "Boolean":
      return "true | false";
    case "Arrays":
      return "a list";
    case "Objects":
      return "a map";
    default:
      return "another value";
  }
}

function expectedOf(annotations: { readonly expected?: unknown } | undefined): string | undefined {
  const expected = annotations?.expected;
  return typeof expected === "string" ? expected : undefined;
}

/** A value in words: texts and numbers as they are, the rest by kind and size. */
function foundIn(value: Json | undefined): string {
  if (value === undefined || value === null) return "nothing";
  if (isList(value))
    return value.length === 0 ? "an empty list" : `a list of ${value.length} items`;
  if (isMap(value)) return `a map with ${Object.keys(value).length} keys`;
  if (typeof value === "string" && value.length > 200)
    return `a text of ${value.length} characters`;
  return quoted(value);
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function at(root: Json, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) {
    if (isMap(value)) value = Object.hasOwn(value, step) ? value[step] : undefined;
    else value = Array.isArray(value) ? (value as readonly Json[])[Number(step)] : undefined;
  }
  return value;
}
