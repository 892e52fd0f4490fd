import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyseSynt } from "../src/actors/synt/analysis.ts";
import { MEASURED, type MeasuredTerm } from "../src/actors/synt/fixedTerms.ts";
import { ALL, NONE, type Share, share } from "../src/machines/synt/score/exactShare.ts";
import { BILLION, type Measured, reward, STRATEGIES } from "../src/machines/synt/score/reward.ts";
import { policyWith, profiles } from "./builtIn.ts";
import { caseOf, golden, isAbsent } from "./machines/synt/metnosOracle.ts";
import { eventsOf, played, syntScenario } from "./syntWorld.ts";

const { synt } = policyWith({});
const analysis = analyseSynt(synt);
const of = (strategy: string, from = analysis) => {
  const found = from.strategies.find((one) => one.strategy === strategy);
  if (found === undefined) throw new Error(`no ${strategy}`);
  return found;
};
const said = (from = analysis) => from.findings.map(({ id }) => id);

const thousandth = fc.integer({ min: 0, max: 1000 });
const policies = fc
  .record({
    gate: thousandth,
    weights: fc.record({
      det: thousandth,
      judge: thousandth,
      cost: thousandth,
      similarity: thousandth,
      coverage: thousandth,
      bonus: thousandth,
    }),
    bonus: fc.record({
      compose: thousandth,
      merge: thousandth,
      specialise: thousandth,
      generalise: thousandth,
      generate: thousandth,
    }),
  })
  .map((some) => ({ ...synt, reward: { ...synt.reward, ...some } }));

const best: Omit<Measured, "strategy"> = {
  det: ALL,
  judge: ALL,
  cost: ALL,
  cosine: 0,
  coverage: ALL,
};
const worst = (...terms: readonly MeasuredTerm[]) =>
  Object.fromEntries(
    terms.map((term) => (term === "similarity" ? ["cosine", BILLION] : [term, NONE])),
  );

const part = fc.nat(BILLION).map((billionths) => share(billionths, BILLION));
const someTerms = fc.record({
  det: part,
  judge: part,
  cost: part,
  cosine: fc.nat(BILLION),
  coverage: part,
});

type Told = (typeof analysis.strategies)[number];
type Some = typeof someTerms extends fc.Arbitrary<infer T> ? T : never;

/** A minimum passes and a billionth less does not, under any weights. */
function expectMinima({ strategy, minima }: Told, policy: typeof synt): void {
  for (const term of ["det", "judge", "cost", "coverage"] as const) {
    const least = minima[term];
    const passesAt = (value: Share) =>
      reward({ ...best, strategy, [term]: value }, policy.reward).passes;
    const billionths = Math.round((least ?? 0) * BILLION);
    if (least === null) expect(passesAt(ALL)).toBe(false);
    else expect(passesAt(share(billionths, BILLION))).toBe(true);
    if (least !== null && least > 0) {
      expect(passesAt(share(billionths - 1, BILLION))).toBe(false);
    }
  }
}

/** A veto holds whatever the others are, and only a veto does. */
function expectVetoes(told: Told, policy: typeof synt, some: Some): void {
  const { strategy, vetoes, vetoPairs, fixed } = told;
  const passes = (change: object, from: object = best) =>
    reward({ ...best, ...from, strategy, ...change }, policy.reward).passes;
  for (const term of MEASURED) {
    if (fixed.some((one) => one.term === term)) expect(vetoes).not.toContain(term);
    else expect(passes(worst(term))).toBe(!vetoes.includes(term));
    if (vetoes.includes(term)) expect(passes(worst(term), some)).toBe(false);
  }
  for (const pair of vetoPairs) expect(passes(worst(...pair), some)).toBe(false);
}

/** A term that never decides turns no refusal into a pass. */
function expectUndecided(told: Told, policy: typeof synt, drawn: Some): void {
  const { strategy, neverDecides, fixed } = told;
  const held = Object.fromEntries(
    fixed.map(({ term, at }) => (term === "similarity" ? ["cosine", 0] : [term, share(at, 1)])),
  );
  const some = { strategy, ...drawn, ...held };
  for (const term of neverDecides.filter((one) => !fixed.some(({ term }) => term === one))) {
    const low = reward({ ...some, ...worst(term) }, policy.reward);
    const high = reward(
      { ...some, ...(term === "similarity" ? { cosine: 0 } : { [term]: ALL }) },
      policy.reward,
    );
    expect(low.passes).toBe(high.passes);
  }
}

describe("what the weights imply", () => {
  it("[SN46] the range of each strategy, by weights and by rule", () => {
    expect(analysis.strategies.map(({ range }) => range.most)).toEqual([
      0.9, 0.86, 0.86, 0.84, 0.8,
    ]);
    expect(of("generate").rangeByRule).toEqual({ least: 0.4, most: 0.8 });
    expect(of("compose").rangeByRule).toEqual({ least: 0.25, most: 0.9 });
  });

  it("[SN47] the ties, and whether the bonuses order the strategies", () => {
    const strict = analyseSynt(policyWith(profiles["strict"] ?? {}).synt);

    expect([analysis.ties, analysis.order]).toEqual([
      [["merge", "specialise"]],
      { strict: false, weak: true },
    ]);
    expect([strict.ties, strict.order]).toEqual([[], { strict: true, weak: true }]);
    expect(said(strict)).not.toContain("tie");
  });

  it("[SN82] what the machine leaves no choice: tests of a rewrite, likeness of a chain, a free judge", () => {
    expect(of("compose").fixed.map(({ term, at }) => [term, at])).toEqual([
      ["cost", 1],
      ["similarity", 0],
    ]);
    for (const strategy of ["merge", "specialise", "generalise", "generate"]) {
      expect(of(strategy).fixed.map(({ term, at }) => [term, at])).toEqual([
        ["det", 1],
        ["cost", 1],
      ]);
    }
    expect(analysis.findings.filter(({ id }) => id === "similarity")).not.toContainEqual(
      expect.objectContaining({ says: expect.stringContaining("compose") }),
    );
  });

  it("[SN82] a priced judge costs: nothing is free then, and what has no estimate scores less", () => {
    const priced = {
      "local-fast": { provider: "anthropic", model: "m", price: { asked: 1, answered: 1 } },
    };
    const dear = analyseSynt(synt, { tiers: priced });

    expect(of("compose", dear).fixed.map(({ term }) => term)).toEqual(["similarity"]);
    expect([analysis.generated, dear.generated]).toEqual([0.7, 0.55]);
    expect(said(dear).filter((id) => id === "dear")).toHaveLength(2);
    expect(said()).not.toContain("dear");
    for (const what of ["asked", "answered"]) {
      const { synt: dearer } = policyWith({ [`synt.tiers.price.localFast.${what}`]: 1 });
      expect(analyseSynt(dearer).isFree).toBe(false);
    }
  });

  it("[SN82] what runs of an executor cost is in no R, as runs show", () => {
    const scenario = syntScenario("synt-audit-example");
    const { synt: world } = scenario;
    if (world === undefined) throw new Error("a world without synt");
    const weighedAt = (costs: number) => {
      const crafts = world.repertoire.crafts.map((one) => ({ ...one, costs }));
      const repertoire = { ...world.repertoire, crafts };
      return eventsOf(
        played({ ...scenario, synt: { ...world, repertoire } }).log,
        "synth.stated",
      ).map(({ event }) => event.weighed);
    };

    expect(weighedAt(90)).toEqual(weighedAt(0));
    expect(said()).toContain("executor-cost");
  });

  it("[SN46] what a priced wise tier changes: the cost of a generation decides again", () => {
    const priced = policyWith({ "synt.tiers.price.wise.answered": 100 }).synt;

    expect(of("generate", analyseSynt(priced)).neverDecides).toEqual(["det"]);
  });

  it("[SN47] where a structurally wrong chain wins, and what stops it", () => {
    const loose = analyseSynt(policyWith({ "synt.compose.hopsMax": 7 }).synt);
    const equal = analyseSynt(policyWith({ "synt.reward.weights.bonus": 0 }).synt);

    expect(analysis.wrongChain).toEqual({ hops: 7, winsFrom: 0.954, isStopped: true });
    expect(loose.wrongChain.isStopped).toBe(false);
    expect(equal.wrongChain.winsFrom).toBe(1);
    expect(equal.ties).toHaveLength(10); // A bonus that weighs nothing tells no two of five apart.
    expect(analysis.chains.map(({ longestWinning }) => longestWinning)).toEqual([
      3,
      6,
      11,
      33,
      null,
    ]);
  });

  it("[SN47] a chain of the same R as a generation is the one that is taken, at any length", () => {
    const alike = analyseSynt(policyWith({ "synt.reward.bonus.compose": 0 }).synt);

    expect(alike.chains.at(-1)).toMatchObject({ perHop: 1, longestWinning: null });
    expect(alike.chains[0]).toMatchObject({ longestWinning: 0 });
  });

  it("[SN47] how many birth tests the gate forgives: none of 4, 5 or 6 with the judge at .5", () => {
    expect(analysis.tests.map(({ mayFail }) => mayFail)).toEqual([0, 0, 0]);
    expect(analyseSynt(synt, { judge: ALL }).tests.map(({ mayFail }) => mayFail)).toEqual([
      1, 2, 2,
    ]);
    expect(analyseSynt(synt, { judge: NONE }).tests.map(({ mayFail }) => mayFail)).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("[SN48] a minimum passes and a billionth less does not; only a veto holds whatever the others are; a term that never decides turns no refusal into a pass", () => {
    fc.assert(
      fc.property(policies, someTerms, (policy, drawn) => {
        for (const told of analyseSynt(policy).strategies) {
          expectMinima(told, policy);
          expectVetoes(told, policy, drawn);
          expectUndecided(told, policy, drawn);
        }
      }),
    );
  });

  it("[SN48] says which strategies need a judge, and how good a one; none where nothing is needed", () => {
    const needs = (gate: number) => {
      const at = analyseSynt(policyWith({ "synt.reward.gate": gate }).synt);
      const told = at.findings.flatMap(({ id, says }) => (id === "judge" ? [says] : []));
      const named = at.strategies.filter(({ minima }) => (minima.judge ?? 0) > 0);
      expect(told).toEqual(
        named.map(
          ({ strategy, minima }) =>
            `${strategy} needs a judge_score of ${Number(minima.judge?.toFixed(4))} with all else at its best.`,
        ),
      );
      return told.length;
    };

    expect([0, 650, 700].map(needs)).toEqual([0, 2, 4]);
  });

  it("[SN48] says only what holds: a gate nobody reaches, and one nobody misses", () => {
    const high = analyseSynt(policyWith({ "synt.reward.gate": 850 }).synt);
    const none = analyseSynt(policyWith({ "synt.reward.gate": 0 }).synt);

    const hopeless = high.findings.filter(({ id }) => id === "hopeless");
    expect(hopeless.map(({ says }) => says.split(" ")[0])).toEqual(["generalise", "generate"]);
    const [most] = high.strategies.map(({ range }) => range.most).toSorted((a, b) => a - b);
    const reached = analyseSynt(policyWith({ "synt.reward.gate": Number(most) * 1_000 }).synt);
    expect(reached.findings.map(({ id }) => id)).not.toContain("hopeless");
    expect(said(none)).toContain("certain");
    expect(said()).not.toContain("certain");
    // From 0 to 1 and no further: nothing to say of the range.
    const weights = { "synt.reward.weights.det": 450, "synt.reward.weights.similarity": 0 };
    expect(said()).toContain("range");
    expect(said(analyseSynt(policyWith(weights).synt))).not.toContain("range");
  });
});

it("[SN46, SN48] finds and says the same of each of these policies, to the number", async () => {
  const price = { asked: 1, answered: 1 };
  const priced = { "local-fast": { provider: "anthropic", model: "m", price } };
  const all: readonly (readonly [string, ReturnType<typeof analyseSynt>])[] = [
    ["as it is", analysis],
    ["where models cost", analyseSynt(synt, { tiers: priced })],
    ...Object.keys(profiles).map(
      (name) => [`profile ${name}`, analyseSynt(policyWith(profiles[name] ?? {}).synt)] as const,
    ),
    ...[0, 650, 700, 850].map(
      (gate) =>
        [`gate ${gate}`, analyseSynt(policyWith({ "synt.reward.gate": gate }).synt)] as const,
    ),
  ];
  const texts = all.map(([name, { findings, strategies }]) =>
    [
      ...[name, ""],
      ...strategies.map(({ strategy, range, rangeByRule, ...more }) => {
        const { vetoes, vetoPairs, neverDecides, bonusIsWorth } = more;
        const row = { strategy, range, rangeByRule, vetoes, vetoPairs, neverDecides, bonusIsWorth };
        return JSON.stringify(row);
      }),
      ...findings.map(({ id, says }) => `${id}: ${says}`),
    ].join("\n"),
  );

  await expect(`${texts.join("\n\n---\n\n")}\n`).toMatchFileSnapshot("syntAnalysis.txt");
});

interface Recorded {
  readonly [what: string]: { readonly [strategy: string]: number };
}

describe.skipIf(isAbsent)(golden("the analysis"), () => {
  const { expected } = isAbsent
    ? { expected: {} }
    : caseOf<unknown, Recorded>("reward.analysis-001");
  const table = (pick: (strategy: string) => number | null) =>
    Object.fromEntries(STRATEGIES.map((one) => [one, Number(pick(one)?.toFixed(4))]));

  it("[SN46, SN41] reachable maxima and minima", () => {
    const recorded = expected as Recorded;

    expect(table((one) => of(one).range.most)).toEqual(recorded["max_R"]);
    expect(table((one) => of(one).minimaAtJudge.det)).toEqual(
      recorded["min_det_to_pass_gate_judge_0_5"],
    );
    expect(table((one) => of(one).minimaAtJudge.cost)).toEqual(
      recorded["min_cost_ratio_to_pass_gate_judge_0_5"],
    );
    expect(table((one) => of(one).minimaAtJudge.coverage)).toEqual(
      recorded["min_coverage_to_pass_gate_judge_0_5"],
    );
    expect(table((one) => of(one).minima.judge)).toEqual(
      recorded["min_judge_to_pass_gate_all_else_best"],
    );
    expect(of("compose").bonusIsWorth.judge).toBe(recorded["judge_gap_needed_to_beat_compose"]);
    expect(of("compose").bonusIsWorth.det).toBeCloseTo(
      Number(recorded["det_gap_needed_to_beat_compose"]),
      4,
    );
  });

  it("[SN47, SN41] where chains of ever more hops lose to a generation", () => {
    const rows = caseOf<unknown, Record<string, number>[]>("reward.hop_crossover-001").expected;

    expect(rows).toHaveLength(4);
    for (const row of rows) {
      const chain = analysis.chains.find(({ perHop }) => perHop === row["per_hop_success"]);
      expect(chain?.longestWinning).toBe(row["max_hops_compose_still_wins"]);
      expect(analysis.generated).toBe(row["R_generate"]);
      for (const hops of [1, 2, 3, 5, 6, 7]) {
        expect(chain?.totals[hops - 1]).toBeCloseTo(row[`R_compose_${hops}_hops`] ?? 0, 4);
      }
    }
  });
});
