// How many evaluations CMA-ES takes, beside what its author printed of his own.
import { describe, expect, it } from "vitest";
import { CmaEs } from "../../../src/studies/search/cmaes.ts";
import { RestartedCmaEs } from "../../../src/studies/search/restarts.ts";

type Objective = (x: readonly number[]) => number;
const sphere: Objective = (x) => x.reduce((sum, one) => sum + one * one, 0);
const ellipsoid: Objective = (x) =>
  x.reduce((sum, one, i) => sum + 10 ** ((6 * i) / (x.length - 1)) * one * one, 0);
const rosenbrock: Objective = (x) =>
  x.slice(1).reduce((sum, one, i) => {
    const before = x[i] ?? 0;
    return sum + 100 * (one - before * before) ** 2 + (1 - before) ** 2;
  }, 0);

interface From {
  readonly dimensions: number;
  /** Of every coordinate, from −5 to 5. */
  readonly start: number;
  readonly sigma: number;
  readonly target: number;
}

/** Until a candidate is below the target. */
function evaluations(of: Objective, { dimensions, start, sigma, target }: From, seed: number) {
  const at = { start: new Array<number>(dimensions).fill((start + 5) / 10), sigma: sigma / 10 };
  const search = new CmaEs({ dimensions, seed, ...at });
  for (let count = 0; count < 20_000; ) {
    const values = search.ask().map((point) => of(point.map((one) => 10 * one - 5)));
    const below = values.findIndex((value) => value < target);
    if (below >= 0) return count + below + 1;
    count += values.length;
    search.tell(values);
  }
  return Number.POSITIVE_INFINITY;
}

const median = (of: Objective, from: From): number =>
  [1, 2, 3].map((seed) => evaluations(of, from, seed)).sort((a, b) => a - b)[1] ?? 0;

describe("CMA-ES", () => {
  it("[ST80] draws again what lies outside, and puts on the wall what stays there", () => {
    const atCorner = (dimensions: number) =>
      new CmaEs({ dimensions, seed: 1, start: Array(dimensions).fill(0), candidates: 8 }).ask();
    const onWall = (point: readonly number[]) => point.some((one) => one === 0 || one === 1);
    const far = atCorner(24);

    // A quarter of all draws lie inside, then one in sixteen millions.
    expect(atCorner(2).filter(onWall)).toEqual([]);
    expect(far.filter(onWall)).toHaveLength(8);
    expect(Math.min(...far.flat())).toBe(0);
    expect(Math.max(...far.flat())).toBeLessThanOrEqual(1);
  });

  it("[ST80] takes as many evaluations of the ellipsoid as the run that Hansen's purecma shows", () => {
    // fmin(ff.elli, 3 * [0.5], 0.3): 4.8e-13 after 1,400 (github.com/CMA-ES/pycma, cma/purecma.py).
    const taken = median(ellipsoid, { dimensions: 3, start: 0.5, sigma: 0.3, target: 4.8e-13 });

    expect(taken / 1400).toBeGreaterThan(0.75);
    expect(taken / 1400).toBeLessThan(1.25);
  });

  it("[ST80] takes evaluations that grow with the dimensions on the sphere, and no faster than their square elsewhere", () => {
    const from = { start: 0.1, sigma: 0.5, target: 1e-9 };
    const at = (of: Objective, dimensions: number) => median(of, { ...from, dimensions });

    expect(at(sphere, 6) / at(sphere, 2)).toBeLessThan(4.5);
    expect(at(ellipsoid, 6) / at(ellipsoid, 2)).toBeLessThan(9);
    expect(at(rosenbrock, 6) / at(rosenbrock, 2)).toBeLessThan(9);
  });

  it("[ST80] refuses a value that is no number, as a sort would put it anywhere", () => {
    const search = new CmaEs({ dimensions: 2, seed: 1 });
    const values = search.ask().map(() => Number.NaN);

    expect(() => search.tell(values)).toThrow("null");
  });
});

const rastrigin: Objective = (x) =>
  x.reduce((sum, one) => sum + one * one + 10 - 10 * Math.cos(2 * Math.PI * one), 0);

/** Of a search in five dimensions, its least value off the middle of the cube. */
function leastIn(search: Pick<CmaEs, "ask" | "tell">, budget: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < budget && least >= 1e-2; ) {
    const values = search
      .ask()
      .map((point) => rastrigin(point.map((one, i) => 10 * one - 4.3 - 0.3 * i)));
    count += values.length;
    least = Math.min(least, ...values);
    search.tell(values);
  }
  return least;
}

describe("restarts", () => {
  it("[ST209] find the deepest of the many valleys of Rastrigin's function, where one start does not", () => {
    for (const seed of [6, 12]) {
      expect(leastIn(new CmaEs({ dimensions: 5, seed }), 4_000)).toBeGreaterThan(1.9);
      expect(leastIn(new RestartedCmaEs({ dimensions: 5, seed }), 4_000)).toBeLessThan(1e-2);
    }
  });

  it("[ST209] begin where candidates hardly differ, or have come to the same again and again", () => {
    const search = new RestartedCmaEs({ dimensions: 2, seed: 1 });
    const size = search.ask().length;
    // 10 + 30 · 2 / 6 generations alike.
    for (let generation = 0; generation < 19; generation += 1) search.tell(new Array(size).fill(7));
    expect([search.restarts, search.ask().length]).toEqual([0, size]);
    search.tell(new Array(size).fill(7));
    expect([search.restarts, search.ask().length]).toEqual([1, 2 * size]);
    while (search.restarts < 3) search.tell(new Array(search.ask().length).fill(7));
    expect(search.ask().length).toBe(8 * size);
  });

  it("[ST209] begin at the first deviation below 10⁻⁴ of the cube", () => {
    const one = new CmaEs({ dimensions: 2, seed: 4 });
    const other = new RestartedCmaEs({ dimensions: 2, seed: 4 });
    let before = one.spread;
    while (other.restarts === 0) {
      before = one.spread;
      const values = one.ask().map((point) => sphere(point.map((place) => place - 0.4)));
      one.tell(values);
      other.tell(values);
    }

    expect(before).toBeGreaterThanOrEqual(1e-4);
    expect(one.spread).toBeLessThan(1e-4);
  });

  it("[ST209] leave the first start as it was", () => {
    const [one, other] = [
      new CmaEs({ dimensions: 3, seed: 4 }),
      new RestartedCmaEs({ dimensions: 3, seed: 4 }),
    ];
    for (let generation = 0; generation < 5; generation += 1) {
      expect(other.ask()).toEqual(one.ask());
      const values = one.ask().map(sphere);
      one.tell(values);
      other.tell(values);
    }
  });
});
