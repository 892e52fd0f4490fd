/**
 * The policy tree: every number and switch of the modelled systems, composed from the parts.
 * `--set path=value`, a scenario's `policy:` and profiles override single leaves.
 */

import { onceFor } from "../machines/onceFor.ts";
import type { Leaf, LeafTree } from "../machines/policyLeaf.ts";
import { attachedBy } from "./attached.ts";
import type { Part } from "./part.ts";
import {
  leavesOf,
  type Overrides,
  type Policy,
  type PolicyTree,
  type PolicyValue,
  valuesOf,
} from "./policy.ts";

export type { Overrides, Policy, PolicyValue } from "./policy.ts";
export { accepts, allowedBy } from "./policy.ts";

/** Two parts may share a branch, never a leaf. */
const joined = (trees: readonly LeafTree[]): LeafTree => {
  const all: { [name: string]: Leaf | LeafTree } = {};
  for (const tree of trees) Object.assign(all, tree);
  return all;
};

export const policyTree = onceFor(
  // Each part adds to the type the branches that it adds to the tree.
  (parts: readonly Part[]) =>
    joined([
      ...parts.map(({ policy = {} }) => policy),
      ...parts.map(({ widened }) => widened?.(attachedBy(parts)) ?? {}),
    ]) as LeafTree & PolicyTree,
);

const inProfile = (parts: readonly Part[], name: string): Overrides =>
  Object.assign({}, ...parts.map(({ profiles = {} }) => profiles[name]));

/** Named sets of overrides. `seed` is the defaults. */
export const profiles = onceFor(
  (parts: readonly Part[]): { readonly [name: string]: Overrides } => {
    const names = new Set(parts.flatMap(({ profiles: own = {} }) => Object.keys(own)));
    return {
      seed: {},
      ...Object.fromEntries([...names].map((name) => [name, inProfile(parts, name)])),
    };
  },
);

/** Every leaf by its path, in alphabetical order. */
export const policyLeaves = (parts: readonly Part[]): [string, Leaf][] =>
  leavesOf(policyTree(parts));

/** Ours: how many policies are kept; a study has a few, and `check` one for each world. */
const POLICIES_MAX = 50;

const policies = onceFor((_: readonly Part[]) => new Map<string, Policy>());

/**
 * The whole tree with overrides by path. The caller has checked paths and values. Frozen, and the same one for
 * the same overrides, so that runs share what is made of it.
 */
export function policyWith(parts: readonly Part[], overrides: Overrides): Policy {
  const known = policies(parts);
  const name = JSON.stringify(
    Object.entries(overrides).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  let policy = known.get(name);
  if (policy === undefined) {
    policy = valuesOf(policyTree(parts), overrides);
    if (known.size >= POLICIES_MAX) known.clear();
    known.set(name, policy);
  }
  return policy;
}

/** Every leaf's value by its path: `policyWith` would make the same policy of these. */
export const policyValues = (
  parts: readonly Part[],
  policy: Policy,
): { readonly [path: string]: PolicyValue } =>
  Object.fromEntries(
    policyLeaves(parts).map(([path]) => [
      path,
      path
        .split(".")
        .reduce<unknown>(
          (node, key) => (node as { readonly [name: string]: unknown })[key],
          policy,
        ) as PolicyValue,
    ]),
  );
