// The tree beside scikit-learn's own, where Python has it.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { treeOf } from "../../../src/studies/discovery/cart.ts";
import { forestOf } from "../../../src/studies/discovery/forest.ts";
import { uniforms } from "../statistics/testFunctions.ts";

const next = uniforms(12, "tree");
// In 1,024ths, as scikit-learn holds values in single precision.
const x = Array.from({ length: 400 }, () => [0, 1, 2].map(() => Math.floor(next() * 1024) / 1024));
const y = x.map(([a = 0, b = 0, c = 0]) => (a + next() / 5 > 0.6 && (b < 0.5 || c > 0.7) ? 1 : 0));
const shares = x.map(([a = 0, b = 0]) => (a > b ? a : b * b) * 0.8 + next() / 5);
const asked = spawnSync("python3", ["tools/besideTree.py"], {
  input: JSON.stringify({ x, y, shares, leaves: 8, least: 20 }),
  encoding: "utf8",
});

describe.skipIf(asked.status !== 0)("(skipped where Python has no scikit-learn)", () => {
  const columns = ["a", "b", "c"].map((name, at) => ({
    ...{ kind: "number" as const, name },
    values: x.map((row) => row[at] ?? 0),
  }));

  it("[ST237] explains out of bag what its forests do, within what they differ by", () => {
    const known: number[] = JSON.parse(asked.stdout).explained;
    const found = [1, 2, 3].map(
      (seed) =>
        forestOf({ columns, runs: y.map(() => 1), hits: shares }, seed)?.importance.explained ?? 0,
    );
    const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;

    expect(mean(known)).toBeGreaterThan(0.5);
    expect(Math.abs(mean(found) - mean(known))).toBeLessThan(0.01);
  });

  it("[ST205] has the runs and hits of each leaf of scikit-learn's tree of as many leaves", () => {
    const leaves = treeOf({ columns, runs: y.map(() => 1), hits: y });
    const ours = leaves.map(({ runs, hits }) => [runs, hits]);

    expect(ours.sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d)).toEqual(
      JSON.parse(asked.stdout).leaves,
    );
  });
});
