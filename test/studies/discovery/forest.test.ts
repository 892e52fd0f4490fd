// How much each factor matters, by a random forest.
import { describe, expect, it } from "vitest";
import type { Cases } from "../../../src/studies/discovery/cases.ts";
import { forestOf } from "../../../src/studies/discovery/forest.ts";
import { toNineDigits, uniforms } from "../statistics/testFunctions.ts";

const importanceOf = (cases: Cases, seed: number) => forestOf(cases, seed)?.importance ?? null;

/** Points of three numbers and a kind, and the share of ten runs that each has. */
function drawn(count: number, share: (a: number, b: number, kind: string) => number): Cases {
  const next = uniforms(2, "forest");
  const rows = Array.from({ length: count }, () => ({
    ...{ a: next(), b: next(), idle: next() },
    kind: next() < 0.5 ? "calm" : "wild",
  }));
  const number = (name: "a" | "b" | "idle") => ({
    ...{ kind: "number" as const, name },
    values: rows.map((row) => row[name]),
  });
  return {
    columns: [
      ...[number("a"), number("b"), number("idle")],
      { kind: "category", name: "kind", values: rows.map(({ kind }) => kind) },
    ],
    runs: rows.map(() => 10),
    hits: rows.map(({ a, b, kind }) => 10 * share(a, b, kind)),
  };
}

it("[ST237, ST238] of one study the whole answer is this, as the goldens hold it to others' code", async () => {
  const found = importanceOf(
    drawn(30, (a, b, kind) => (kind === "wild" ? 0.3 : 0) + 0.6 * a + 0.1 * b),
    1,
  );

  await expect(toNineDigits(found)).toMatchFileSnapshot("importance.txt");
});

describe("importance", () => {
  it("[ST237] tells factors that matter from those that do not, numbers and kinds alike", () => {
    const found = importanceOf(
      drawn(120, (a, b, kind) => (kind === "wild" ? 0.3 : 0) + 0.6 * a + 0.1 * b),
      1,
    );
    const [a, b, idle, kind] = found?.factors ?? [];

    expect(found?.explained).toBeGreaterThan(0.8);
    expect(a?.importance).toBeGreaterThan(kind?.importance ?? 9);
    expect(kind?.importance).toBeGreaterThan(0.2);
    expect(b?.importance).toBeLessThan(0.1);
    expect(Math.abs(idle?.importance ?? 9)).toBeLessThan(0.03);
  });

  it("[ST237] foretells nothing of what is chance, and says so by a share at or below 0", () => {
    const next = uniforms(3, "chance");
    const chance = importanceOf(
      drawn(60, () => next()),
      1,
    );

    expect(chance?.explained).toBeLessThan(0.1);
    expect(
      importanceOf(
        drawn(60, () => 0.5),
        1,
      ),
    ).toBeNull();
  });

  it("[ST238] says the share along a factor, between which nineteen of twenty trees lie", () => {
    const found = importanceOf(
      drawn(120, (a, b) => (a > 0.5 ? 0.8 : 0.1) + 0.1 * b),
      1,
    );
    const held = found?.factors[0]?.held ?? [];
    const [first, last] = [held[0], held.at(-1)];

    expect(held).toHaveLength(9);
    expect(first?.share).toBeCloseTo(0.15, 1);
    expect(last?.share).toBeCloseTo(0.85, 1);
    for (const { low, high } of held) expect(high - low).toBeGreaterThan(0);
    expect(first?.high).toBeLessThan(last?.low ?? 0);
    expect(found?.factors[3]?.held.map(({ value }) => value)).toEqual(["calm", "wild"]);
  });

  it("[ST237] is the same each time, of one seed", () => {
    const cases = drawn(40, (a) => a);

    expect(importanceOf(cases, 5)).toEqual(importanceOf(cases, 5));
    expect(importanceOf(cases, 5)).not.toEqual(importanceOf(cases, 6));
  });
});
