import { describe, expect, it } from "vitest";
import type { Goal, Setting, Study } from "../../src/studies/study.ts";
import { type Tuned, tunePlan, tuning } from "../../src/studies/tune.ts";
import { numberFactor, numberStudy } from "./numberStudy.ts";

const goalOf = (change: Partial<Goal> = {}): Goal => ({
  objectives: [{ outcome: "y", direction: "minimise" }],
  ...{ constraints: ["safe"], censored: "refuse", heldOut: 20, trials: 60 },
  ...change,
});

interface Made {
  readonly value: number | null;
  readonly broken?: boolean;
}

/** Plays a study of which each run's value is made up, and gives what it found with the seeds it asked for. */
function tuned(
  change: Partial<Study>,
  goal: Goal,
  made: (values: Setting, seed: number) => Made,
): Tuned & { readonly seeds: readonly (readonly number[])[] } {
  const plan = tunePlan({ ...numberStudy(change), goal });
  if ("refused" in plan) throw new Error(plan.refused);
  const search = tuning(plan);
  const seeds: number[][] = [];
  let step = search.next();
  while (!step.done) {
    seeds.push([...new Set(step.value.map(({ seed }) => seed))]);
    step = search.next(
      step.value.map((run) => {
        const { value, broken = false } = made(run.set as Setting, run.seed);
        const rest = { outcome: "ended", faults: value === null ? ["none"] : [], censored: [] };
        return { ...run, ...rest, values: { y: value }, broken: broken ? ["safe"] : [] };
      }),
    );
  }
  return { ...step.value, seeds };
}

const factors = [numberFactor("a"), numberFactor("b")];
const list = [{ kind: "list" as const, name: "a", values: [0, 1, 2, 3], isOrdered: true }];
const bowl = ({ a, b }: Setting) => (Number(a) - 300) ** 2 + (Number(b) - 700) ** 2;
/** From 0 to 1, of a seed. */
const luck = (seed: number, salt: number) => ((seed * 7 + salt * 13) % 101) / 101;

describe("tune", () => {
  it("[ST151] finds the bottom of a bowl by CMA-ES, after the points that are enqueued", () => {
    const enqueue = [{ a: 0, b: 0 }];
    const found = tuned({ factors, enqueue }, goalOf({ trials: 120 }), (values) => ({
      value: bowl(values),
    }));
    const best = found.finalists[0]?.values;

    expect(found.trials[0]).toMatchObject({ isEnqueued: true, point: { a: 0, b: 0 } });
    expect(found.trials).toHaveLength(120);
    expect(Math.abs(Number(best?.["a"]) - 300)).toBeLessThan(40);
    expect(Math.abs(Number(best?.["b"]) - 700)).toBeLessThan(40);
  });

  it("[ST150] never scores a point that breaks a constraint, and says the bound", () => {
    const found = tuned({ factors: list }, goalOf(), ({ a }) => ({
      value: Number(a),
      broken: a === 0,
    }));

    expect(found.trials[0]).toMatchObject({ state: "COMPLETE", value: null, means: null });
    expect(found.trials[0]?.infeasible).toEqual({ broken: ["safe"], violated: 2, replicates: 2 });
    expect(found.trials[0]?.violationBound).toBe(1);
    expect(found.finalists.map(({ values }) => values)).toEqual([{ a: 1 }]);
    expect(found.trials[1]?.violationBound).toBeCloseTo(1 - 0.05 ** (1 / 2), 6);
  });

  it("[ST150] fails a trial of which a run gave no value", () => {
    const found = tuned({ factors: list }, goalOf(), ({ a }) => ({
      value: a === 0 ? null : Number(a),
    }));

    expect(found.trials[0]).toMatchObject({ state: "FAIL", value: null });
    expect(found.trials[0]?.reason).toMatch(/^2 of 2 runs gave no value/);
  });

  it("[ST151] plays no point outside `where`", () => {
    const where = [{ weights: { a: 1, b: 1 }, least: null, most: 800 }];
    const found = tuned({ factors, where }, goalOf(), (values) => {
      expect(Number(values["a"]) + Number(values["b"])).toBeLessThanOrEqual(1_000);
      return { value: -bowl(values) };
    });
    const pruned = found.trials.filter(({ state }) => state === "PRUNED");

    expect(pruned.length).toBeGreaterThan(0);
    expect(pruned.every(({ point: { a, b } }) => Number(a) + Number(b) > 800)).toBe(true);
  });

  it("[ST152] starts again without a point that others were dropped against and that broke later", () => {
    const replicates = { count: 40, seeds: "common" as const, batch: 10 };
    let played = 0;
    // The best by far, until a seed after the first batch breaks it.
    const found = tuned({ factors: list, replicates }, goalOf(), ({ a }, seed) => {
      played += 1;
      return { value: 10 * Number(a) + luck(seed, Number(a)), broken: a === 0 && seed % 40 === 39 };
    });

    // Ten replicates of each of four held their promise, or it would have been left out at once.
    expect(found.seeds[0]?.some((seed) => seed % 40 === 39)).toBe(false);
    expect(played).toBeGreaterThan(40);
    expect(found.trials[0]?.infeasible).toMatchObject({ violated: 1, replicates: 40 });
    expect(found.finalists.map(({ values }) => values)).toEqual([{ a: 1 }]);
    expect(found.trials[3]).toMatchObject({
      state: "PRUNED",
      reason: expect.stringMatching(/trial 1/),
    });
  });

  it("[ST153] compares the best with the baseline on seeds that no trial had", () => {
    const baseline = { a: 3 };
    const found = tuned({ factors: list, baseline }, goalOf(), ({ a }, seed) => ({
      value: Number(a) + luck(seed, Number(a)),
    }));
    const seen = new Set(found.seeds.slice(0, -1).flat());
    const difference = found.finalists[0]?.objectives["y"]?.difference;

    expect(found.seeds.at(-1)).toHaveLength(20);
    expect(found.seeds.at(-1)?.some((seed) => seen.has(seed))).toBe(false);
    expect(difference).toMatchObject({ method: expect.stringContaining("paired"), n: 20 });
    expect(difference?.high).toBeLessThan(-2);
  });

  it("[ST154] gives the front of two goals", () => {
    const objectives = [
      { outcome: "y", direction: "minimise" as const },
      { outcome: "z", direction: "minimise" as const },
    ];
    const plan = tunePlan({ ...numberStudy({ factors: list }), goal: goalOf({ objectives }) });
    if ("refused" in plan) throw new Error(plan.refused);
    const search = tuning(plan);
    let step = search.next();
    while (!step.done) {
      step = search.next(
        step.value.map((run) => {
          const a = Number(run.set["a"]);
          const values = { y: a, z: a === 3 ? 9 : -a };
          return { ...run, values, outcome: "ended", faults: [], censored: [], broken: [] };
        }),
      );
    }

    expect(step.value.finalists.map(({ trial }) => trial)).toEqual([0, 1, 2]);
  });
});
