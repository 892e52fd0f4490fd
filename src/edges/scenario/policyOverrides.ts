/**
 * Overrides of the policy tree as people write them: `--set path=value` and a scenario's `policy`.
 */

import type { Part } from "../../contract/part.ts";
import { accepts, type PolicyValue, policyLeaves } from "../../contract/policyTree.ts";
import { onceFor } from "../../machines/onceFor.ts";
import { isList, type Leaf } from "../../machines/policyLeaf.ts";
import { BadInput, badInput, hintFor, type Problem, quoted, refuse } from "../errors.ts";
import type { Meant } from "./finding.ts";
import { allowedFor, foundValue, inUnits, shownValue } from "./leafValue.ts";
import { type Part as Place, parseYaml } from "./yamlText.ts";

const TODO = "`ghostlight policy` prints every path with what it allows.";

/** What is wrong with one override: its path (the key) or its value. */
export interface OverrideFault {
  readonly part: Place;
  readonly found: string;
  readonly allowed: string;
  readonly meant?: Meant;
}

/** The value a leaf takes for what was written, or why it takes none. */
export function checkedOverride(
  parts: readonly Part[],
  path: string,
  written: unknown,
): { readonly value: PolicyValue } | OverrideFault {
  const leaf = leavesOf(parts).get(path);
  if (leaf === undefined) {
    const allowed = "a path of the policy tree";
    const meant = { word: path, names: [...leavesOf(parts).keys()] };
    return { part: "key", found: quoted(path), allowed, meant };
  }
  const value = inUnits(leaf, written);
  if (accepts(leaf, value)) return { value };
  const found = foundValue(written);
  const fault = { part: "value", found, allowed: allowedFor(leaf, written) } as const;
  if (typeof written !== "string" || leaf.kind !== "choice") return fault;
  return { ...fault, meant: { word: written, names: leaf.options } };
}

/** `--set path=value`. Throws BadInput when the text, its path or its value is wrong. */
export function parseOverride(
  parts: readonly Part[],
  text: string,
): [path: string, value: PolicyValue] {
  const equals = text.indexOf("=");
  const path = text.slice(0, equals).trim();
  if (equals < 1 || path === "") {
    const allowed = "path=value, such as router.kind=embedding";
    throw badInput("--set", quoted(text), allowed, TODO);
  }
  const written = text.slice(equals + 1).trim();
  const checked = checkedOverride(parts, path, valueFor(leavesOf(parts).get(path), written));
  if ("value" in checked) return [path, checked.value];
  throw refusal(path, checked);
}

/** Overrides by path, from a bundle or a program. Throws BadInput naming every wrong one. */
export function checkOverrides(
  parts: readonly Part[],
  overrides: { readonly [path: string]: unknown },
): {
  readonly [path: string]: PolicyValue;
} {
  const faults: Problem[] = [];
  const values: [string, PolicyValue][] = [];
  for (const [path, written] of Object.entries(overrides)) {
    const checked = checkedOverride(parts, path, written);
    if ("value" in checked) values.push([path, checked.value]);
    else faults.push(problemOf(path, checked));
  }
  refuse(faults, TODO);
  return Object.fromEntries(values);
}

/** `locks.constrained = 550000 millionths (0.55)`, a line for each override of a leaf. */
export const shownOverrides = (
  parts: readonly Part[],
  overrides: { readonly [path: string]: PolicyValue },
): string[] =>
  Object.entries(overrides).flatMap(([path, value]) => {
    const leaf = leavesOf(parts).get(path);
    return leaf === undefined ? [] : [`${path} = ${shownValue(leaf, value)}`];
  });

const problemOf = (path: string, { found, allowed, meant }: OverrideFault): Problem => ({
  where: { path },
  found,
  allowed,
  ...(meant && hintFor(meant.word, meant.names)),
});

function refusal(path: string, fault: OverrideFault): BadInput {
  const { where, ...rest } = problemOf(fault.part === "key" ? "" : ` ${path}`, fault);
  return new BadInput({ where: { path: `--set${where.path}` }, ...rest, todo: TODO });
}

/** Built at the first use: most commands override nothing. */
const leavesOf = onceFor(
  (parts: readonly Part[]): ReadonlyMap<string, Leaf> => new Map(policyLeaves(parts)),
);

/** A scalar or list of YAML 1.2 core. A choice is taken as written; `a,b` is a list for a subset. */
function valueFor(leaf: Leaf | undefined, written: string): unknown {
  if (leaf?.kind === "choice" && leaf.options.includes(written)) return written;
  const parsed = parseYaml(written, "--set", () => true);
  if ("problems" in parsed) return written;
  const { value } = parsed;
  if (leaf !== undefined && isList(leaf) && typeof value === "string") {
    return value.split(",").map((item) => item.trim());
  }
  return value;
}
