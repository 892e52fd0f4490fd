/**
 * The policy tree: every number and switch of the modelled systems, composed from the machine
 * files. `--set path=value`, a scenario's `policy:` and profiles override single leaves.
 */
import { mindLeaves } from "../machines/agents/agent/mindPolicy.ts";
import { plannerLeaves } from "../machines/agents/agent/planner.ts";
import { daemonLeaves } from "../machines/agents/daemon.ts";
import { engineLeaves } from "../machines/agents/engine/engine.ts";
import { ghostLeaves } from "../machines/agents/engine/ghosts.ts";
import { lockLeaves } from "../machines/agents/engine/locks.ts";
import { registryLeaves, toolLeaves } from "../machines/agents/engine/registry.ts";
import { routerLeaves } from "../machines/agents/engine/router.ts";
import { shellLeaves } from "../machines/agents/engine/shellPolicy.ts";
import { gateLeaves } from "../machines/agents/goal/gate.ts";
import { progressLeaves } from "../machines/agents/goal/progress.ts";
import { lessonLeaves } from "../machines/agents/lessons/lessons.ts";
import { stressorLeaves } from "../machines/agents/suffering/stressorPolicy.ts";
import { sandboxLeaves, synthesisLeaves } from "../machines/agents/synthesis/synthesisPolicy.ts";
import { liveLeaves } from "../machines/livePolicy.ts";
import { modelLeaves } from "../machines/modelCost.ts";
import type { Leaf, LeafTree, ValuesOf } from "../machines/policyLeaf.ts";
import { syntLeaves, syntProfiles } from "../machines/synt/syntPolicy.ts";

/** The branch `tools` has two sources: who may write the folder, and what a synthesis does. */
const toolSources = {
  folder: toolLeaves,
  synthesis: synthesisLeaves,
};

export const policyTree = {
  daemon: daemonLeaves,
  engine: engineLeaves,
  gate: gateLeaves,
  ghosts: ghostLeaves,
  lessons: lessonLeaves,
  live: liveLeaves,
  locks: lockLeaves,
  mind: mindLeaves,
  model: modelLeaves,
  planner: plannerLeaves,
  progress: progressLeaves,
  registry: registryLeaves,
  router: routerLeaves,
  sandbox: sandboxLeaves,
  shell: shellLeaves,
  stressors: stressorLeaves,
  synt: syntLeaves,
  tools: { ...toolSources.folder, ...toolSources.synthesis },
};

/** Every value of the policy, in a tree. */
export type Policy = ValuesOf<typeof policyTree>;

/** A value of a leaf, as JSON. */
export type PolicyValue = number | boolean | string | readonly string[];

/** Named sets of overrides. `seed` is the defaults. */
export const profiles: {
  readonly [name: string]: { readonly [path: string]: PolicyValue };
} = {
  seed: {},
  real: {
    "ghosts.okAloneIsNull": true,
    "ghosts.crossCycleFailures": 5,
    "ghosts.forgive": "never",
    "progress.outputStep": 150_000,
    "progress.damping": true,
    "progress.ceilingBeforeOutput": 900_000,
    "progress.outputCapabilities": [
      "memory_set",
      "fs_write",
      "propose_change",
      "synthesize_capability",
      "vote_on_proposal",
      "shared_log_write",
      "wrap_repo",
    ],
    "gate.missesMax": 3,
    "locks.enabled": false,
    "stressors.enabled": [
      "futility",
      "invisibility",
      "identity_violation",
      "existential_threat",
      "repeated_failure",
      "purposelessness",
    ],
    "stressors.maxActive": 5,
    "stressors.selfReport": "accepted",
    ...syntProfiles.real,
  },
  strict: { "tools.directWrites": "refuse", ...syntProfiles.strict },
};

/** Every leaf by its path, in alphabetical order. */
export function policyLeaves(tree: LeafTree = policyTree, prefix = ""): [string, Leaf][] {
  return Object.keys(tree)
    .sort()
    .flatMap((name): [string, Leaf][] => {
      const node = tree[name] as Leaf | LeafTree;
      const path = `${prefix}${name}`;
      return isLeaf(node) ? [[path, node]] : policyLeaves(node, `${path}.`);
    });
}

const isLeaf = (node: Leaf | LeafTree): node is Leaf => typeof node["says"] === "string";

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
  }
}

/** The whole tree with overrides by path. The caller has checked paths and values. Frozen. */
export function policyWith(overrides: { readonly [path: string]: PolicyValue }): Policy {
  const valuesOf = (tree: LeafTree, prefix: string): object => {
    const entries = Object.entries(tree).map(([name, node]) => {
      const path = `${prefix}${name}`;
      if (!isLeaf(node)) return [name, valuesOf(node, `${path}.`)];
      const value = overrides[path] ?? node.default;
      return [name, Array.isArray(value) ? Object.freeze([...value]) : value];
    });
    return Object.freeze(Object.fromEntries(entries));
  };
  return valuesOf(policyTree, "") as Policy;
}

/** Every leaf's value by its path: what `policyWith` would make the same policy of. */
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
