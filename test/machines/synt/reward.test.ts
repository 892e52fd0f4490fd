import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyWith, profiles } from "../../../src/machines/policy.ts";
import {
  BILLION,
  byReward,
  chainRate,
  costRatio,
  coverage,
  FULL_SCORE,
  type Measured,
  passesGate,
  reachable,
  reward,
  STRATEGIES,
  type Strategy,
  similarityPenalty,
  TERMS,
  testRate,
} from "../../../src/machines/synt/reward.ts";
import { caseOf, casesOf, golden, isAbsent } from "./metnosOracle.ts";

const policy = policyWith({}).synt.reward;
const strict = policyWith(profiles["strict"] ?? {}).synt.reward;

const billionths = (share: number) => Math.round(share * BILLION);

/** Everything at its best but the judge, which is of two minds. */
const good: Measured = {
  strategy: "generate",
  det: BILLION,
  judge: BILLION / 2,
  cost: BILLION,
  cosine: 0,
  coverage: BILLION,
};
const scoreOf = (change: Partial<Measured>, by = policy) => reward({ ...good, ...change }, by);
const R = (change: Partial<Measured>, by = policy) => scoreOf(change, by).total / FULL_SCORE;

const share = fc.integer({ min: 0, max: BILLION });
const thousandth = fc.integer({ min: 0, max: 1000 });
const weights = fc.record({
  det: thousandth,
  judge: thousandth,
  cost: thousandth,
  similarity: thousandth,
  coverage: thousandth,
  bonus: thousandth,
});
const bonuses = fc.record({
  compose: thousandth,
  merge: thousandth,
  specialise: thousandth,
  generalise: thousandth,
  generate: thousandth,
});
const policies = fc
  .record({ weights, bonus: bonuses, gate: thousandth, similarAbove: thousandth })
  .map((some) => ({ ...policy, ...some }));
const measured: fc.Arbitrary<Measured> = fc.record({
  strategy: fc.constantFrom(...STRATEGIES),
  det: share,
  judge: share,
  cost: share,
  cosine: share,
  coverage: share,
});

describe("the formula", () => {
  it("[SN1] weighs six terms, and keeps each", () => {
    const said = scoreOf({ strategy: "compose", det: billionths(0.95), cosine: billionths(0.9) });

    expect(said.parts).toEqual({
      det: 332_500_000_000,
      judge: 100_000_000_000,
      cost: 150_000_000_000,
      similarity: -100_000_000_000,
      coverage: 100_000_000_000,
      bonus: 100_000_000_000,
    });
    expect(said).toMatchObject({ raw: 682_500_000_000, total: 682_500_000_000, passes: true });
    expect(said).toMatchObject({ cosine: 900_000_000, outside: [] });
  });

  it("[SN1] R is held in 0 … 1; the sum is shown beside it", () => {
    const nothing = { det: 0, judge: 0, cost: 0, cosine: BILLION, coverage: 0 };

    expect(scoreOf(nothing)).toMatchObject({ raw: -100_000_000_000, total: 0 });
    expect(scoreOf({ det: 4 * BILLION })).toMatchObject({ total: FULL_SCORE, outside: ["det"] });
  });

  it("[SN2] equal scores are ordered compose, merge, specialise, generalise, generate", () => {
    const equal = { ...policy, weights: { ...policy.weights, bonus: 0 } };
    const mixed = STRATEGIES.toReversed().map((strategy) => scoreOf({ strategy }, equal));

    expect(mixed.toSorted(byReward).map(({ strategy }) => strategy)).toEqual([...STRATEGIES]);
    expect(R({ strategy: "merge" })).toBe(R({ strategy: "specialise" }));
    expect(R({ strategy: "merge" }, strict)).toBeGreaterThan(R({ strategy: "specialise" }, strict));
  });

  it("[SN2] at equal quality the bonus orders the strategies, whatever the quality", () => {
    fc.assert(
      fc.property(measured, (quality) => {
        const scores = STRATEGIES.map((strategy) => reward({ ...quality, strategy }, policy).raw);
        const [compose = 0, merge = 0, specialise = 0, generalise = 0, generate = 0] = scores;

        expect(compose).toBeGreaterThan(merge);
        expect(merge).toBe(specialise);
        expect(specialise).toBeGreaterThan(generalise);
        expect(generalise).toBeGreaterThan(generate);
        const strictly = STRATEGIES.map((one) => reward({ ...quality, strategy: one }, strict).raw);
        expect(strictly).toEqual([...new Set(strictly)].sort((a, b) => b - a));
      }),
    );
  });

  it("[SN2] a larger bonus never lowers R, and a better term never does", () => {
    fc.assert(
      fc.property(measured, policies, fc.constantFrom(...TERMS), (one, by, term) => {
        const { strategy } = one;
        const before = reward(one, by).total;
        const raised =
          term === "bonus"
            ? reward(one, { ...by, bonus: { ...by.bonus, [strategy]: 1000 } })
            : reward(
                { ...one, ...(term === "similarity" ? { cosine: 0 } : { [term]: BILLION }) },
                by,
              );
        expect(raised.total).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it("[SN3] R stays within the reachable range, and reaches both ends", () => {
    fc.assert(
      fc.property(measured, policies, (one, by) => {
        const { raw } = reward(one, by);
        const { least, most } = reachable(one.strategy, by);
        expect(raw).toBeGreaterThanOrEqual(least);
        expect(raw).toBeLessThanOrEqual(most);
        expect(Number.isSafeInteger(raw)).toBe(true);
      }),
    );
    const ranges = STRATEGIES.map((strategy) => reachable(strategy, policy));
    expect(ranges.map(({ most }) => most / FULL_SCORE)).toEqual([0.9, 0.86, 0.86, 0.84, 0.8]);
    expect(ranges.map(({ least }) => least / FULL_SCORE)).toEqual([0, -0.04, -0.04, -0.06, -0.1]);
  });

  it("[SN4] the gate is exact: 650 thousandths pass, a billionth of a term less does not", () => {
    const compose = { strategy: "compose", cost: 0 } as const;

    expect(R(compose)).toBe(0.65);
    expect(scoreOf(compose).passes).toBe(true);
    expect(scoreOf({ ...compose, judge: BILLION / 2 - 1 }).passes).toBe(false);
    expect(passesGate(650 * BILLION, policy)).toBe(true);
    expect(passesGate(650 * BILLION - 1, policy)).toBe(false);
  });
});

describe("the terms", () => {
  it("[SN5] cost_ratio is clipped, and an estimate of nothing asks whether it cost nothing", () => {
    expect([costRatio(0, 0), costRatio(1, 0)]).toEqual([BILLION, 0]);
    expect([costRatio(0, 4), costRatio(1, 4), costRatio(4, 4), costRatio(9, 4)]).toEqual([
      BILLION,
      750_000_000,
      0,
      0,
    ]);
    expect(costRatio(1, 3)).toBe(666_666_666);
  });

  it("[SN6] similarity_penalty is all or nothing, above .85", () => {
    expect(
      [0, 0.85, 0.85 + 1e-9, 1].map((one) => similarityPenalty(billionths(one), policy)),
    ).toEqual([0, 0, BILLION, BILLION]);
  });

  it("[SN7] coverage_bonus is the share of the family's uncovered proto-mnests", () => {
    expect(coverage(["a", "b", "b", "z"], ["a", "b", "c"])).toBe(666_666_666);
    expect(coverage(["a"], ["a"])).toBe(BILLION);
    expect([coverage([], ["a"]), coverage(["a"], [])]).toEqual([0, 0]);
  });

  it("[SN8] det_pass_rate: tests passed of those run; of a chain, the product of its hops", () => {
    expect([testRate(5, 6), testRate(6, 6), testRate(0, 0)]).toEqual([833_333_333, BILLION, 0]);
    const hop = { ok: 19, runs: 20 };
    expect(chainRate([hop, hop, hop])).toBe(857_375_000);
    expect(chainRate([hop, { ok: 0, runs: 0 }])).toBe(0);
    expect(chainRate([])).toBe(BILLION);
  });
});

interface Terms {
  readonly strategy: string;
  readonly det_pass_rate: number;
  readonly judge_score: number;
  readonly cost_ratio: number;
  readonly similarity_penalty: number;
  readonly coverage_bonus: number;
}

interface Total {
  readonly total: number;
  readonly gate_epsilon_1e9: boolean;
}

const spelt = (strategy: string) => strategy.replace(/ize$/, "ise") as Strategy;

const totalOf = (terms: Terms) =>
  reward(
    {
      strategy: spelt(terms.strategy),
      det: billionths(terms.det_pass_rate),
      judge: billionths(terms.judge_score),
      cost: billionths(terms.cost_ratio),
      cosine: billionths(terms.similarity_penalty),
      coverage: billionths(terms.coverage_bonus),
    },
    policy,
  );

/** A penalty between 0 and 1 is none: above .85 it is 1. */
const Y5 = ["reward.compute-014", "reward.compute-046"];

describe.skipIf(isAbsent)(golden("scores"), () => {
  it("[SN1, SN41] R and the gate, within 1e-9", () => {
    const cases = casesOf<Terms, Total>("reward.compute");
    const ours = cases.filter(({ id }) => !Y5.includes(id));

    expect([cases.length, ours.length]).toEqual([34, 32]);
    for (const { id, input, expected } of ours) {
      const { total, passes } = totalOf(input);
      expect(Math.abs(total / FULL_SCORE - expected.total), id).toBeLessThan(1e-9);
      expect([id, passes]).toEqual([id, expected.gate_epsilon_1e9]);
    }
  });

  it.each(Y5)("[SN6, SN41] %s differs by ruling Y5: the penalty is a whole one", (id) => {
    const { input, expected } = caseOf<Terms, Total>(id);
    const missing = (BILLION - billionths(input.similarity_penalty)) / BILLION;

    const { total, terms } = totalOf(input);

    expect(terms.similarity).toBe(BILLION);
    expect(total / FULL_SCORE).toBeCloseTo(expected.total - 0.1 * missing, 9);
  });

  it("[SN4, SN41] where floats miss the gate by a bit, thousandths do not (ruling Y3)", () => {
    const { input, expected } = caseOf<Terms, { gate_0_65_ge: boolean }>("reward.compute-004");

    expect([expected.gate_0_65_ge, totalOf(input).passes]).toEqual([false, true]);
  });

  it("[SN2, SN41] what a strategy scores with a judge of two minds; ask is none (ruling Y10)", () => {
    const cases = casesOf<{ strategy: string }, { total: number }>("reward.defaults");
    const ours = cases.filter(({ input }) => input.strategy !== "ask");

    expect([cases.length, ours.length]).toEqual([4, 3]);
    for (const { input, expected } of ours) {
      expect(R({ strategy: spelt(input.strategy) })).toBe(expected.total);
    }
  });

  it("[SN1, SN41] the real system's merge and generalise, given its own coverage (Y6 has another)", () => {
    const merges = casesOf<{ jaccard: number }, { total: number }>("reward.merge_upstream");
    const others = casesOf<{ members: number }, { total: number }>("reward.generalize_upstream");

    expect([merges.length, others.length]).toEqual([3, 2]);
    for (const { input, expected } of merges) {
      expect(R({ strategy: "merge", coverage: billionths(input.jaccard) })).toBe(expected.total);
    }
    for (const { input, expected } of others) {
      const filled = billionths(Math.min(1, input.members / 5));
      expect(R({ strategy: "generalise", coverage: filled })).toBe(expected.total);
    }
  });

  it("[SN2, SN41] the weak order of strategies holds, the strict one does not (ruling Y1)", () => {
    interface Quality {
      readonly det_pass_rate: number;
      readonly judge_score: number;
    }
    const cases = casesOf<Quality, { R: Record<Strategy, number> }>("reward.monotonic");

    expect(cases).toHaveLength(3);
    for (const { input, expected } of cases) {
      const quality = {
        det: billionths(input.det_pass_rate),
        judge: billionths(input.judge_score),
      };
      const found = STRATEGIES.map((strategy) => [strategy, R({ ...quality, strategy })]);
      expect(Object.fromEntries(found)).toEqual(expected.R);
    }
  });

  it("[SN1, SN41] the seed's audit line implies a judge of .4875", () => {
    const { expected } = caseOf<unknown, { if_coverage_1_then_judge: number }>(
      "reward.seed_example-001",
    );
    const judge = billionths(expected.if_coverage_1_then_judge);

    expect(R({ strategy: "compose", det: billionths(0.95), judge })).toBe(0.78);
  });
});
