// The switches of content, artifacts, revisions and enforcement. SPEC: "Installing agents (seed 003)".
import { describe, expect, it } from "vitest";
import { bookLeaves, bookReal } from "../../../src/machines/installs/bookPolicy.ts";
import { execFingerprint } from "../../../src/machines/installs/detection/execScan.ts";
import type { Leaf, LeafTree } from "../../../src/machines/policyLeaf.ts";

const isLeaf = (one: Leaf | LeafTree): one is Leaf => typeof one["kind"] === "string";

const leaves = (tree: LeafTree, path: string): readonly (readonly [string, Leaf])[] =>
  Object.entries(tree).flatMap(([name, one]) =>
    isLeaf(one) ? [[`${path}.${name}`, one] as const] : leaves(one, `${path}.${name}`),
  );

describe("profile real", () => {
  it("[INS69] sets every leaf whose source names the real system's value to that value, and no other", () => {
    const named = leaves(bookLeaves, "installs").flatMap(([path, { source }]) => {
      const [, value] = /; (\S+) in the real system$/.exec(source) ?? [];
      return value === undefined ? [] : [[path, value] as const];
    });

    expect(named.length).toBeGreaterThan(5);
    expect(Object.fromEntries(named)).toEqual(
      Object.fromEntries(Object.entries(bookReal).map(([path, value]) => [path, String(value)])),
    );
  });

  it("[INS69] an approved run is known by its agent, its targets in their order, and its code", () => {
    const runs = [
      execFingerprint("a", ["x", "y"], "code"),
      execFingerprint("b", ["x", "y"], "code"),
      execFingerprint("a", ["x"], "code"),
      execFingerprint("a", ["x", "y"], "other"),
    ];

    expect(new Set(runs).size).toBe(4);
    expect(runs[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
