import { describe, expect, it } from "vitest";
import { boundMark } from "../../src/cli/study/sweepText.ts";
import { tuneText } from "../../src/cli/study/tune.ts";
import { number } from "../../src/edges/studies/studyNumbers.ts";
import { tunedFound } from "../../src/studies/found.ts";
import type { Outcome } from "../../src/studies/outcomes/outcome.ts";
import { pointsOf } from "../../src/studies/sample/points.ts";
import { heldOutSeed, seedOf } from "../../src/studies/seeds.ts";
import { violationBound } from "../../src/studies/statistics/proportions.ts";
import { type Goal, RANGE_SEARCHES, type Setting, type Study } from "../../src/studies/study.ts";
import { type Tuned, tunePlan, tuning } from "../../src/studies/tune.ts";
import type { TunedRun } from "../../src/studies/tuneTrials.ts";
import { SEED_MAX } from "../../src/substrate/random.ts";
import { numberFactor, numberStudy } from "./numberStudy.ts";

const goalOf = (change: Partial<Goal> = {}): Goal => ({
  objectives: [{ outcome: "y", direction: "minimise" }],
  ...{ constraints: ["safe"], censored: "refuse", heldOut: 20, trials: 60 },
  ...change,
});

interface Made {
  readonly value: number | null;
  readonly z?: number;
  /** Only a bound of it is known. */
  readonly isBound?: boolean;
  /** Which promises, or the one that is called safe. */
  readonly broken?: boolean | readonly string[];
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
  const all: TunedRun[] = [];
  let step = search.next();
  while (!step.done) {
    seeds.push([...new Set(step.value.map(({ seed }) => seed))]);
    const told = step.value.map((run) => {
      const { value, z = 0, isBound, broken } = made(run.set as Setting, run.seed);
      const rest = { outcome: "ended", faults: value === null ? ["none"] : [] };
      const said = { values: { y: value, z }, censored: isBound ? ["y"] : [] };
      return { ...run, ...rest, ...said, broken: broken === true ? ["safe"] : broken || [] };
    });
    all.push(...told);
    step = search.next(told);
  }
  return { ...step.value, runs: all, seeds };
}

const factors = [numberFactor("a"), numberFactor("b")];
const list = [{ kind: "list" as const, name: "a", values: [0, 1, 2, 3], isOrdered: true }];
const bowl = ({ a, b }: Setting) => (Number(a) - 300) ** 2 + (Number(b) - 700) ** 2;
/** From 0 to 1, of a seed. */
const luck = (seed: number, salt: number) => ((seed * (7 + salt) + salt * 13) % 101) / 101;

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

  it.each(["gp-ei", "tpe"] as const)(
    "[ST266] finds the bottom of a bowl by %s, of places that differ and keep `where`",
    (search) => {
      const where = [{ weights: { a: 1, b: 1 }, least: null, most: 1_100 }];
      const found = tuned({ factors, where }, goalOf({ trials: 45, search }), (values) => ({
        value: bowl(values),
      }));
      const best = found.finalists[0]?.values;
      const begun = found.trials.slice(10);
      const texts = found.trials.map(({ point }) => JSON.stringify(point));

      expect(found.plan.method).toBe(search);
      expect(found.trials).toHaveLength(45);
      expect(found.seeds[0]).toHaveLength(2);
      expect(begun.every(({ state }) => state === "COMPLETE")).toBe(true);
      expect(new Set(texts).size).toBe(45);
      expect(Math.hypot(Number(best?.["a"]) - 300, Number(best?.["b"]) - 700)).toBeLessThan(
        search === "gp-ei" ? 10 : 100,
      );
    },
  );

  it.each(["gp-ei", "tpe"] as const)(
    "[ST266] goes where points have a value and keep their promises, by %s",
    (search) => {
      // The bottom lies where a promise is broken; along the other edge runs give no value.
      const found = tuned({ factors }, goalOf({ trials: 40, search }), (values) => ({
        value: Number(values["b"]) > 900 ? null : bowl(values),
        broken: Number(values["a"]) < 400,
      }));
      const bad = found.trials.slice(20).filter(({ value }) => value === null);

      expect(found.finalists[0]?.values["a"]).toBeLessThan(500);
      expect(bad.length).toBeLessThan(12);
    },
  );

  it.each(["gp-ei", "tpe"] as const)(
    "[ST266] asks for values that are left where points are few, by %s, the same each time",
    (search) => {
      const few = [numberFactor("a", 30)];
      const play = () =>
        tuned({ factors: few, baseline: { a: 3 } }, goalOf({ trials: 30, search }), ({ a }) => ({
          value: (Number(a) - 20) ** 2,
        }));
      const found = play();
      const after = found.trials.slice(10).map(({ point }) => point["a"]);

      expect(found.finalists[0]?.values).toEqual({ a: 20 });
      expect(new Set(after).size).toBeGreaterThan(10);
      expect(play().trials).toEqual(found.trials);
    },
  );

  it("[ST266] notes that gp-ei goes by some of more than 200 values", () => {
    const notes = (trials: number) => {
      const plan = tunePlan({
        ...numberStudy({ factors }),
        goal: goalOf({ trials, search: "gp-ei" }),
      });
      return "refused" in plan ? [] : plan.notes;
    };

    expect(notes(200)).toEqual([]);
    expect(notes(201)).toEqual([expect.stringContaining("Of more than 200 trials")]);
  });

  it.each(RANGE_SEARCHES)(
    "[ST267] refuses %s where there is no range, or several goals",
    (search) => {
      const goal = goalOf({ search });
      const two = goalOf({
        search,
        objectives: [...goal.objectives, { outcome: "z", direction: "minimise" }],
      });
      const refused = { refused: expect.stringContaining("Leave it out"), isSearch: true };

      expect(tunePlan({ ...numberStudy({ factors: list }), goal })).toEqual(refused);
      expect(tunePlan({ ...numberStudy({ factors }), goal: two })).toEqual(refused);
      const design = { kind: "grid", levels: 3 } as const;
      expect(tunePlan({ ...numberStudy({ factors, design }), goal })).toEqual(refused);
    },
  );

  it("[ST150] never scores a point that breaks a constraint, and says the bound", () => {
    const found = tuned({ factors: list }, goalOf({ constraints: ["calm", "safe"] }), ({ a }) => ({
      value: Number(a),
      broken: a === 0,
    }));

    expect(found.trials[0]).toMatchObject({ state: "COMPLETE", value: null, means: null });
    expect(found.trials[0]?.infeasible).toEqual({ broken: ["safe"], violated: 2, replicates: 2 });
    expect(found.trials[0]?.violationBound).toBe(1);
    expect(found.finalists.map(({ values }) => values)).toEqual([{ a: 1 }]);
    expect(found.trials[1]?.violationBound).toBeCloseTo(1 - 0.05 ** (1 / 2), 6);
  });

  it("[ST150] one run that breaks a constraint is enough, and without a constraint nothing is bound", () => {
    const made = ({ a }: Setting, seed: number) => ({
      ...{ value: Number(a), broken: a === 0 && seed % 2 === 0 },
    });
    const found = tuned({ factors: list }, goalOf(), made);
    const free = tuned({ factors: list }, goalOf({ constraints: [] }), ({ a }) => ({
      value: Number(a),
    }));

    expect(found.trials[0]).toMatchObject({
      ...{ value: null, means: null, infeasible: { violated: 1, replicates: 2 } },
      violationBound: violationBound(1, 2),
    });
    const both = tuned({ factors: list }, goalOf({ constraints: ["calm", "safe"] }), (_, seed) => ({
      ...{ value: 1, broken: [seed % 2 === 0 ? "safe" : "calm"] },
    }));
    expect(tunedFound(both).trials[0]?.reason).toBe("infeasible: calm, safe broken in 2 of 2 runs");
    expect(free.trials[1]).toMatchObject({ value: 1, violationBound: null });
  });

  it("[ST150] fails a trial of which a run gave no value", () => {
    const found = tuned({ factors: list }, goalOf(), ({ a }) => ({
      value: a === 0 ? null : Number(a),
    }));

    expect(found.trials[0]).toMatchObject({ state: "FAIL", value: null });
    expect(found.trials[0]?.reason).toMatch(/^2 of 2 runs gave no value/);
    const one = tuned({ factors: list }, goalOf(), ({ a }, seed) => ({
      value: a === 0 && seed % 2 === 0 ? null : Number(a),
    }));
    expect(one.trials[0]).toMatchObject({ state: "FAIL", value: null });
    expect(one.trials[0]?.reason).toMatch(/^1 of 2 runs gave no value/);
    expect(one.trials[1]).toMatchObject({ state: "COMPLETE", value: 1 });
  });

  it("[ST151] takes CMA-ES for ranges, elimination for lists and designs, and goes whichever way the goal does", () => {
    const maximise = goalOf({ objectives: [{ outcome: "y", direction: "maximise" }], trials: 120 });
    const replicates = { count: 40, seeds: "common" as const, batch: 10 };
    const top = tuned({ factors }, maximise, (values) => ({ value: -bowl(values) }));
    const most = tuned({ factors: list, replicates }, maximise, ({ a }, seed) => ({
      value: 10 * Number(a) + luck(seed, Number(a)),
    }));
    const design = { kind: "grid", levels: 3 } as const;

    expect(top.plan.method).toBe("cma-es");
    expect(Math.abs(Number(top.finalists[0]?.values["a"]) - 300)).toBeLessThan(40);
    expect(top.trials).toEqual(
      tuned({ factors }, { ...maximise, search: "cma-es" }, (values) => ({ value: -bowl(values) }))
        .trials,
    );
    expect(most.plan.method).toBe("elimination");
    expect(most.finalists[0]?.values).toEqual({ a: 3 });
    expect(most.trials.filter(({ state }) => state === "PRUNED")).toHaveLength(3);
    expect(tunePlan({ ...numberStudy({ factors, design }), goal: goalOf() })).toMatchObject({
      method: "elimination",
    });
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
    expect(tunedFound(found).points[1]).toMatchObject({ replicates: 40, ended: "most" });
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

  it("[ST154, ST235] gives the front of two goals", () => {
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

    expect(plan.method).toBe("all points");
    expect(step.value.finalists.map(({ trial }) => trial)).toEqual([0, 1, 2]);
    // y from 0 to 3, z from −2 to 9: 1 × 9/11, ⅔ × 1/11 and ⅓ × 1/11.
    expect(step.value.front?.searched).toBeCloseTo(10 / 11, 12);
    expect(step.value.front).toMatchObject({ worst: [3, 9], best: [0, -2] });
  });

  it.each([
    ["worse than any trial", 9, 0],
    ["better than any trial", -9, 1],
  ])(
    "[ST235, ST236] judges the front on held-out seeds within the box of the trials: z is %s",
    (_, z, share) => {
      const objectives = ["y", "z"].map((outcome) => ({ outcome, direction: "minimise" as const }));
      const outcomes = ["y", "z"].map(
        (name) => ({ ...numberStudy().outcomes[0], name }) as Outcome,
      );
      const fresh = new Set(Array.from({ length: 20 }, (_one, at) => heldOutSeed(1, at)));
      // What the search saw of z was luck.
      const found = tuned({ factors: list, outcomes }, goalOf({ objectives }), ({ a }, seed) => ({
        ...{ value: Number(a), z: fresh.has(seed) ? z : -Number(a) },
      }));

      expect(found.front?.searched).toBeCloseTo(1 / 3, 12);
      expect(found.front?.heldOut).toBe(share);
      expect(saidOf(found)).toContain(
        `The front dominates 0.3333 of the box from the worst to the best trial (hypervolume); on held-out seeds ${share}.`,
      );
    },
  );

  it("[ST151, ST158] names as PRUNED what is enqueued outside `where`, and what is the point of an earlier trial", () => {
    const where = [{ weights: { a: 1 }, least: 1, most: null }];
    const enqueue = [{ a: 0 }, { a: 2 }, { a: 2 }];
    const found = tuned({ factors: list, where, enqueue }, goalOf(), ({ a }) => ({
      value: Number(a),
    }));

    expect(
      found.trials.map(({ point, state, isEnqueued, reason }) => [
        ...[point["a"], state, isEnqueued, reason],
      ]),
    ).toEqual([
      [0, "PRUNED", true, "breaks `1 ≤ a`; it was not played"],
      [2, "COMPLETE", true, null],
      [2, "PRUNED", true, "the point of trial 1, played there"],
      [1, "COMPLETE", false, null],
      [2, "PRUNED", false, "the point of trial 1, played there"],
      [3, "COMPLETE", false, null],
    ]);
  });

  it("[ST158] says so of CMA-ES and of a front, and refuses more points than trials", () => {
    const where = [{ weights: { a: 1, b: 1 }, least: null, most: 800 }];
    const enqueue = [
      { a: 800, b: 1 },
      { a: 1, b: 1 },
      { a: 1, b: 1 },
    ];
    const states = (change: Partial<Goal>) =>
      tuned({ factors, where, enqueue }, goalOf({ trials: 8, ...change }), () => ({ value: 1 }))
        .trials.slice(0, 3)
        .map(({ state, isEnqueued }) => [state, isEnqueued]);
    const said = [
      ["PRUNED", true],
      ["COMPLETE", true],
      ["PRUNED", true],
    ];
    const objectives = [
      { outcome: "y", direction: "minimise" as const },
      { outcome: "z", direction: "maximise" as const },
    ];

    expect(states({})).toEqual(said);
    expect(states({ objectives })).toEqual(said);
    expect(tunePlan({ ...numberStudy({ factors: list }), goal: goalOf({ trials: 3 }) })).toEqual({
      refused: "There are 4 points, and goal.trials allows 3. Allow more, or take fewer.",
    });
    // Of six settings four are played.
    const twice = numberStudy({ factors: list, enqueue: [{ a: 1 }, { a: 1 }] });
    expect(tunePlan({ ...twice, goal: goalOf({ trials: 4 }) })).toMatchObject({
      settings: { length: 6 },
    });
  });

  it("[ST132] says that no values keep a sum, and that a sum leaves one point", () => {
    const of = (names: readonly string[], sum: number) => {
      const weights = Object.fromEntries(names.map((name) => [name, 1]));
      const where = [{ weights, least: sum, most: sum }];
      return tunePlan({
        ...numberStudy({ factors: names.map((name) => numberFactor(name)), where }),
        goal: goalOf(),
      });
    };

    expect(of(["a", "b"], -1)).toEqual({
      refused: expect.stringContaining("No values of the factors keep"),
    });
    expect(of(["a"], 300)).toEqual({ refused: "The constraints leave one point only." });
  });

  // The point that never recovers seems the fastest.
  const never = ({ a }: Setting) => ({ value: a === 0 ? -9 : Number(a), isBound: a === 0 });

  it("[ST157] takes no bound for a value", () => {
    const refused = tuned({ factors: list }, goalOf(), never);

    expect(refused.trials[0]).toMatchObject({ state: "FAIL", value: null, censored: 2 });
    expect(refused.trials[0]?.reason).toMatch(
      /^of y only a bound is known in 2 of 2 runs, such as/,
    );
    expect(refused.finalists.map(({ values }) => values)).toEqual([{ a: 1 }]);
    const one = tuned({ factors: list }, goalOf(), (values, seed) => ({
      ...{ ...never(values), isBound: values["a"] === 0 && seed % 2 === 0 },
    }));
    expect(one.trials[0]).toMatchObject({ state: "FAIL", value: null, censored: 1 });
  });

  it("[ST157] marks a mean of bounds, and what may lie on either side", () => {
    const outcome = { ...numberStudy().outcomes[0], kind: "reduced", name: "y" } as Outcome;
    const ratio = { kind: "expression", name: "half", is: "y / 2" } as unknown as Outcome;
    const study = numberStudy({ outcomes: [outcome, ratio] });

    expect(boundMark(study, "y")).toBe("≥ ");
    expect(boundMark(study, "half")).toBe("~ ");
    expect(boundMark(study, "y", "difference")).toBe("~ ");
  });

  it("[ST214] marks no mean up to a limit, which takes bounds in", () => {
    const across = { kind: "restricted", limit: 5 };
    const outcome = { ...numberStudy().outcomes[0], kind: "reduced", name: "y", across } as Outcome;
    const study = numberStudy({ outcomes: [outcome] });

    expect([boundMark(study, "y"), boundMark(study, "y", "difference")]).toEqual(["", ""]);
  });

  it("[ST157] takes the bound where the goal says so, and tells it", () => {
    const taken = tuned({ factors: list }, goalOf({ censored: "bound" }), never);

    expect(taken.trials[0]).toMatchObject({ state: "COMPLETE", value: -9, censored: 2 });
    expect(taken.finalists[0]?.objectives["y"]).toMatchObject({
      censored: 20,
      baselineCensored: 0,
    });
    expect(taken.finalists[0]?.objectives["y"]?.difference).not.toBeNull();
  });

  it("[ST157] claims no difference where held-out runs give only bounds", () => {
    const own = seedOf(1, "common", { point: 0, replicate: 0 });
    const found = tuned({ factors: list }, goalOf(), ({ a }, seed) => ({
      value: Number(a) + luck(seed, 1),
      isBound: Math.abs(seed - own) > 1_000,
    }));

    expect(found.finalists[0]?.objectives["y"]).toMatchObject({ difference: null, censored: 20 });
    const best = tuned({ factors: list, baseline: { a: 3 } }, goalOf(), ({ a }, seed) => ({
      ...{ value: Number(a), isBound: a === 0 && Math.abs(seed - own) > 1_000 },
    }));
    expect(best.finalists[0]?.objectives["y"]).toMatchObject({
      ...{ difference: null, censored: 20, baselineCensored: 0 },
    });
    const base = tuned({ factors: list, baseline: { a: 3 } }, goalOf(), ({ a }) => ({
      ...{ value: Number(a), isBound: a === 3 },
    }));
    expect(base.finalists[0]?.objectives["y"]).toMatchObject({
      ...{ difference: null, censored: 0, baselineCensored: 20 },
    });
  });

  const left = { folder: "out", files: ["study.json"], opening: [] };
  const counts = { kept: 0, cached: 0, played: 0, again: 0, deliveries: { played: 0, spared: 0 } };
  const saidOf = (found: Tuned) => tuneText(found, tunedFound(found), counts, left);

  it("[ST157] marks a trial's mean of bounds, and says in how many runs, of held-out seeds too", () => {
    const goal = goalOf({ censored: "bound" });
    const said = saidOf(
      tuned({ factors: list }, goal, (values, seed) => ({
        ...never(values),
        isBound: values["a"] === 0 && seed % 2 === 0,
      })),
    );

    expect(said).toMatch(/\| 0 +\| COMPLETE \| 0 \| ~ -9 +\| 1 runs give only a bound \|/);
    expect(said).toMatch(/\| 1 +\| COMPLETE \| 1 \| 1 +\| +\|/);
    expect(said).toContain("10 of its runs and 0 of the baseline's give only a bound");
    expect(saidOf(tuned({ factors: list }, goalOf(), never))).toContain(
      "of y only a bound is known in 2 of 2 runs",
    );
  });

  it("[ST150, ST153, ST159] tells what a trial, its best and a baseline broke, and how probable that is at most", () => {
    const held = heldOutSeed(1, 3);
    const said = saidOf(
      tuned({ factors: list, baseline: { a: 3 } }, goalOf(), ({ a }, seed) => ({
        value: Number(a) + luck(seed, Number(a)),
        broken: a === 0 || seed === held,
      })),
    );
    const told = number(violationBound(1, 20));

    expect(said).toContain("safe broken in 2 of 2 runs; probability at most 1 ");
    expect(said).toContain(`- constraints: broken in 1 of 20; probability of that at most ${told}`);
    expect(said).toContain("The baseline broke a constraint in 1 of 20 held-out runs");
    const clean = saidOf(tuned({ factors: list }, goalOf(), ({ a }) => ({ value: Number(a) })));
    expect(clean).not.toContain("The baseline broke");
  });

  it.each([
    ["breaks a promise", () => ({ value: 1, broken: true }), "COMPLETE"],
    ["gives no value", () => ({ value: null }), "FAIL"],
  ])("[ST159] claims nothing where every trial %s", (_, made, state) => {
    for (const change of [{ factors: list }, { factors }]) {
      const found = tuned(change, goalOf({ trials: 20 }), made);

      expect(new Set(found.trials.map((one) => one.state))).toEqual(new Set([state]));
      expect([found.finalists, found.baseline]).toEqual([[], null]);
      expect(tunedFound(found)).toMatchObject({ baseline: null, heldOut: [] });
      const { length } = found.trials;
      const counts = state === "FAIL" ? [0, length] : [length, 0];
      expect(saidOf(found)).toContain(
        `of ${length}, ${counts[0]} broke a constraint, ${counts[1]} gave no value, 0 were pruned.`,
      );
    }
  });

  it("[ST153, ST159] tells of a baseline that breaks a constraint, and compares with it all the same", () => {
    const found = tuned({ factors: list, baseline: { a: 3 } }, goalOf(), ({ a }, seed) => ({
      value: Number(a) + luck(seed, Number(a)),
      broken: a === 3,
    }));

    expect(found.baseline).toMatchObject({ violated: 20, violationBound: 1 });
    expect(found.finalists[0]).toMatchObject({ values: { a: 0 }, violated: 0 });
    expect(found.finalists[0]?.objectives["y"]?.difference?.n).toBe(20);
  });

  it("[ST154] without a design the points are a Sobol sequence's, besides those that are enqueued", () => {
    const objectives = ["y", "z"].map((outcome) => ({ outcome, direction: "minimise" as const }));
    const study = {
      ...numberStudy({ factors, enqueue: [{ a: 1, b: 2 }] }),
      goal: goalOf({ objectives }),
    };
    const plan = tunePlan(study);
    const design = { kind: "sobol", points: 59, isScrambled: true } as const;
    const made = pointsOf(design, factors, [], study.seed, study.baseline);
    if ("refused" in plan || "refused" in made) throw new Error("it has points");

    expect(plan.settings).toEqual([{ a: 1, b: 2 }, ...made.points.map(({ values }) => values)]);
  });

  it("[ST154] no point of a front breaks a constraint, however good it seems", () => {
    const objectives = [
      { outcome: "y", direction: "minimise" as const },
      { outcome: "z", direction: "minimise" as const },
    ];
    const outcomes = ["y", "z"].map((name) => ({ ...numberStudy().outcomes[0], name }) as Outcome);
    const found = tuned({ factors: list, outcomes }, goalOf({ objectives }), ({ a }) => ({
      ...{ value: Number(a), z: -Number(a), broken: a === 0 },
    }));

    expect(found.trials[0]?.infeasible?.broken).toEqual(["safe"]);
    expect(found.finalists.map(({ values }) => values)).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
    expect(Object.keys(found.finalists[0]?.objectives ?? {})).toEqual(["y", "z"]);
  });

  it("[ST88] no seed of a trial is a held-out seed, whatever the study's seed", () => {
    for (const seed of [0, 1, 7, 2 ** 31, SEED_MAX]) {
      const first = (of: (replicate: number) => number) => [of(0), of(99_999)] as const;
      const [from, to] = first((replicate) => seedOf(seed, "common", { point: 0, replicate }));
      const [heldFrom, heldTo] = first((replicate) => heldOutSeed(seed, replicate));
      const apart = (a: number, b: number) => (a - b + SEED_MAX + 1) % (SEED_MAX + 1);

      // Both are stretches of 100,000 neighbours, half of all seeds from each other.
      expect(apart(to, from)).toBe(99_999);
      expect(apart(heldTo, heldFrom)).toBe(99_999);
      expect(apart(heldFrom, from)).toBe((SEED_MAX + 1) / 2);
      // After the last seed comes the first.
      const last = seedOf(seed, "common", { point: 0, replicate: SEED_MAX });
      expect(last).toBe((from + SEED_MAX) % (SEED_MAX + 1));
    }
  });

  it("[ST156] every run has a place of its own, those of held-out seeds beside the trials'", () => {
    const replicates = { count: 40, seeds: "common" as const, batch: 10 };
    const result = tunedFound(
      tuned({ factors: list, replicates }, goalOf(), ({ a }, seed) => ({
        value: 10 * Number(a) + luck(seed, Number(a)),
        broken: a === 0 && seed % 40 === 39,
      })),
    );
    const places = result.runs.map(({ point, replicate }) => `${point} ${replicate}`);

    expect(new Set(places).size).toBe(places.length);
    expect(result.heldOut).toEqual([4, 5]);
    expect(result.baseline).toBe(5);
    expect(result.points.map(({ index, replicates: n, ended }) => [index, n, ended])).toEqual([
      [0, 40, "most"],
      [1, 40, "most"],
      [2, 10, "dropped"],
      [3, 10, "dropped"],
      [4, 20, "most"],
      [5, 20, "most"],
    ]);
    expect(result.points[4]?.outcomes["y"]?.difference?.n).toBe(20);
    expect(result.trials[0]?.reason).toBe("infeasible: safe broken in 1 of 40 runs");
    const where = [{ weights: { a: 1 }, least: 1, most: null }];
    const some = tunedFound(
      tuned({ factors: list, where, enqueue: [{ a: 0 }] }, goalOf(), ({ a }) => ({
        value: Number(a),
      })),
    );
    // Trial 0 is not played, and is no point.
    expect(some.points.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5]);
  });
});
