// Sobol sequences: the published one, and scrambled ones that keep its evenness.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sobolSequence, taken, type UnitPoint } from "../../../src/studies/sample/cubePoints.ts";
import { SOBOL_DIMENSIONS_MAX } from "../../../src/studies/sample/sobolDirections.ts";
import { SEED_MAX } from "../../../src/substrate/random.ts";
import { sobolReference } from "./statisticsOracle.ts";

/** How many points lie in each box of 2^bits[0] × 2^bits[1] × … equal boxes, where any do. */
function inBoxes(points: readonly UnitPoint[], bits: readonly number[]): number[] {
  const counts = new Map<string, number>();
  for (const point of points) {
    const box = bits.map((of, at) => Math.floor((point[at] ?? 0) * 2 ** of)).join();
    counts.set(box, (counts.get(box) ?? 0) + 1);
  }
  return [...counts.values()];
}

/** All ways to share `total` bits among `dimensions`. */
const shares = (total: number, dimensions: number): number[][] =>
  dimensions === 1
    ? [[total]]
    : Array.from({ length: total + 1 }, (_, own) =>
        shares(total - own, dimensions - 1).map((rest) => [own, ...rest]),
      ).flat();

/** The sum of the degrees less one of the first dimensions' polynomials: 0, 1, 2, 3, 3, 4, 4, …. */
const QUALITY = [0, 0, 1, 3, 5] as const;

describe("a Sobol sequence", () => {
  it("[ST121] begins with zero, then a half, and goes on in the order of Gray's code", () => {
    expect(taken(sobolSequence(2, null), 5)).toEqual([
      [0, 0],
      [0.5, 0.5],
      [0.75, 0.25],
      [0.25, 0.75],
      [0.375, 0.375],
    ]);
  });

  it("[ST121] hits, in each of its 64 dimensions, each of the first 2^m parts once", () => {
    const points = taken(sobolSequence(SOBOL_DIMENSIONS_MAX, null), 1024);

    for (let at = 0; at < SOBOL_DIMENSIONS_MAX; at += 1) {
      expect(
        inBoxes(
          points.map((point) => [point[at] ?? 0]),
          [10],
        ),
      ).toEqual(Array(1024).fill(1));
    }
    expect(SOBOL_DIMENSIONS_MAX).toBe(64);
  });

  it("[ST122] has, scrambled by any seed, as many points in each elementary interval as unscrambled", () => {
    fc.assert(
      fc.property(
        fc.option(fc.nat(SEED_MAX), { nil: null }),
        fc.integer({ min: 1, max: 5 }),
        (seed, dimensions) => {
          const t = QUALITY[dimensions - 1] ?? 0;
          const points = taken(sobolSequence(dimensions, seed), 2 ** 8);

          for (const bits of shares(8 - t, dimensions)) {
            expect(inBoxes(points, bits)).toEqual(Array(2 ** (8 - t)).fill(2 ** t));
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it("[ST122] is the same for the same seed, and shares no point with that of another", () => {
    const [one, same, other] = [7, 7, 8].map((seed) => taken(sobolSequence(3, seed), 64));

    expect(same).toEqual(one);
    expect(other?.filter((point) => one?.some((known) => known[0] === point[0]))).toEqual([]);
  });

  it("[ST122] scrambles each dimension by itself, evenly over seeds", () => {
    const firsts = Array.from({ length: 2000 }, (_, seed) => sobolSequence(2, seed)());
    const mean = (at: number) => firsts.reduce((sum, point) => sum + (point[at] ?? 0), 0) / 2000;
    const both = firsts.reduce((sum, [a = 0, b = 0]) => sum + (a - 0.5) * (b - 0.5), 0) / 2000;

    // Four standard errors of 2,000 even draws.
    expect(Math.abs(mean(0) - 0.5)).toBeLessThan(0.026);
    expect(Math.abs(mean(1) - 0.5)).toBeLessThan(0.026);
    expect(Math.abs(both)).toBeLessThan(0.0075);
  });

  it("[ST122] flips a bit by the bits before it: halves are scrambled each by itself", () => {
    const seconds = Array.from({ length: 200 }, (_, seed) =>
      taken(sobolSequence(1, seed), 2).map(([x = 0]) => Math.floor(x * 4) % 2),
    );
    const apart = seconds.filter(([low, high]) => low !== high).length;

    // The second bit of 0 and of a half, which have none: flipped alike in about every other seed.
    expect(Math.abs(apart - 100)).toBeLessThan(30);
  });

  it("[ST122] integrates better, scrambled, than as many points drawn one by one", () => {
    const error = (seed: number) => {
      const points = taken(sobolSequence(5, seed), 1024);
      const of = (point: UnitPoint) => point.reduce((product, x) => product * (0.5 + x), 1);
      return points.reduce((sum, point) => sum + of(point), 0) / 1024 - 1;
    };
    const errors = Array.from({ length: 20 }, (_, seed) => error(seed));

    // Drawn one by one, the standard error is 0.022.
    expect(Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / 20)).toBeLessThan(0.003);
  });
});

const isAbsent = sobolReference === null;
describe.skipIf(isAbsent)("a Sobol sequence beside the reference's", () => {
  const reference = sobolReference ?? { sobol: {}, sobol_tail: {}, discrepancy_CD: {} };

  it.each(Object.entries(reference.sobol))(
    "[ST121] is the same in %s dimensions",
    (name, points) => {
      expect(taken(sobolSequence(Number(name), null), points.length)).toEqual(points);
    },
  );

  it.each(Object.entries(reference.sobol_tail))(
    "[ST121] is the same far on in %s dimensions",
    (name, { from, points }) => {
      const all = taken(sobolSequence(Number(name), null), from + points.length);

      expect(all.slice(from)).toEqual(points);
    },
  );

  it.each(Object.entries(reference.discrepancy_CD))(
    "[ST121] has the same centred discrepancy in %s dimensions",
    (name, expected) => {
      const found = centredDiscrepancy(taken(sobolSequence(Number(name), null), 256));

      expect(Math.abs(found / expected - 1)).toBeLessThan(1e-9);
    },
  );
});

/** Hickernell 1998, squared, as SciPy has it. */
function centredDiscrepancy(points: readonly UnitPoint[]): number {
  const n = points.length;
  const off = (x: number) => Math.abs(x - 0.5);
  const product = (point: UnitPoint, of: (x: number, at: number) => number) =>
    point.reduce((before, x, at) => before * of(x, at), 1);
  let single = 0;
  let double = 0;
  for (const point of points) {
    single += product(point, (x) => 1 + off(x) / 2 - off(x) ** 2 / 2);
    for (const other of points) {
      double += product(point, (x, at) => {
        const y = other[at] ?? 0;
        return 1 + (off(x) + off(y) - Math.abs(x - y)) / 2;
      });
    }
  }
  return (13 / 12) ** (points[0]?.length ?? 0) - (2 / n) * single + double / (n * n);
}
