// Which surrogate is told, and how the shares go along a factor.
import { describe, expect, it } from "vitest";
import type { Cases } from "../../../src/studies/discovery/cases.ts";
import { forestOf, type Row, type Value } from "../../../src/studies/discovery/forest.ts";
import { drawnPoints, processOf } from "../../../src/studies/discovery/process.ts";
import { surrogatesOf } from "../../../src/studies/discovery/surrogates.ts";
import { shapleyEffects } from "../../../src/studies/surrogate/shapleyEffects.ts";
import { toNineDigits, uniforms } from "../statistics/testFunctions.ts";

function drawn(count: number, share: (a: number, kind: string, idle: number) => number): Cases {
  const next = uniforms(5, "surrogates");
  const rows = Array.from({ length: count }, () => ({
    ...{ a: next(), idle: next(), kind: next() < 0.5 ? "calm" : "wild" },
  }));
  return {
    columns: [
      { kind: "number", name: "a", values: rows.map(({ a }) => 100 + 50 * a) },
      { kind: "number", name: "idle", values: rows.map(({ idle }) => idle) },
      { kind: "category", name: "kind", values: rows.map(({ kind }) => kind) },
    ],
    runs: rows.map(() => 10),
    hits: rows.map(({ a, kind, idle }) => 10 * share(a, kind, idle)),
  };
}

const smooth = (a: number, kind: string): number =>
  0.5 + 0.3 * Math.sin(5 * a) + (kind === "wild" ? 0.1 : 0);

it("[ST263, ST264] of one study a process tells this, as the goldens hold its fit to others' code", async () => {
  const found = processOf(drawn(24, smooth), 1)?.importance;

  await expect(toNineDigits(found)).toMatchFileSnapshot("process.txt");
});

describe("surrogates", () => {
  it("[ST264, ST265] what is smooth the process tells better, and a corner the forest: effects are of that one", () => {
    const cornered = drawn(80, (a, _, b) => (a > 0.5 && b > 0.5 ? 1 : 0));
    const [found, corner] = [drawn(80, smooth), cornered].map((cases) => surrogatesOf(cases, 1));
    const effects = (cases: Cases, of: { tell: (row: Row) => number } | null) => {
      const columns: readonly (readonly Value[])[] = cases.columns.map(({ values }) => values);
      return of && shapleyEffects(columns, of.tell, 1);
    };

    expect(Object.values(found?.shapley ?? {})).toEqual(
      effects(drawn(80, smooth), processOf(drawn(80, smooth), 1)),
    );
    expect(Object.values(corner?.shapley ?? {})).toEqual(effects(cornered, forestOf(cornered, 1)));

    expect(found?.better).toBe("process");
    expect(found?.process.explained).toBeGreaterThan(0.98);
    expect(corner?.better).toBe("forest");
    expect(found?.shapley?.["a"]).toBeGreaterThan(0.7);
    expect(found?.shapley?.["idle"]).toBeLessThan(0.01);
  });

  it("[ST264] limits hold the mean share along a factor", () => {
    const { columns, runs, hits } = drawn(80, smooth);
    const next = uniforms(6, "noise");
    const noisy = { columns, runs, hits: hits.map((one) => one + 2 * (next() - 0.5)) };
    const { factors = [] } = processOf(noisy, 1)?.importance ?? {};
    const wild = columns[2]?.values.filter((kind) => kind === "wild").length ?? 0;
    const held = factors[0]?.held ?? [];

    expect(held).toHaveLength(9);
    const holding = held.filter(({ value, low, high }) => {
      const truth = smooth((Number(value) - 100) / 50, "calm") + (0.1 * wild) / 80;
      return low < truth && truth < high;
    });
    // Of twenty such limits one misses.
    expect(holding.length).toBeGreaterThanOrEqual(8);
    for (const { low, high } of held) expect(high - low).toBeLessThan(0.12);
    expect(factors[2]?.held.map(({ value }) => value)).toEqual(["calm", "wild"]);
  });

  it("[ST263] of more than 300 points a process takes 300 that are drawn", () => {
    const drawn = drawnPoints(600, 1);

    expect([299, 300, 301].map((count) => drawnPoints(count, 1).length)).toEqual([299, 300, 300]);
    expect(new Set(drawn).size).toBe(300);
    // Of the later half about as many as of the first.
    expect(Math.abs(drawn.filter((point) => point >= 300).length - 150)).toBeLessThan(50);
  });

  it("[ST263] is the same each time, foretells nothing of chance, and needs points that differ", () => {
    const next = uniforms(7, "chance");
    const chance = drawn(40, () => next());

    expect(processOf(chance, 1)?.importance).toEqual(processOf(chance, 1)?.importance);
    expect(processOf(chance, 1)?.importance.explained).toBeLessThan(0.1);
    expect(
      processOf(
        drawn(40, () => 0.5),
        1,
      ),
    ).toBeNull();
    expect(processOf(drawn(7, smooth), 1)).toBeNull();
  });
});
