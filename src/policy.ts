/**
 * The policy tree: every number and switch of the modelled systems, composed from the parts.
 * `--set path=value`, a scenario's `policy:` and profiles override single leaves.
 */

import { attachedBy } from "./actors/attached.ts";
import {
  leavesOf,
  type Overrides,
  type Policy,
  type PolicyTree,
  type PolicyValue,
  valuesOf,
} from "./actors/policy.ts";
import type { Leaf, LeafTree } from "./machines/policyLeaf.ts";
import { parts } from "./parts.ts";

export type { Overrides, Policy, PolicyValue } from "./actors/policy.ts";
export { accepts, allowedBy } from "./actors/policy.ts";

/** Two parts may share a branch, never a leaf. */
const joined = (trees: readonly LeafTree[]): LeafTree => {
  const all: { [name: string]: Leaf | LeafTree } = {};
  for (const tree of trees) Object.assign(all, tree);
  return all;
};

export const policyTree = joined([
  ...parts.map(({ policy = {} }) => policy),
  ...parts.map(({ widened }) => widened?.(attachedBy(parts)) ?? {}),
]) as LeafTree & PolicyTree;

const inProfile = (name: string): Overrides =>
  Object.assign({}, ...parts.map(({ profiles = {} }) => profiles[name]));

const profileNames = new Set(parts.flatMap(({ profiles = {} }) => Object.keys(profiles)));

/** Named sets of overrides. `seed` is the defaults. */
export const profiles: { readonly [name: string]: Overrides } = {
  seed: {},
  ...Object.fromEntries([...profileNames].map((name) => [name, inProfile(name)])),
};

/** Every leaf by its path, in alphabetical order. */
export const policyLeaves = (): [string, Leaf][] => leavesOf(policyTree);

/** The whole tree with overrides by path. The caller has checked paths and values. Frozen. */
export const policyWith = (overrides: Overrides): Policy => valuesOf(policyTree, overrides);

/** Every leaf's value by its path: `policyWith` would make the same policy of these. */
export const policyValues = (policy: Policy): { readonly [path: string]: PolicyValue } =>
  Object.fromEntries(
    policyLeaves().map(([path]) => [
      path,
      path
        .split(".")
        .reduce<unknown>(
          (node, key) => (node as { readonly [name: string]: unknown })[key],
          policy,
        ) as PolicyValue,
    ]),
  );
