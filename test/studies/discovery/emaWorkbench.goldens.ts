// PRIM beside EMA Workbench's own, step by step, where Python has it.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { peelingTrajectory, quasiP } from "../../../src/studies/discovery/prim.ts";
import { uniforms } from "../statistics/testFunctions.ts";

const next = uniforms(11, "discovery");
const rows = Array.from({ length: 300 }, () => ({
  a: next(),
  b: next(),
  // A grid, of which a step takes a value whole.
  level: Math.floor(next() * 5),
  kind: ["calm", "odd", "wild"][Math.floor(next() * 3)] ?? "calm",
}));
const hits = rows.map(({ a, b, level, kind }) =>
  a + next() / 10 > 0.45 && b < 0.7 && level > 1 && kind !== "wild" ? 1 : 0,
);
const x = {
  a: rows.map(({ a }) => a),
  b: rows.map(({ b }) => b),
  level: rows.map(({ level }) => level),
  kind: rows.map(({ kind }) => kind),
};
const asked = spawnSync("python3", ["tools/emaWorkbench.py"], {
  input: JSON.stringify({ x, y: hits }),
  encoding: "utf8",
});

it("[ST202] where Python has EMA Workbench, asking it ends well", () => {
  expect(asked.stderr ?? "").not.toContain("Traceback");
});

describe.skipIf(asked.status !== 0)("(skipped where Python has no EMA Workbench)", () => {
  const cases = {
    columns: [
      { kind: "number", name: "a", values: x.a },
      { kind: "number", name: "b", values: x.b },
      { kind: "number", name: "level", values: x.level },
      { kind: "category", name: "kind", values: x.kind },
    ] as const,
    runs: rows.map(() => 1),
    hits,
  };

  it("[ST202] the boxes of the way, their figures and quasi-p-values are EMA Workbench's", () => {
    const theirs = JSON.parse(asked.stdout);
    const ours = peelingTrajectory(cases);

    expect(ours.length).toBe(theirs.limits.length);
    expect(ours.length).toBeGreaterThan(10);
    for (const [step, { box, ...figures }] of ours.entries()) {
      expect(figures.coverage).toBeCloseTo(theirs.coverage[step], 12);
      expect(figures.density).toBeCloseTo(theirs.density[step], 12);
      expect(figures.mass).toBeCloseTo(theirs.mass[step], 12);
      expect(figures.restricted).toHaveLength(theirs.restricted[step]);
      for (const limit of box) {
        const known = theirs.limits[step][limit.name];
        if (limit.kind === "category") expect(limit.kept).toEqual(known);
        else expect([limit.low, limit.high]).toEqual(known);
      }
    }
    const last = ours.at(-1);
    const found = quasiP(cases, last?.box ?? []);
    const known = theirs.qp.at(-1);
    expect(Object.keys(known)).toHaveLength(last?.restricted.length ?? 0);
    for (const at of last?.restricted ?? []) {
      const ps = known[last?.box[at]?.name ?? ""];
      // Theirs is −1 at an end that restricts nothing.
      expect(found[at]?.low ?? -1).toBeCloseTo(ps[0], 9);
      expect(found[at]?.high ?? -1).toBeCloseTo(ps[1], 9);
    }
  });
});
