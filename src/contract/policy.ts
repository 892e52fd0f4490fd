/**
 * The values of a policy tree: its overrides, what each leaf allows, and what a machine reads. Which
 * leaves there are is for the parts to say.
 */
import { FOLDER_PATTERN, type Leaf, type LeafTree, type ValuesOf } from "../machines/policyLeaf.ts";

/** The branches of the tree. Each part adds its own by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface PolicyTree {}

/** Every value of the policy, in a tree. */
export type Policy = ValuesOf<PolicyTree>;

/** A value of a leaf, as JSON. */
export type PolicyValue = number | boolean | string | readonly string[];

export interface Overrides {
  readonly [path: string]: PolicyValue;
}

/** Every leaf of a tree by its path, in alphabetical order. */
export function leavesOf(tree: LeafTree, prefix = ""): [string, Leaf][] {
  return Object.keys(tree)
    .sort()
    .flatMap((name): [string, Leaf][] => {
      const node = tree[name] as Leaf | LeafTree;
      const path = `${prefix}${name}`;
      return isLeaf(node) ? [[path, node]] : leavesOf(node, `${path}.`);
    });
}

const isLeaf = (node: Leaf | LeafTree): node is Leaf => typeof node["says"] === "string";

const FOLDERS_MAX = 20;

/** What a leaf allows, in words: `1 … 1000 failures`, `stub | refuse`. */
export function allowedBy(leaf: Leaf): string {
  switch (leaf.kind) {
    case "integer":
      return `a whole number ${leaf.min} … ${leaf.max} (${leaf.unit})`;
    case "flag":
      return "true | false";
    case "choice":
      return leaf.options.join(" | ");
    case "subset":
      return `a list of any of ${leaf.options.join(", ")}`;
    case "folders":
      return `a list of up to ${FOLDERS_MAX} absolute paths of folders such as /data, beyond /agentOS and the system's own`;
  }
}

/** Whether a leaf takes a value. */
export function accepts(leaf: Leaf, value: unknown): value is PolicyValue {
  switch (leaf.kind) {
    case "integer":
      return Number.isSafeInteger(value) && Number(value) >= leaf.min && Number(value) <= leaf.max;
    case "flag":
      return typeof value === "boolean";
    case "choice":
      return typeof value === "string" && leaf.options.includes(value);
    case "subset":
      return (
        Array.isArray(value) &&
        new Set(value).size === value.length &&
        value.every((item) => leaf.options.includes(item))
      );
    case "folders":
      return (
        Array.isArray(value) &&
        value.length <= FOLDERS_MAX &&
        new Set(value).size === value.length &&
        value.every((item) => typeof item === "string" && FOLDER_PATTERN.test(item))
      );
  }
}

/** The values of a tree with overrides by path. The caller has checked paths and values. Frozen. */
export function valuesOf<T extends LeafTree>(tree: T, overrides: Overrides): ValuesOf<T> {
  const below = (branch: LeafTree, prefix: string): object => {
    const entries = Object.entries(branch).map(([name, node]) => {
      const path = `${prefix}${name}`;
      if (!isLeaf(node)) return [name, below(node, `${path}.`)];
      const value = overrides[path] ?? node.default;
      return [name, Array.isArray(value) ? Object.freeze([...value]) : value];
    });
    return Object.freeze(Object.fromEntries(entries));
  };
  return below(tree, "") as ValuesOf<T>;
}
