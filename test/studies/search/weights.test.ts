// SPEC ST92–ST94: the search for weights, beside every weights that there are.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agreement,
  type Direction,
  directions,
  fitWeights,
  flipsAt,
  holds,
  type Judged,
  most,
  moved,
  room,
  type WeightRules,
} from "../../../src/studies/search/weights.ts";

const TOP = 4;
const places = [0, 1, 2];
const bounds = places.map(() => [0, TOP] as const);
const each = Array.from({ length: TOP + 1 }, (_, weight) => weight);
/** All that lie within the bounds. */
const everyWeights = each.flatMap((a) => each.flatMap((b) => each.map((c) => [a, b, c])));

const row = fc.record({
  coefficients: fc.tuple(...places.map(() => fc.bigInt(-2n, 6n))),
  least: fc.bigInt(-2n, 20n),
});
const judged = fc.array(
  fc.tuple(row, fc.boolean()).map(([one, isTaken]): Judged => ({ ...one, isTaken })),
  { minLength: 1, maxLength: 6 },
);
const rules = fc.record({
  summed: fc.constantFrom([], [0, 2], [0, 1, 2]),
  structure: fc.array(row, { maxLength: 1 }),
});
const home = fc.tuple(...places.map(() => fc.integer({ min: 0, max: TOP })));
const world = fc.record({ judged, rules, home });

/** One weight alone, or where their sum is kept any two of them. */
const movesOf = (summed: readonly number[]): readonly Direction[] => [
  ...places
    .filter((one) => !summed.includes(one))
    .map((one) => places.map((at) => Number(at === one))),
  ...summed.flatMap((up) =>
    summed
      .filter((down) => down !== up)
      .map((down) => places.map((at) => Number(at === up) - Number(at === down))),
  ),
];
const lies = (weights: readonly number[]): boolean =>
  weights.every((one) => one >= 0 && one <= TOP);
const sumOf = (weights: readonly number[], at: readonly number[]): number =>
  at.reduce((sum, one) => sum + (weights[one] ?? 0), 0);
const distance = (a: readonly number[], b: readonly number[]): number =>
  places.reduce((sum, at) => sum + Math.abs((a[at] ?? 0) - (b[at] ?? 0)), 0);
const found = ({
  judged,
  rules,
  home,
}: {
  judged: Judged[];
  rules: Omit<WeightRules, "bounds">;
  home: number[];
}) => fitWeights(judged, { ...rules, bounds }, home, 1);

describe("weights that are found", () => {
  it("[ST93] agree with no fewer than the given ones, and no single move agrees with more", () => {
    fc.assert(
      fc.property(world, (one) => {
        const { rules, home } = one;
        const of = (weights: readonly number[]): readonly [number, number] => [
          rules.structure.filter((rule) => holds(rule, weights)).length,
          agreement(one.judged, weights),
        ];
        const isMore = ([a, b]: readonly [number, number], [x, y]: readonly [number, number]) =>
          a > x || (a === x && b > y);
        const best = found(one);
        const others = movesOf(rules.summed).flatMap((way) =>
          each.map((steps) => moved(best.weights, way, steps)).filter(lies),
        );

        expect([best.kept, best.agreed]).toEqual(of(best.weights));
        expect(isMore(of(home), of(best.weights))).toBe(false);
        expect(others.filter((weights) => isMore(of(weights), of(best.weights)))).toEqual([]);
        const nearer = others.filter(
          (weights) =>
            of(weights).join() === of(best.weights).join() &&
            distance(weights, home) < distance(best.weights, home),
        );
        expect(nearer).toEqual([]);
      }),
    );
  });

  it("[ST92] are whole, lie within their bounds, and keep the sum that is to be kept", () => {
    fc.assert(
      fc.property(world, (one) => {
        const { weights } = found(one);

        expect(weights.filter((weight) => !Number.isInteger(weight) || !lies([weight]))).toEqual(
          [],
        );
        expect(sumOf(weights, one.rules.summed)).toBe(sumOf(one.home, one.rules.summed));
      }),
    );
  });

  it("[ST92] are the given ones where nothing agrees with more", () => {
    const taken = { coefficients: [1n, 0n, 0n], least: 3n, isTaken: true };
    const at = (home: readonly number[]) =>
      fitWeights([taken], { bounds, summed: [], structure: [] }, home, 1);

    expect(at([3, 1, 4])).toMatchObject({ weights: [3, 1, 4], agreed: 1 });
    // The nearest that agree: one step less would not.
    expect(at([0, 1, 4])).toMatchObject({ weights: [3, 1, 4], agreed: 1 });
  });

  it("[ST92] keep the rules first, however many decisions would have it otherwise", () => {
    const rule = { coefficients: [1n, 0n, 0n], least: 3n };
    const refused = { ...rule, least: 2n, isTaken: false };
    const rules = { bounds, summed: [], structure: [rule] };

    expect(fitWeights([refused, refused, refused], rules, [0, 1, 4], 1)).toEqual({
      ...{ weights: [3, 1, 4], agreed: 0, kept: 1 },
    });
  });

  it("[ST93] no weights agree with more than the bound of contradicting pairs, which some do reach", () => {
    let reached = 0;
    fc.assert(
      fc.property(judged, (all) => {
        const bound = most(all, { bounds, summed: [], structure: [] });
        const best = Math.max(...everyWeights.map((weights) => agreement(all, weights)));
        reached += Number(best === bound);

        expect(best).toBeLessThanOrEqual(bound);
      }),
    );
    expect(reached).toBeGreaterThan(50);
  });

  it("[ST93] of each pair that contradicts itself one is wrong: taken, and refused where it passes no less", () => {
    const one = (isTaken: boolean, least: bigint, ...coefficients: bigint[]): Judged => ({
      ...{ isTaken, least, coefficients },
    });
    const bound = (...all: Judged[]) => most(all, { bounds, summed: [], structure: [] });

    expect(bound(one(true, 4n, 1n, 1n, 0n), one(false, 4n, 1n, 1n, 0n))).toBe(1);
    // The same at another scale, and more of it.
    expect(bound(one(true, 4n, 1n, 1n, 0n), one(false, 8n, 2n, 3n, 0n))).toBe(1);
    // The refused one passes less.
    expect(bound(one(true, 4n, 1n, 1n, 0n), one(false, 8n, 2n, 1n, 0n))).toBe(2);
    // One of the refused is enough to be wrong for each of the taken, and no other is left for the second.
    const refused = one(false, 4n, 1n, 1n, 0n);
    expect(bound(one(true, 4n, 1n, 1n, 0n), one(true, 4n, 1n, 0n, 0n), refused)).toBe(2);
    expect(bound(one(true, 4n, 1n, 1n, 0n), one(true, 4n, 1n, 0n, 0n), refused, refused)).toBe(2);
  });
});

it("[ST93, ST94] a move is of one weight alone, or of any two of those whose sum is kept", () => {
  expect(directions({ bounds, summed: [], structure: [] })).toEqual(movesOf([]));
  expect(directions({ bounds, summed: [0, 1, 2], structure: [] })).toEqual([
    [1, -1, 0],
    [1, 0, -1],
    [0, 1, -1],
  ]);
  expect(directions({ bounds, summed: [0, 2], structure: [] })).toEqual([
    [0, 1, 0],
    [1, 0, -1],
  ]);
});

it("[ST94] a decision flips at the least whole step that changes it, down or up, unless the bounds end first", () => {
  fc.assert(
    fc.property(
      row,
      home,
      fc.constantFrom(...movesOf([0, 1]), ...movesOf([])),
      (one, weights, way) => {
        const least = (sign: 1 | -1): number | null =>
          each.slice(1).find((steps) => {
            const other = moved(weights, way, sign * steps);
            return lies(other) && holds(one, other) !== holds(one, weights);
          }) ?? null;

        expect(flipsAt(one, weights, way, room(weights, way, bounds))).toEqual([
          least(-1),
          least(1),
        ]);
      },
    ),
  );
});
