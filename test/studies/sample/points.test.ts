// The points of a study: factors, steps, constraints, and what is refused.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { naturalLog } from "../../../src/machines/naturalLog.ts";

import { keeps } from "../../../src/studies/sample/constraints.ts";
import { levelValue } from "../../../src/studies/sample/factorValues.ts";
import { type DesignPoints, pointsOf } from "../../../src/studies/sample/points.ts";
import type {
  Constraint,
  DrawnDesign,
  Factor,
  ListFactor,
  NumberFactor,
} from "../../../src/studies/study.ts";
import { SEED_MAX } from "../../../src/substrate/random.ts";

const number = (name: string, low: number, high: number, step = 1): NumberFactor => ({
  ...{ kind: "number", name, low, high, step, isLog: false },
});
const list = (name: string, values: ListFactor["values"], isOrdered = false): ListFactor => ({
  ...{ kind: "list", name, values, isOrdered },
});
const sum = (names: readonly string[], total: number): Constraint => ({
  ...{ weights: Object.fromEntries(names.map((name) => [name, 1])), least: total, most: total },
});

type Rest = readonly [constraints?: readonly Constraint[], seed?: number, baseline?: object];

function made(design: DrawnDesign, factors: readonly Factor[], ...rest: Rest): DesignPoints {
  const [constraints = [], seed = 1, baseline = {}] = rest;
  const points = pointsOf(design, factors, constraints, seed, { ...baseline });
  if ("refused" in points) throw new Error(points.refused);
  return points;
}

function refusal(design: DrawnDesign, factors: readonly Factor[], ...rest: Rest): string {
  const [constraints = [], seed = 1, baseline = {}] = rest;
  const points = pointsOf(design, factors, constraints, seed, { ...baseline });
  if ("refused" in points) return points.refused;
  throw new Error(`${points.points.length} points, and no refusal`);
}

const valuesOf = ({ points }: DesignPoints, name: string) =>
  points.map(({ values }) => values[name]);
/** The values of a row each, equal points among them. */
const drawnOf = ({ points, rows }: DesignPoints, name: string) =>
  rows.map((row) => points[row]?.values[name]);

const drawn = (points: number): DrawnDesign[] => [
  { kind: "random", points },
  { kind: "lhs", points },
  { kind: "sobol", points, isScrambled: true },
  { kind: "sobol", points, isScrambled: false },
];

const numberFactor = (name: string): fc.Arbitrary<NumberFactor> =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 1e9 }),
      fc.nat(1e9),
      fc.integer({ min: 1, max: 1e6 }),
      fc.boolean(),
    )
    .map(([low, more, step, isLog]) => ({ ...number(name, low, low + more, step), isLog }));

describe("values", () => {
  it("[ST129] of every design are within their bounds and on their steps", () => {
    const designs: DrawnDesign[] = [
      ...drawn(32),
      { kind: "morris", trajectories: 4, levels: 6 },
      { kind: "saltelli", rows: 8 },
      { kind: "grid", levels: 5 },
    ];
    fc.assert(
      fc.property(
        numberFactor("a"),
        numberFactor("b"),
        fc.constantFrom(...designs),
        fc.nat(SEED_MAX),
        (a, b, design, seed) => {
          const points = made(design, [a, b], [], seed);

          for (const factor of [a, b]) {
            for (const value of valuesOf(points, factor.name)) {
              expect(value).toBeGreaterThanOrEqual(factor.low);
              expect(value).toBeLessThanOrEqual(factor.high);
              expect((Number(value) - factor.low) % factor.step).toBe(0);
            }
          }
        },
      ),
    );
  });

  it("[ST129] hit each of 8 steps equally often, the last and the first as well", () => {
    for (const design of drawn(64)) {
      if (design.kind === "random") continue;
      const counts = Map.groupBy(drawnOf(made(design, [number("a", 10, 85, 10)]), "a"), (a) => a);

      expect([...counts].map(([value, { length }]) => [value, length]).sort()).toEqual(
        [10, 20, 30, 40, 50, 60, 70, 80].map((value) => [value, 8]),
      );
    }
  });

  it("[ST129] of a logarithmic factor are as likely as the step after them is wide in logarithms", () => {
    const factor = { ...number("a", 1, 999), isLog: true };
    const values = drawnOf(made({ kind: "lhs", points: 9999 }, [factor]), "a").map(Number);
    const share = (from: number, to: number) =>
      values.filter((value) => value >= from && value < to).length / values.length;

    expect(share(1, 10)).toBeCloseTo(1 / 3, 3);
    expect(share(10, 100)).toBeCloseTo(1 / 3, 3);
    expect(share(1, 2)).toBeCloseTo(naturalLog(2) / naturalLog(1000), 3);
    expect(share(999, 1000)).toBeLessThan(0.001);
  });

  it("[ST129] at a level are the nearest step, of a logarithmic factor by logarithms", () => {
    const at = (high: number, isLog: boolean) =>
      valuesOf(made({ kind: "grid", levels: 4 }, [{ ...number("a", 1, high), isLog }]), "a");

    // 4.33 and 7.67; 15^⅓ is 2.47, beyond the middle of 2 and 3 by logarithms alone.
    expect(at(11, false)).toEqual([1, 4, 8, 11]);
    expect(at(15, true)).toEqual([1, 3, 6, 15]);
  });

  it("[ST130] of a list are equally likely; levels take them by rank", () => {
    const word = list("word", ["red", "green", "blue"]);
    const counts = Map.groupBy(
      drawnOf(made({ kind: "lhs", points: 300 }, [word]), "word"),
      (w) => w,
    );

    expect([...counts.values()].map(({ length }) => length)).toEqual([100, 100, 100]);

    const ranked = list("size", [1, 10, 100, 1000], true);
    const levels = made({ kind: "morris", trajectories: 50, levels: 4 }, [ranked]);
    expect(new Set(valuesOf(levels, "size"))).toEqual(new Set([1, 10, 100, 1000]));
    expect(levels.notes).toContain("size is taken by rank: its first value is 0, its last is 1.");
    const places = [0, 0.24, 0.25, 0.5, 0.75, 1];
    expect(places.map((place) => levelValue(word, place))).toEqual([
      ...["red", "red", "green", "green", "blue", "blue"],
    ]);
  });
});

describe("designs", () => {
  it("[ST125] a grid is every combination, the last factor fastest", () => {
    const points = made({ kind: "grid", levels: 3 }, [
      number("a", 0, 100),
      list("b", [true, false]),
    ]);

    expect(points.points.map(({ values }) => [values["a"], values["b"]])).toEqual([
      [0, true],
      [0, false],
      [50, true],
      [50, false],
      [100, true],
      [100, false],
    ]);
  });

  it("[ST125] a number with fewer steps than levels has each once; one with logarithms is spread by them", () => {
    const points = (factor: Factor, levels: number) =>
      valuesOf(made({ kind: "grid", levels }, [factor]), factor.name);

    expect(points(number("a", 1, 3), 10)).toEqual([1, 2, 3]);
    expect(points({ ...number("a", 1, 1000), isLog: true }, 4)).toEqual([1, 10, 100, 1000]);
    expect(points(number("a", 5, 5), 3)).toEqual([5]);
    expect(points(number("a", 5, 9), 1)).toEqual([5]);
  });

  it("[ST125] what breaks a constraint is left out of a grid, and counted", () => {
    const factors = ["a", "b", "c"].map((name) => number(name, 0, 4));
    const points = made({ kind: "grid", levels: 5 }, factors, [sum(["a", "b", "c"], 4)]);

    expect(points.points.length).toBe(15);
    expect(points.rejected).toBe(110);
  });

  it("[ST126] one at a time: the baseline, then each value of each factor beside it", () => {
    const factors = [number("a", 0, 10), list("b", ["x", "y"])];
    const points = made({ kind: "oat", levels: 2 }, factors, [], 1, { a: 3, b: "x" });

    expect(points.points.map(({ values }) => values)).toEqual([
      { a: 3, b: "x" },
      { a: 0, b: "x" },
      { a: 10, b: "x" },
      { a: 3, b: "y" },
    ]);
    // The value that the baseline has is the baseline.
    expect(points.rows).toEqual([0, 1, 2, 0, 3]);
    expect(refusal({ kind: "oat", levels: 2 }, factors, [], 1, { a: 3 })).toBe(
      "The design oat starts from the baseline, which has no value of b. Name one under `baseline`.",
    );
  });

  it("[ST135] equal points are one, and rows say which each is", () => {
    const points = made({ kind: "saltelli", rows: 16 }, [
      list("a", [1, 2], true),
      list("b", [1, 2], true),
    ]);

    expect(points.points.length).toBe(4);
    expect(points.points.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(points.rows.length).toBe(16 * 6);
    expect(points.notes).toEqual([
      "92 of the 96 points of the design equal others and run once with them.",
    ]);
  });

  it("[ST136] explicit points are taken as they are, and one that cannot be is named", () => {
    const factors = [number("a", 0, 10), number("b", 0, 10)];
    const given = (...points: { a: number; b?: number }[]): DrawnDesign => ({
      kind: "points",
      points,
    });

    expect(made(given({ a: 7, b: 1 }, { a: 2, b: 1 }), factors)).toMatchObject({
      ...{ points: [{ values: { a: 7, b: 1 } }, { values: { a: 2, b: 1 } }], rows: [0, 1] },
    });
    expect(refusal(given({ a: 7, b: 1 }, { a: 2 }), factors)).toBe(
      "Point 2 has no value of b. Give each point a value of every factor.",
    );
    expect(refusal(given({ a: 7, b: 1 }), factors, [sum(["a", "b"], 9)])).toBe(
      "Point 1 breaks `a + b = 9`. Change the point or the constraint.",
    );
    const below: Constraint = { weights: { a: 1 }, least: null, most: 7 };
    expect(refusal(given({ a: 7, b: 1 }), factors, [below, sum(["a", "b"], 9)])).toContain(
      "Point 1 breaks `a + b = 9`.",
    );
  });

  it("[ST124] the same study has the same points, and another seed others", () => {
    for (const design of [...drawn(16).slice(0, 3), { kind: "saltelli", rows: 4 } as const]) {
      const points = (seed: number) => made(design, [number("a", 0, 1e6)], [], seed);

      expect(points(3)).toEqual(points(3));
      expect(points(3).points).not.toEqual(points(4).points);
    }
  });
});

describe("constraints", () => {
  it("[ST132] weights that sum to a share do so exactly, by any drawn design, each within its bounds", () => {
    const step = fc.constantFrom(1, 10_000, 50_000);
    const weights = fc
      .integer({ min: 1, max: 6 })
      .chain((count) =>
        fc.tuple(
          fc.array(fc.tuple(fc.nat(6), fc.nat(12)), { minLength: count, maxLength: count }),
          step,
          fc.nat(1000),
        ),
      );
    fc.assert(
      fc.property(weights, fc.nat(3), fc.nat(SEED_MAX), ([bounds, by, at], kind, seed) => {
        const factors = bounds.map(([low, more], index) =>
          number(`w${index}`, low * 50_000, (low + more) * 50_000, by),
        );
        const lows = factors.reduce((total, { low }) => total + low, 0);
        const highs = factors.reduce((total, { high }) => total + high, 0);
        const total = lows + Math.floor((((highs - lows) / by) * at) / 1000) * by;
        const others = [number("other", 0, 9)];
        const names = factors.map(({ name }) => name);
        const design = drawn(16)[kind] as DrawnDesign;
        const points = made(design, [...factors, ...others], [sum(names, total)], seed);

        expect(points.rejected).toBe(0);
        for (const { values } of points.points) {
          expect(names.reduce((all, name) => all + Number(values[name]), 0)).toBe(total);
          for (const { name, low, high, step } of factors) {
            const value = Number(values[name]);
            expect(value >= low && value <= high && (value - low) % step === 0).toBe(true);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("[ST132] each weight is as large as any other on average, and a note says how the sum is kept", () => {
    const names = ["a", "b", "c"];
    const factors = names.map((name) => number(name, 0, 900_000));
    const points = made({ kind: "sobol", points: 1024, isScrambled: true }, factors, [
      sum(names, 900_000),
    ]);

    for (const name of names) {
      const mean = drawnOf(points, name).reduce<number>((all, one) => all + Number(one), 0) / 1024;
      expect(Math.abs(mean - 300_000)).toBeLessThan(2_000);
    }
    expect(points.notes).toEqual([
      "a + b + c = 900000 is kept by drawing among the combinations that keep it, each equally likely.",
    ]);
  });

  it("[ST132] numbers of other weights or steps are met by chance, and their sum is exact as well", () => {
    const [a, b] = [number("a", 0, 6), number("b", 0, 6, 2)];
    const made6 = (factors: readonly Factor[], weights: { a: number; b: number }) =>
      made({ kind: "random", points: 50 }, factors, [{ weights, least: 6, most: 6 }]);
    const [uneven, stepped, twice] = [
      made6([a, { ...a, name: "b" }], { a: 1, b: 2 }),
      made6([a, b], { a: 1, b: 1 }),
      made6([a, { ...a, name: "b" }], { a: 2, b: 2 }),
    ];

    for (const { values } of uneven.points) {
      expect(Number(values["a"]) + 2 * Number(values["b"])).toBe(6);
    }
    expect(valuesOf(stepped, "b").every((value) => Number(value) % 2 === 0)).toBe(true);
    expect([uneven.rejected > 0, stepped.rejected > 0, twice.rejected]).toEqual([true, true, 0]);
  });

  it("[ST132] a sum that no combination has is refused, with those that are possible", () => {
    const factors = [number("a", 0, 50, 10), number("b", 5, 45, 10)];
    const refused = (total: number) =>
      refusal({ kind: "lhs", points: 4 }, factors, [sum(["a", "b"], total)]);

    expect(refused(105)).toBe(
      "No values of the factors keep `a + b = 105`: by steps of 10, their sum is from 5 to 95. Change the sum, the bounds or the steps.",
    );
    expect(refused(20)).toContain("by steps of 10");
  });

  it("[ST131] other constraints hold as well: random and Sobol designs go on until they have enough", () => {
    const factors = ["a", "b", "c"].map((name) => number(name, 0, 1000));
    const below: Constraint = { weights: { a: 2, b: -1 }, least: null, most: 100 };
    for (const design of drawn(64)) {
      const points = made(design, factors, [below, sum(["b", "c"], 900)]);

      for (const { values } of points.points) {
        expect(2 * Number(values["a"]) - Number(values["b"])).toBeLessThanOrEqual(100);
        expect(Number(values["b"]) + Number(values["c"])).toBe(900);
      }
      expect(points.rejected).toBeGreaterThan(0);
      expect(points.rows.length).toBe(design.kind === "lhs" ? 64 - points.rejected : 64);
      expect(points.notes.join("\n")).toMatch(
        new RegExp(`^${points.rejected} of .* break a constraint and are left out`, "m"),
      );
    }
    // One alone is told as well: of four strata the last.
    const most: Constraint = { weights: { a: 1 }, least: null, most: 2 };
    const { rejected, notes } = made({ kind: "lhs", points: 4 }, [number("a", 0, 3)], [most]);
    expect(rejected).toBe(1);
    expect(notes.join("\n")).toContain("1 of the 4 points of the hypercube break a constraint");
  });

  it("[ST131] a bound is kept exactly where weights are no whole numbers", () => {
    const half = { weights: { a: 0.5 }, least: 1, most: 1.5 };

    expect([1, 2, 3, 4].map((a) => keeps(half, { a }))).toEqual([false, true, true, false]);
  });

  it("[ST131] a constraint that hardly any point keeps is refused, with the figure", () => {
    const factors = [number("a", 0, 1000), number("b", 0, 1000)];
    const least = (most: number): Constraint => ({ weights: { a: 1, b: 2 }, least: 0, most });

    expect(refusal({ kind: "random", points: 500 }, factors, [least(20)])).toMatch(
      /^Only \d+ of \d+ points keep `0 ≤ a \+ 2 × b ≤ 20`; at least one in a hundred must\. Widen/,
    );
    // Of 10,000 points 100 keep the first, which goes on to one that does not; of the second 99 do.
    const sobol = { kind: "sobol", points: 500, isScrambled: false } as const;
    expect(refusal(sobol, factors, [least(199)])).toContain("Only 100 of 10001 points");
    expect(refusal(sobol, factors, [least(198)])).toContain("Only 99 of 10000 points");
    expect(refusal({ kind: "lhs", points: 5 }, factors, [{ ...least(-1), least: -2 }])).toContain(
      "None of 5 points keeps",
    );
    expect(refusal({ kind: "lhs", points: 5 }, factors, [sum(["a", "z"], 5)])).toContain(
      "names z, which is no factor",
    );
  });

  it("[ST133] Morris and Saltelli refuse them, and say what to do instead", () => {
    const factors = [number("a", 0, 10), number("b", 0, 10)];
    const tied = [sum(["a", "b"], 10)];

    expect(refusal({ kind: "morris", trajectories: 4, levels: 4 }, factors, tied)).toBe(
      "`a + b = 10` ties its factors to one another, and morris moves each by itself. " +
        "Leave the constraint out, keep one of its factors fixed, or take `lhs`, `random` or `sobol`.",
    );
    expect(refusal({ kind: "saltelli", rows: 4 }, factors, tied)).toContain("saltelli moves each");
  });

  it("[ST133, ST142] values without an order: Morris takes two, Saltelli any and says what the indices mean", () => {
    const words = list("word", ["x", "y", "z"]);
    const flag = list("flag", [true, false]);

    expect(refusal({ kind: "morris", trajectories: 4, levels: 4 }, [words])).toBe(
      "word has 3 values without an order, and morris moves up and down. Give it two values, or take saltelli.",
    );
    expect(made({ kind: "morris", trajectories: 4, levels: 4 }, [flag]).rows.length).toBe(8);
    expect(made({ kind: "saltelli", rows: 4 }, [words, number("a", 0, 1e6)]).notes[0]).toBe(
      "word has no order: each of its values is equally likely, and its indices say what the choice among them explains.",
    );
  });
});

describe("refusals", () => {
  it("[ST134] a huge design is refused with its number, before any point is made", () => {
    const factors = Array.from({ length: 40 }, (_, at) => number(`f${at}`, 0, 1e9));

    expect(refusal({ kind: "grid", levels: 10 }, factors)).toBe(
      `The design grid has 1${"0".repeat(40)} points; at most 1000000 are allowed. Take fewer levels, points or factors.`,
    );
    for (const design of drawn(1_000_001)) {
      expect(refusal(design, factors)).toContain("has 1000001 points");
    }
    const long = list("a", Array(1_000_000).fill(1));
    expect(refusal({ kind: "oat", levels: 2 }, [long])).toContain("oat has 1000001 points");
    const morris = { kind: "morris", trajectories: 24_391, levels: 4 } as const;
    expect(refusal(morris, factors)).toContain("has 1000031 points");
    expect(refusal({ ...morris, trajectories: 24_390, levels: 5 }, factors)).toContain("5 levels");
    // Of one fewer its number is no reason.
    const other = [sum(["f0", "z"], 5)];
    expect(refusal({ kind: "random", points: 1_000_000 }, factors, other)).toContain("names z");
    expect(refusal({ kind: "saltelli", rows: 2 ** 14 }, factors)).toContain("has 1343488 points");
    expect(refusal({ kind: "random", points: 0 }, factors)).toContain("at least one is needed");
  });

  it("[ST134] rows that are no power of two, odd levels and too many dimensions are refused", () => {
    const factors = Array.from({ length: 65 }, (_, at) => number(`f${at}`, 0, 9));

    expect(refusal({ kind: "saltelli", rows: 100 }, factors.slice(0, 2))).toBe(
      "saltelli has 100 rows; a power of two is allowed, since only then its points are even. Take 64 or 128.",
    );
    const saltelli = { kind: "saltelli", rows: 1 } as const;
    expect(refusal(saltelli, factors.slice(0, 33))).toContain("at most 32 are allowed");
    expect(made(saltelli, factors.slice(0, 32)).rows).toHaveLength(66);
    const sobol = { kind: "sobol", points: 4, isScrambled: true } as const;
    expect(refusal(sobol, factors)).toContain("a Sobol design has at most 64");
    expect(made(sobol, factors.slice(0, 64)).rows).toHaveLength(4);
    expect(refusal({ kind: "morris", trajectories: 2, levels: 5 }, factors)).toBe(
      "morris has 5 levels; an even number from 2 on is allowed.",
    );
    expect(refusal({ kind: "lhs", points: 3 }, [])).toContain("needs a factor that varies");
  });
});
