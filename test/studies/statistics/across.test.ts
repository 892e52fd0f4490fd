// What runs come to where it is no mean: quantiles, the worst, means of times to an event.
import { describe, expect, it } from "vitest";
import { acrossText } from "../../../src/edges/studies/studyNumbers.ts";
import type { Across, Outcome } from "../../../src/studies/outcomes/outcome.ts";
import {
  acrossDifference,
  acrossEstimate,
  acrossValue,
} from "../../../src/studies/statistics/across.ts";
import type { Result } from "../../../src/studies/statistics/fold.ts";
import {
  quantileInterval,
  quantileNeeds,
  quantileRanks,
} from "../../../src/studies/statistics/intervals.ts";
import { stopState } from "../../../src/studies/statistics/stopRule.ts";
import { logRank, restrictedMeans } from "../../../src/studies/statistics/survival.ts";
import { stopResults, summarise } from "../../../src/studies/sweepSummary.ts";
import { tunePlan } from "../../../src/studies/tune.ts";
import { scoreOf, type TunedRun } from "../../../src/studies/tuneTrials.ts";
import { numberStudy } from "../numberStudy.ts";

type Known = Result & { readonly value: number };
const upTo = (n: number) => Array.from({ length: n }, (_, at) => at + 1);
/** A minus marks a bound. */
const results = (values: readonly number[]): Known[] =>
  values.map((value, replicate) => ({
    ...{ point: 0, replicate, seed: replicate, value: Math.abs(value) },
    ...(value < 0 ? { bound: "least" as const } : {}),
  }));
const quantile = (share: number): Across => ({ kind: "quantile", share });
const restricted = (limit: number): Across => ({ kind: "restricted", limit });
/** The leukaemia trial of Freireich (1963): weeks of remission under 6-MP and under placebo. */
const TREATED = results([
  ...[6, 6, 6, -6, 7, -9, 10, -10, -11, 13, 16, -17, -19, -20, 22, 23, -25, -32, -32, -34, -35],
]);
const PLACEBO = results([
  ...[1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23],
]);

describe("quantiles", () => {
  it("[ST210] far out the limit takes what it needs of the 5 %: 59 runs for .95, and not 58", () => {
    expect([quantileNeeds(0.95), quantileNeeds(0.5), quantileNeeds(0.05)]).toEqual([59, 6, 59]);
  });

  it("[ST210] with fewer it is not estimable, and says how many it needs", () => {
    expect(quantileInterval(upTo(58), 0.95)).toMatchObject({
      ...{ low: null, doubt: "tooFew", needs: 59, n: 58 },
    });
    expect(quantileInterval(upTo(59), 0.95)).toMatchObject({ high: 59, doubt: null });
    expect(quantileInterval(upTo(59), 0.05)).toMatchObject({ low: 1, doubt: null });
  });

  it("[ST25] where both limits can they leave out the same share", () => {
    expect(quantileRanks(100, 0.5)).toEqual({ low: 39, high: 60 });
    expect(quantileRanks(72, 0.95)?.high).toBe(71);
  });

  it("[ST211] a bound is taken for itself by the low limit, and for infinite by the high one", () => {
    const few = upTo(60).map((one) => (one > 50 ? -one : one));
    const low = upTo(60).map((one) => (one === 3 ? -one : one));
    const at = (values: readonly number[]) => acrossEstimate(quantile(0.5), results(values));

    expect(at(few)).toMatchObject({ low: at(upTo(60))?.low, high: at(upTo(60))?.high });
    expect(at(low)).toMatchObject({ low: 22, high: 40 });
    expect(at(upTo(60))).toMatchObject({ low: 22, high: 39 });
  });

  it("[ST211] where the high limit is one there is no interval, nor where its side is unknown", () => {
    const many = upTo(60).map((one) => (one > 20 ? -one : one));
    const either = results(upTo(60)).map(
      (one): Result => (one.value > 20 && one.value < 55 ? { ...one, bound: "either" } : one),
    );

    const one = results(upTo(60)).map(
      (own): Result => (own.value === 60 ? { ...own, bound: "either" } : own),
    );

    expect(acrossEstimate(quantile(0.5), one)).toMatchObject({ low: 21, high: 39 });
    expect(acrossEstimate(quantile(0.5), results(many))).toMatchObject({ doubt: "bounds" });
    expect(acrossEstimate(quantile(0.5), either)).toMatchObject({ doubt: "bounds", low: null });
  });

  it("[ST212] a difference is between the limits that hold with 97.5 % on each side", () => {
    const [base, point] = [results(upTo(100)), results(upTo(100).map((one) => one + 50))];
    const found = acrossDifference(quantile(0.5), base, point, { isPaired: true });
    const alone = acrossEstimate(quantile(0.5), base, 0.975);

    expect(found?.estimate).toBe(50);
    expect(found?.low).toBe(50 + (alone?.low ?? 0) - (alone?.high ?? 0));
    expect(
      acrossDifference(quantile(0.95), base.slice(0, 60), point, { isPaired: true }),
    ).toMatchObject({ doubt: "tooFew", needs: 72 });
  });
});

describe("the worst", () => {
  it("[ST213] is what was seen, without an interval or a difference", () => {
    const worst: Across = { kind: "worst", side: "highest" };

    expect(acrossEstimate(worst, results([3, 9, 4]))).toMatchObject({
      ...{ estimate: 9, low: null, high: null, doubt: "onlySeen", n: 3 },
    });
    expect(acrossEstimate({ ...worst, side: "lowest" }, results([3, 9, 4]))?.estimate).toBe(3);
    expect(acrossDifference(worst, results([3]), results([4]), { isPaired: true })).toBeNull();
  });
});

describe("times to an event", () => {
  it("[ST214] are Kaplan and Meier's: the curve of Freireich's trial up to week 10", () => {
    // 1 for 6 weeks, .8571 for one, .8067 for three.
    const share = (18 / 21) * (16 / 17);
    expect(restrictedMeans(TREATED, 10)?.mean).toBeCloseTo(6 + 18 / 21 + 3 * share, 12);
  });

  it("[ST214] without bounds each run counts for its own time, at most the limit", () => {
    expect(restrictedMeans(results([1, 5, 9]), 5)).toEqual({ mean: 11 / 3, pseudo: [1, 5, 5] });
    expect(restrictedMeans(results([1, -6, 9]), 5)?.pseudo).toEqual([1, 5, 5]);
    // A bound at the limit hides nothing, though it is the only run.
    expect(restrictedMeans(results([-5]), 5)).toEqual({ mean: 5, pseudo: [5] });
  });

  it("[ST215] nothing is claimed where nobody was followed to the limit", () => {
    const values = [...upTo(30), -31, -31];

    expect(acrossEstimate(restricted(31), results(values))?.doubt).toBeNull();
    expect(acrossEstimate(restricted(31), results([...values, -5]))?.doubt).toBeNull();
    expect(acrossEstimate(restricted(32), results(values))).toMatchObject({ doubt: "bounds" });
    // No event is outstanding after the last run's.
    expect(restrictedMeans(results([-2, 3, 3]), 10)?.mean).toBe(3);
  });

  it("[ST215] nor of a difference of which either side is not known up to the limit", () => {
    const [short, long] = [[...upTo(30), -31, -31], upTo(40)].map(results);
    const of = (isPaired: boolean) => [
      acrossDifference(restricted(32), short ?? [], long ?? [], { isPaired }),
      acrossDifference(restricted(32), long ?? [], short ?? [], { isPaired }),
    ];

    expect([...of(true), ...of(false)]).toEqual([null, null, null, null]);
    expect(
      acrossDifference(restricted(31), short ?? [], long ?? [], { isPaired: false }),
    ).not.toBeNull();
  });

  it("[ST216] a pseudo-value is n times the mean less n − 1 times that without the run", () => {
    expect(restrictedMeans(results([1, -2, -4, -4]), 4)).toEqual({
      ...{ mean: 3.25, pseudo: [1, 4, 4, 4] },
    });
  });

  it("[ST216] pairs have Student's interval of their pseudo-values, and plain ones the log-rank test", () => {
    const paired = acrossDifference(restricted(20), PLACEBO, TREATED, { isPaired: true });
    const plain = acrossDifference(restricted(20), PLACEBO, TREATED, { isPaired: false });

    expect(paired?.method).toContain("paired");
    expect(plain?.method).toContain("log-rank");
    expect(plain?.p).toBe(logRank(PLACEBO, TREATED));
    expect(paired?.p).not.toBe(plain?.p);
    expect(plain?.estimate).toBeCloseTo(paired?.estimate ?? 0, 9);
  });

  it("[ST216] whose chi-squared of Freireich's trial is 16.79, as the literature has it", () => {
    const p = logRank(TREATED, PLACEBO) ?? 1;

    expect(p).toBeCloseTo(4.17e-5, 6);
    expect(logRank(TREATED, TREATED)).toBeCloseTo(1, 9);
    expect(logRank(results([-1, -2]), results([-3]))).toBeNull();
  });
});

describe("in a study", () => {
  const outcome = (across?: Across) => ({
    ...({ kind: "reduced", name: "y", metric: "load", actor: "world", reduce: "last" } as const),
    ...{ above: null, fromMs: 0, untilMs: null },
    ...(across && { across }),
  });
  const runs = (values: readonly number[], point = 0): TunedRun[] =>
    values.map((value, replicate) => ({
      ...{ point, replicate, seed: replicate, variant: null, outcome: "ended", faults: [] },
      ...{ values: { y: Math.abs(value) }, broken: [] },
      censored: value < 0 ? ["y"] : [],
    }));
  const goal = {
    objectives: [{ outcome: "y", direction: "minimise" }] as const,
    ...{ constraints: [], censored: "refuse" as const, heldOut: 10, trials: 5 },
  };

  it("[ST217] points and differences are of what the outcome says", () => {
    const study = numberStudy({ outcomes: [outcome(quantile(0.9))] });
    const points = [0, 1].map((index) => ({ index, values: {} }));
    const both = [
      ...runs(upTo(100)),
      ...runs(
        upTo(100).map((one) => one * 3),
        1,
      ),
    ];
    const [base, other] = summarise(study, { points, baseline: 0 }, [], both, "paired");

    expect(base?.outcomes["y"]?.mean?.estimate).toBeCloseTo(90.1, 9);
    expect(other?.outcomes["y"]?.difference?.estimate).toBeCloseTo(180.2, 9);
    // Of an expression as well.
    const own = { kind: "expression", name: "y", text: "1", expression: { number: 1 } };
    const of = [{ ...own, across: quantile(0.9) } as unknown as Outcome];
    const [told] = summarise(
      numberStudy({ outcomes: of }),
      { points, baseline: 0 },
      [],
      both,
      "paired",
    );
    expect(told?.outcomes["y"]?.mean?.estimate).toBeCloseTo(90.1, 9);
  });

  it("[ST217] a limit is said in the unit of its outcome", () => {
    const units = { leaves: {}, outcomes: { y: "ms" } };
    const study = numberStudy({ outcomes: [outcome(restricted(5_400_000))], units });

    expect(acrossText(study, "y")).toBe("mean up to 1h 30m");
    expect(acrossText({ ...study, units: { leaves: {}, outcomes: {} } }, "y")).toBe(
      "mean up to 5400000",
    );
  });

  it("[ST218] a stop rule awaits that interval, and bounds count", () => {
    const rule = { kind: "number", halfWidth: 0.5, batch: 10, most: 80 } as const;
    const values = Array.from({ length: 80 }, (_, at) => (at % 3) + (at % 10 === 9 ? 5 : 0));
    const bounds = values.map((one) => (one > 4 ? -one : one));
    const stop = (across: Across | null, of = values) =>
      stopState({ ...rule, across }, results(of), []).baseline;

    expect(stop(quantile(0.5))).toEqual({ replicates: 30, ended: "narrow" });
    expect(stop(null)).toEqual({ replicates: 50, ended: "narrow" });
    expect(stop(quantile(0.5), bounds)).toEqual({ replicates: 30, ended: "narrow" });
    expect(stop(quantile(0.95))).toEqual({ replicates: 80, ended: "most" });
    // Beside a baseline it is that of the difference, although all pairs differ alike.
    const beside = (across: Across | null) =>
      stopState({ ...rule, halfWidth: 5, across }, results(values), [
        results(values.map((one) => one + 1)),
      ]).points;
    expect(beside(quantile(0.5))).toEqual([{ replicates: 30, ended: "narrow" }]);
    expect(beside(null)).toEqual([{ replicates: 80, ended: "most" }]);
  });

  it("[ST89] a bound counts for no pair of a stop rule that awaits a mean", () => {
    const all = [...runs([1, -2, 3]), ...runs([4, 5, -6], 1)];
    const told = (across?: Across) =>
      stopResults(numberStudy({ outcomes: [outcome(across)] }), "y", all).map((one) => one.value);

    expect(told()).toEqual([1, null, 3, 4, 5, null]);
    expect(told(quantile(0.5))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("[ST219] a search goes by it, and a trial fails only where it rests on a bound", () => {
    const study = (across?: Across) => ({ ...numberStudy({ outcomes: [outcome(across)] }), goal });
    const some = runs([1, 2, 3, 4, 5, 6, -20, -20]);

    expect(scoreOf(study(), some)).toHaveProperty("failed");
    expect(scoreOf(study(quantile(0.5)), some)).toMatchObject({ means: [4.5] });
    expect(scoreOf(study(quantile(0.9)), some)).toHaveProperty("failed");
    expect(acrossValue(restricted(10), results([1, -20]))).toBe(5.5);
    const worst = (side: "highest" | "lowest", ...values: readonly number[]) =>
      acrossValue({ kind: "worst", side }, results(values));
    expect([worst("highest", 9, -5), worst("lowest", 9, -5)]).toEqual([null, null]);
    expect([worst("highest", 5, 9), worst("lowest", 5, -9)]).toEqual([9, 5]);
    // Of a bound that may err to either side, a high one too may hide what changes it.
    const either = results([1, 2, 9]).map(
      (one): Result => (one.value === 9 ? { ...one, bound: "either" } : one),
    );
    for (const across of [quantile(0.5), restricted(5)]) {
      expect(acrossValue(across, either)).toBeNull();
      expect(acrossValue(across, results([1, 2, -9]))).not.toBeNull();
    }
  });

  it("[ST219] lists are played whole then, as elimination compares means", () => {
    const design = { kind: "points", points: [{ a: 1, b: 1, c: 1 }] } as const;
    const method = (across?: Across) => {
      const plan = tunePlan({ ...numberStudy({ outcomes: [outcome(across)], design }), goal });
      return "method" in plan ? plan.method : plan.refused;
    };

    expect([method(), method(quantile(0.5))]).toEqual(["elimination", "all points"]);
  });
});
