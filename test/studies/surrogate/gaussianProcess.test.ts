// Regression by a Gaussian process, and what it stands on.
import { describe, expect, it } from "vitest";
import { ascended } from "../../../src/studies/surrogate/ascent.ts";
import { cholesky, inverted, solved } from "../../../src/studies/surrogate/cholesky.ts";
import { exponential } from "../../../src/studies/surrogate/exponential.ts";
import { gaussianProcess } from "../../../src/studies/surrogate/gaussianProcess.ts";
import { uniforms } from "../statistics/testFunctions.ts";

function drawn(count: number, of: (row: readonly number[]) => number, noise = 0) {
  const next = uniforms(7, "process");
  const rows = Array.from({ length: count }, () => [next(), next(), next()]);
  // Uniform noise of this deviation.
  const values = rows.map((row) => of(row) + noise * Math.sqrt(12) * (next() - 0.5));
  return { rows, values };
}

const wave = ([a = 0, b = 0]: readonly number[]): number => Math.sin(5 * a) + 2 * b;
const NUMBERS = [false, false, false];

describe("a Gaussian process", () => {
  it("[ST263] foretells a smooth function of few values, and finds the factor that is idle", () => {
    const { rows, values } = drawn(60, wave);
    const found = gaussianProcess(rows, values, NUMBERS);
    const [a = 0, b = 0, idle = 0] = found?.lengths ?? [];

    for (const place of drawn(100, wave).rows.slice(60)) {
      const { mean, variance } = found?.foretold(place) ?? { mean: 0, variance: 0 };
      expect(Math.abs(mean - wave(place))).toBeLessThan(0.02);
      expect(mean).toBeCloseTo(found?.meanAt(place) ?? 0, 12);
      expect(variance).toBeLessThan(0.001);
    }
    expect(idle).toBeGreaterThan(10 * a);
    expect(idle).toBeGreaterThan(3 * b);
  });

  it("[ST263] takes chance for noise, and is sure of a mean where it is of no place", () => {
    const { rows, values } = drawn(120, wave, 0.3);
    const found = gaussianProcess(rows, values, NUMBERS);
    const truth = rows.reduce((sum, row) => sum + wave(row), 0) / rows.length;
    const whole = found?.foretold(...rows);
    const one = found?.foretold([0.5, 0.5, 0.5]);

    expect(found?.noise).toBeGreaterThan(0.06);
    expect(found?.noise).toBeLessThan(0.13);
    expect(Math.abs((whole?.mean ?? 9) - truth)).toBeLessThan(0.09);
    expect(whole?.variance).toBeLessThan((one?.variance ?? 0) / 2);
    expect(whole?.variance).toBeGreaterThan(0);
  });

  it("[ST263] tells kinds apart, goes on where rows are equal, and has nothing to say where values are", () => {
    const { rows } = drawn(30, wave);
    const kinds = rows.map(([a = 0], at) => [a, at % 3, 0]);
    const found = gaussianProcess(
      [...kinds, ...kinds],
      [...kinds, ...kinds].map(([a = 0, kind]) => a + (kind === 1 ? 5 : 0)),
      [false, true, false],
    );

    expect(found?.meanAt([0.5, 1, 0])).toBeCloseTo(5.5, 1);
    expect(found?.meanAt([0.5, 2, 0])).toBeCloseTo(0.5, 1);
    expect(
      gaussianProcess(
        rows,
        rows.map(() => 3),
        NUMBERS,
      ),
    ).toBeNull();
  });

  it("[ST263] is no less likely than at any other lengths and noises that are tried", () => {
    const { rows, values } = drawn(40, wave, 0.1);
    const found = gaussianProcess(rows, values, NUMBERS);
    const others = [-4, -2, 0, 2].flatMap((length) =>
      [-8, -4, -1].map((noise) =>
        gaussianProcess(rows, values, NUMBERS, [[length, length, length, noise]]),
      ),
    );

    for (const other of others) {
      expect(found?.likelihood).toBeGreaterThan((other?.likelihood ?? 0) - 1e-3);
    }
  });
});

describe("what it stands on", () => {
  it("[ST263] powers of e are those of the engine but for the last bits", () => {
    for (let power = -740; power < 700; power += 0.37) {
      expect(exponential(power) / Math.exp(power)).toBeCloseTo(1, power < -700 ? 1 : 12);
    }
    expect(exponential(0)).toBe(1);
    expect(exponential(-800)).toBe(0);
  });

  it("[ST263] a factor gives its matrix back, solves it and inverts it; without one there is none", () => {
    const next = uniforms(3, "matrix");
    const half = Array.from({ length: 6 }, () => Array.from({ length: 6 }, next));
    const whole = half.map((a) =>
      half.map((b) => a.reduce((sum, one, k) => sum + one * (b[k] ?? 0), 0)),
    );
    const lower = cholesky(Float64Array.from(whole.flat()), 6);
    if (lower === null) throw new Error("positive definite");
    const back = inverted(lower, 6);

    whole.forEach((row, i) => {
      const x = solved(lower, row);
      x.forEach((one, j) => {
        expect(one).toBeCloseTo(i === j ? 1 : 0, 9);
      });
      whole.forEach((_, j) => {
        const product = row.reduce(
          (sum, one, k) => sum + one * (back[Math.max(k, j) * 6 + Math.min(k, j)] ?? 0),
          0,
        );
        expect(product).toBeCloseTo(i === j ? 1 : 0, 9);
      });
    });
    expect(cholesky(Float64Array.of(1, 0, 2, 1), 2)).toBeNull();
  });

  it("[ST263] an ascent reaches a top, and one that lies beyond a bound at the bound", () => {
    const valley = ([x = 0, y = 0]: readonly number[]) => ({
      value: -100 * (y - x * x) * (y - x * x) - (1 - x) * (1 - x),
      gradient: [400 * x * (y - x * x) + 2 * (1 - x), -200 * (y - x * x)],
    });
    const wide = [
      [-5, 5],
      [-5, 5],
    ] as const;
    const narrow = [
      [-5, 0.5],
      [-5, 5],
    ] as const;

    expect(ascended(valley, [-1.2, 1], wide)?.at.map((one) => one.toFixed(3))).toEqual([
      ...["1.000", "1.000"],
    ]);
    expect(ascended(valley, [-1.2, 1], narrow)?.at.map((one) => one.toFixed(3))).toEqual([
      ...["0.500", "0.250"],
    ]);
    expect(ascended(() => null, [0], [[0, 1]])).toBeNull();
  });
});
