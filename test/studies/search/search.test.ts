// Searches that ask and are told: CMA-ES, elimination, the Pareto front, and the states of trials.
import { describe, expect, it } from "vitest";
import { CmaEs } from "../../../src/studies/search/cmaes.ts";
import { Elimination } from "../../../src/studies/search/elimination.ts";
import { paretoFront } from "../../../src/studies/search/pareto.ts";
import { bestOf, Trials } from "../../../src/studies/search/trial.ts";
import { meanInterval } from "../../../src/studies/statistics/intervals.ts";
import { namedRandom } from "../../../src/substrate/random.ts";

type Objective = (point: readonly number[]) => number;
/** The unit cube as −5 … 5. */
const wide = (point: readonly number[]) => point.map((one) => 10 * one - 5);
const sphere: Objective = (point) =>
  wide(point).reduce((sum, one) => sum + (one - 1) * (one - 1), 0);
const ellipsoid: Objective = (point) =>
  wide(point).reduce((sum, one, i) => sum + 10 ** ((6 * i) / (point.length - 1)) * one * one, 0);
const rosenbrock: Objective = (point) => {
  const x = wide(point);
  return x.slice(1).reduce((sum, one, i) => {
    const before = x[i] ?? 0;
    return sum + 100 * (one - before * before) ** 2 + (1 - before) ** 2;
  }, 0);
};

function asks(objective: Objective, generations: number, seed: number, dimensions = 4) {
  const search = new CmaEs({ dimensions, seed });
  const all: (readonly number[])[] = [];
  for (let one = 0; one < generations; one += 1) {
    all.push(...search.ask());
    search.tell(search.ask().map(objective));
  }
  return { all, best: Math.min(...all.map(objective)) };
}

describe("CMA-ES", () => {
  it.each([1, 2, 3])(
    "[ST80] finds the least of sphere, ellipsoid and Rosenbrock, seed %d",
    (seed) => {
      expect(asks(sphere, 150, seed).best).toBeLessThan(1e-9);
      expect(asks(ellipsoid, 400, seed).best).toBeLessThan(1e-9);
      expect(asks(rosenbrock, 600, seed).best).toBeLessThan(1e-9);
    },
  );

  it("[ST80] asks the same whatever keeps the order of values, and stays in the cube", () => {
    const plain = asks(ellipsoid, 60, 5).all;
    const bent = asks((point) => Math.log(1e-300 + ellipsoid(point)) * 7 - 3, 60, 5).all;
    const wall = asks((point) => 0 - (point[0] ?? 0), 60, 5).all.flat();

    expect(bent).toEqual(plain);
    expect(wall.every((one) => one >= 0 && one <= 1)).toBe(true);
    expect(asks((point) => 0 - (point[0] ?? 0), 60, 5).best).toBeLessThan(-0.999);
  });

  it("[ST80] what is infeasible counts for nothing, and a generation of nothing else moves nothing", () => {
    const search = new CmaEs({ dimensions: 2, seed: 1 });
    const { mean, sigma } = search;
    search.tell(search.ask().map(() => null));

    expect({ mean: search.mean, sigma: search.sigma }).toEqual({ mean, sigma });
    const [only] = search.ask();
    search.tell(search.ask().map((_, at) => (at === 0 ? 5 : null)));
    expect(search.mean).toEqual(only?.map((one) => expect.closeTo(one, 12)));
  });
});

describe("elimination", () => {
  const race = (means: readonly (number | null)[]) => {
    const race = new Elimination({
      ...{ points: means.length, goal: "maximise", first: 8, most: 64 },
    });
    const noise = (point: number, replicate: number) =>
      namedRandom(3).at("test", `${point}`, replicate).integer(0, 1000) / 1000;
    for (let asked = race.ask(); asked !== null; asked = race.ask()) {
      const { points, from, to } = asked;
      race.tell(
        new Map(
          points.map((point) => {
            const mean = means[point] ?? null;
            const of = (_: unknown, at: number) => (mean ?? 0) + noise(point, from + at);
            return [point, mean === null ? null : Array.from({ length: to - from }, of)];
          }),
        ),
      );
    }
    return race;
  };

  it("[ST81] drops only what is surely worse than the best, as soon as it is", () => {
    const { left, dropped } = race([0, 5, 4.9999, 2]);

    expect(left.toSorted()).toEqual([1, 2]);
    expect(dropped.map(({ point, replicates }) => [point, replicates])).toEqual([
      [0, 8],
      [3, 8],
    ]);
  });

  it("[ST81] leaves an infeasible point out without a score", () => {
    const { left, dropped } = race([9, null]);

    expect(left).toEqual([0]);
    expect(dropped).toEqual([{ point: 1, replicates: 8, against: null }]);
  });

  it("[ST81] drops nothing for want of variance", () => {
    const still = new Elimination({
      ...{ points: 2, goal: "minimise", first: 2, most: 4 },
    });
    const told = (n: number) =>
      new Map([
        [0, new Array(n).fill(1)],
        [1, new Array(n).fill(2)],
      ]);
    still.tell(told(2));
    still.tell(told(2));

    expect([still.ask(), still.left, still.dropped]).toEqual([null, [0, 1], []]);
  });
});

it("[ST82] the front holds what nothing beats in both goals; equal points together, infeasible ones never", () => {
  const scores = [[1, 5], [2, 4], [1, 4], [2, 4], null, [3, Number.NaN]];

  expect(paretoFront(scores, ["maximise", "maximise"])).toEqual([0, 1, 3]);
  expect(paretoFront(scores, ["minimise", "maximise"])).toEqual([0]);
});

describe("trials", () => {
  const begun = () => {
    const trials = new Trials<string>();
    trials.enqueue("known");
    const [known, next, bad] = [0, 1, 2].map((one) => trials.start(() => `asked ${one}`));
    return { trials, known, next, bad };
  };

  it("[ST83] are running, then complete, pruned or failed, once", () => {
    const { trials, bad } = begun();
    expect(bad?.state).toBe("RUNNING");
    trials.complete(0, 4);
    trials.fail(1, "a bug");
    trials.prune(2, "late");

    expect(trials.all.map(({ state }) => state)).toEqual(["COMPLETE", "FAIL", "PRUNED"]);
    expect(() => trials.prune(0, "late")).toThrow("COMPLETE");
  });

  it("[ST83] begin with what is enqueued", () => {
    const { known, next } = begun();

    expect([known?.point, next?.point]).toEqual(["known", "asked 1"]);
  });

  it("[ST83] that break a constraint are complete without a value, and say what they broke", () => {
    const { trials } = begun();
    const infeasible = { broken: ["EX1"], violated: 1, replicates: 30 };
    trials.complete(0, 4);
    trials.completeInfeasible(1, infeasible);

    expect(trials.all[1]).toMatchObject({ state: "COMPLETE", value: null, infeasible });
    expect(bestOf(trials.all, "minimise")).toBe(0);
  });

  it("[ST83] have a best: the first of those that are equal, and none where none has a value", () => {
    const best = (goal: "minimise" | "maximise", ...values: readonly (number | null)[]) => {
      const trials = new Trials<string>();
      for (const value of values) {
        const { number } = trials.start(() => "point");
        if (value === null) trials.fail(number, "broken");
        else trials.complete(number, value);
      }
      return bestOf(trials.all, goal);
    };

    expect(best("minimise", 4, 2, 9, 2)).toBe(1);
    expect(best("maximise", 4, 9, 2, 9)).toBe(1);
    expect(best("minimise", null, -3, 0)).toBe(1);
    expect(best("maximise", null, -3, 0)).toBe(2);
    expect(best("maximise", null)).toBe(null);
  });
});

it("[ST81] shares the error over all pairs and rounds, and doubles the seeds each round", () => {
  // Ten pairs of five points, and rounds of 10, 20 and 40 replicates.
  const noise = Array.from({ length: 10 }, (_, at) => (at * 7) % 10);
  const { high, estimate } = meanInterval(noise, 1 - 0.05 / (10 * 3));
  const half = (high ?? 0) - estimate;
  const told = (away: number) => {
    const search = new Elimination({ points: 5, goal: "minimise", first: 10, most: 40 });
    const same = noise.map(() => 0);
    const other = noise.map((one) => one - estimate + away);
    search.tell(new Map([0, 1, 2, 3, 4].map((point) => [point, point === 4 ? other : same])));
    return search;
  };
  const search = told(half * 0.999);

  expect(search.dropped).toEqual([]);
  expect(told(half * 1.001).dropped).toEqual([{ point: 4, replicates: 10, against: 0 }]);
  expect(search.ask()).toMatchObject({ from: 10, to: 20 });
  search.tell(new Map([0, 1, 2, 3, 4].map((point) => [point, noise.map(() => 0)])));
  expect(search.ask()).toMatchObject({ from: 20, to: 40 });
});
