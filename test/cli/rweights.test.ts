// Weights of R fitted to what people decided: from recorded runs, and from lines written by hand.
import { cpSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { fitRewardWeights } from "../../src/actors/synt/edge/weightFit.ts";
import { ALL, NONE } from "../../src/machines/synt/score/exactShare.ts";
import { policyWith } from "../builtIn.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

const cwd = newFolder();
const recorded = ["synt-audit-example", "synt-merge", "synt-chain-choice", "synt-format-json"].map(
  (name) => resolve("recordings", name),
);
const terms = {
  det_pass_rate: "19/20",
  judge_score: 0.5,
  cost_ratio: 1,
  similarity_penalty: 0,
  coverage_bonus: 1,
};
let files = 0;
function file(...lines: readonly unknown[]): string {
  files += 1;
  const name = `decisions-${files}.jsonl`;
  const texts = lines.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  writeFileSync(join(cwd, name), `${texts.join("\n")}\n`);
  return name;
}
const tune = (name: string, ...more: string[]) =>
  ghostlight(["tune", "rweights", "--decisions", name, ...more], { cwd });
const tuned = (name: string, ...more: string[]) =>
  json(["tune", "rweights", "--decisions", name, ...more], { cwd });
const decision = (verdict: string, judge: number | string, more: object = {}) => ({
  strategy: "compose",
  verdict,
  terms: { ...terms, judge_score: judge },
  ...more,
});

describe("from recorded runs", () => {
  it("[ST90,ST92] what people decided there goes to weights that agree as well as the shipped ones", async () => {
    const audit = await ghostlight(["synt", "audit", "--decisions", ...recorded], { cwd });
    const name = file(audit.stdout.trimEnd());

    const { fit, lines } = await tuned(name);

    expect(audit.code).toBe(0);
    expect(lines).toBe(audit.stdout.trimEnd().split("\n").length);
    expect(fit.decided).toBeGreaterThan(2);
    expect(fit.found.agreed).toBeGreaterThanOrEqual(fit.given.agreed);
    expect(fit.found.broken).toEqual([]);
  });

  it("[ST93] where the shipped weights agree best they stay, and the bound shows that nothing does better", async () => {
    const { fit } = await tuned(file(decision("approve", 0.9), decision("approve", 0.8)));

    expect(fit.found.weights).toEqual(fit.given.weights);
    expect(fit).toMatchObject({ atMost: 2, isProven: true, found: { agreed: 2 } });
  });

  it("[ST91] takes a yes for a yes, and says what it leaves out, and where it is blind", async () => {
    const name = file(
      ...[decision("approve", 1), decision("unasked", 1), decision("unasked", 1)],
      decision("amend", 1),
    );

    const { stdout } = await tune(name);

    expect(stdout).toContain("1 decision of a person, 2 granted without asking and 1 amended");
    expect(stdout).toContain("blind below the threshold of 0.650");
    expect(await tuned(name)).toMatchObject({
      ...{ lines: 4, unasked: 2, amended: 1, blindBelow: 650 },
      // The yes is one that passes.
      fit: { decided: 1, given: { confusion: { passedTaken: 1, passedRefused: 0 } } },
    });
  });
});

describe("decisions of recorded runs", () => {
  it("[ST90] holds what was approved, sent back and turned down, in the order in which it was", async () => {
    const runs = ["synt-night-dossier", "synt-month-lock"].map((name) =>
      resolve("recordings", name),
    );
    const verdictsIn = async (...folders: readonly string[]) => {
      const { decisions } = await json(["synt", "audit", "--decisions", ...folders], { cwd });
      return decisions.map(({ verdict }: { readonly verdict: string }) => verdict);
    };

    const [night, month] = [
      ["approve", "amend", "approve"],
      ["discard", "discard"],
    ];
    expect(await verdictsIn(...runs)).toEqual([...night, ...month]);
    // Of a folder, its bundles by name.
    const folder = join(cwd, "both");
    for (const run of runs) cpSync(run, join(folder, basename(run)), { recursive: true });
    expect(await verdictsIn(folder)).toEqual([...month, ...night]);
  });
});

it("[ST90] a chain that a person approved is not told a second time, as granted without asking", async () => {
  const run = resolve("recordings/synt-chain-choice");
  const { decisions } = await json(["synt", "audit", "--decisions", run], { cwd });
  const told = decisions.map((one: { readonly request: string; readonly verdict: string }) => [
    one.request,
    one.verdict,
  ]);

  expect(told).toEqual(
    Array.from({ length: 12 }, (_, n) => [`req-${String(n + 1).padStart(4, "0")}`, "approve"]),
  );
});

const OPTIONS = { isSumKept: true, folds: 2, seed: 0 };

describe("fitted", () => {
  const moved = () => tuned(file(decision("approve", 1), decision("discard", 0.5)));

  it("[ST92] moves weights until a refused proposal misses", async () => {
    const { fit } = await moved();

    expect(fit.given).toMatchObject({ agreed: 1, confusion: { passedTaken: 1, passedRefused: 1 } });
    expect(fit.found).toMatchObject({ agreed: 2, broken: [] });
  });

  it("[ST95] a part is judged by weights that never saw it, and the given ones beside them", async () => {
    const { crossValidated } = (await moved()).fit;

    // Weights that saw both agree with both.
    expect(crossValidated).toMatchObject({ folds: 2, groups: 2, of: 2, agreed: 1, given: 1 });
  });

  it("[ST92] keeps the sum of what adds to R", async () => {
    const { judge, det, cost, coverage, bonus } = (await moved()).fit.found.weights;

    expect(judge + det + cost + coverage + bonus).toBe(900);
  });

  const nothing = { ...terms, det_pass_rate: 0, judge_score: 0, cost_ratio: 0, coverage_bonus: 0 };
  const only = (verdict: string, more: object) =>
    decision(verdict, 0, { terms: { ...nothing, strategy_cost_bonus: 0, ...more } });

  it("[ST92] leaves no weight's bounds, and the sum only where it is told to", async () => {
    // 0.65 of a weight reaches the threshold of 0.65 where it is 1; the sum is 0.9.
    const agreed = async (det: number, sum: string) =>
      (await tuned(file(only("approve", { det_pass_rate: det })), "--sum", sum)).fit.found.agreed;

    expect([await agreed(0.65, "free"), await agreed(0.649, "free")]).toEqual([1, 0]);
    expect([await agreed(1.2, "keep"), await agreed(0.65, "keep")]).toEqual([1, 0]);
  });

  it("[ST92] keeps the bonus above 0, so that it orders the strategies", async () => {
    const { fit } = await tuned(file(only("discard", { strategy_cost_bonus: 1000 })));

    expect(fit.found).toMatchObject({ agreed: 0, broken: [] });
    expect(fit.found.weights.bonus).toBeGreaterThanOrEqual(1);
  });

  it("[ST92, ST183] finds no weights by which a chain of seven hops beats a generation that works", async () => {
    const of = (strategy: string, verdict: string, det: number) => ({
      ...{ strategy, verdict, terms: { ...terms, det_pass_rate: det } },
    });
    const { fit } = await tuned(file(of("compose", "approve", 0.6), of("generate", "discard", 1)));

    // With 151 of the bonus, which the rule forbids, both would agree.
    expect(fit.found).toMatchObject({ agreed: 1, broken: [], weights: fit.given.weights });
  });

  it("[ST92] seven hops at 95 of 100 score less up to a bonus of 301, and no more at 302", () => {
    const { reward } = policyWith({}).synt;
    const broken = (bonus: number) => {
      const weights = { ...reward.weights, det: 1000, bonus };
      return fitRewardWeights([], { ...reward, weights }, OPTIONS).given.broken;
    };

    // 0.95 to the seventh is 0.6983.
    expect(broken(301)).toEqual([]);
    expect(broken(302)).toEqual([expect.stringContaining("a chain of 7 hops at 95% each")]);
    expect(broken(0)).toEqual(["the bonus orders the strategies at equal quality"]);
  });

  it.each([
    ["det", [7, 10]],
    ["judge", [1, 2]],
    ["cost", [1, 2]],
    ["similarity", ALL],
    ["coverage", NONE],
  ] as const)(
    "[ST183] finds weights that refuse for its %s alone what else is best",
    (term, less) => {
      const best = {
        det: ALL,
        judge: ALL,
        cost: ALL,
        similarity: NONE,
        coverage: ALL,
        bonus: NONE,
      };
      const of = (isTaken: boolean, more: object = {}) => ({
        ...{ name: "", group: String(isTaken), isTaken, terms: { ...best, ...more } },
      });
      const decided = [of(true), of(false, { [term]: less })];
      const { given, found } = fitRewardWeights(decided, policyWith({}).synt.reward, OPTIONS);

      expect(given).toMatchObject({ agreed: 1, confusion: { passedRefused: 1 } });
      expect(found).toMatchObject({ agreed: 2, broken: [] });
    },
  );

  it("[ST93] two that contradict one another bound what can agree", async () => {
    const { fit } = await tuned(file(decision("approve", 0.5), decision("discard", 0.5)));

    expect(fit).toMatchObject({ atMost: 1, isProven: true, found: { agreed: 1 } });
    const { stdout } = await tune(file(decision("approve", 0.5), decision("discard", 0.5)));
    expect(stdout).toContain("Nothing agrees with more (what adds to R sums to 0.900): the rest");
  });

  it("[ST93] where no two contradict one another and yet not all can agree, it says that nothing is shown", async () => {
    const of = (verdict: string, judge: number, coverage: number) => ({
      ...decision(verdict, judge),
      terms: { ...terms, judge_score: judge, coverage_bonus: coverage },
    });
    // The third passes wherever the first two do: it is half of each.
    const name = file(of("approve", 1, 0), of("approve", 0, 1), of("discard", 0.5, 0.5));
    const { stdout } = await tune(name, "--folds", "2");

    expect(stdout).toMatch(/found +\| 2 of 3/);
    expect(stdout).toContain("at most 3 can agree, and whether any weights do is not shown.");
  });

  it("[ST94] says the median margin exactly, of two the mean of both", async () => {
    // 0.3325 + 0.2 + 0.15 + 0.1 + 0.1 is 0.8825; with half of the judge 0.7825; less 0.65.
    const { fit } = await tuned(file(decision("approve", 1), decision("approve", 0.5)));

    expect(fit.found.margins.middle).toEqual([73, 400]);
  });

  it("[ST94] says to the thousandth how far a weight goes before a decision flips", async () => {
    // 0.35 + 0.2 × 1/2 + 0.15 + 0.1 + 0.1 = 0.8: 150 thousandths above the threshold.
    const one = {
      ...decision("approve", "1/2"),
      terms: { ...terms, det_pass_rate: 1, judge_score: "1/2" },
      request: "req-1",
    };
    const { fit } = await tuned(file(one));

    expect(fit.alone.det_pass_rate).toEqual({ down: { by: 151, flips: "req-1" }, up: null });
    // Half of it counts: 301 is more than the 200 that are there.
    expect(fit.alone.judge_score).toEqual({ down: null, up: null });
    expect(fit.alone.similarity_penalty).toEqual({ down: null, up: null });
    expect(fit.sumKept[0]).toMatchObject({
      ...{ gains: "det_pass_rate", gives: "judge_score" },
      down: { by: 301, flips: "req-1" },
    });
  });

  it("[ST94, ST181] names the first to flip, and the run of a request where decisions are of several runs", async () => {
    const of = (bundle: string, judge: number) =>
      decision("approve", judge, { bundle, request: "req-0001" });
    const [several, one] = await Promise.all([
      tuned(file(of("runs/a", 0.9), of("runs/b", 0.4))),
      tuned(file(of("runs/a", 0.9))),
    ]);

    expect(several.fit.alone.det_pass_rate.down.flips).toBe("req-0001 of runs/b");
    expect(one.fit.alone.det_pass_rate.down.flips).toBe("req-0001");
    const nameless = await tuned(file("", decision("approve", 0.9)));
    expect(nameless.fit.alone.det_pass_rate.down.flips).toBe("line 2");
  });

  it("[ST95] is cross-validated by request, the same with the same seed", async () => {
    const lines = Array.from({ length: 12 }, (_, at) =>
      decision(at % 3 === 0 ? "discard" : "approve", at / 12, { request: `req-${at}` }),
    );
    const name = file(...lines);

    const [a, b] = await Promise.all([tune(name, "--seed", "7"), tune(name, "--seed", "7")]);
    const { fit } = await tuned(name, "--seed", "7");

    expect(a.stdout).toBe(b.stdout);
    expect(fit.crossValidated).toMatchObject({ folds: 5, groups: 12, of: 12 });
    const other = (await tuned(name, "--seed", "8")).fit.crossValidated;
    expect(other.byFold).not.toEqual(fit.crossValidated.byFold);
    const again = await tuned(file(...lines, decision("approve", 1, { request: "req-3" })));
    expect(again.fit.crossValidated).toMatchObject({ folds: 5, groups: 12, of: 13 });
    // Requests of two runs are two, though both count from one.
    const more = decision("approve", 1, { bundle: "runs/b", request: "req-3" });
    expect((await tuned(file(...lines, more))).fit.crossValidated).toMatchObject({ groups: 13 });
    const one = await tune(name, "--folds", "1");
    expect([one.code, one.stderr]).toEqual([2, expect.stringContaining("2 or more")]);
  });
});

describe("refused", () => {
  it("[ST96] names each bad line, what stands there and what is allowed", async () => {
    const name = file(
      "{",
      { strategy: "compose", verdict: "yes", terms },
      decision("approve", "1/0"),
      decision("approve", "9".repeat(500)),
      { ...decision("approve", 1), terms: { ...terms, judge: 1 } },
    );

    const { code, stderr } = await tune(name);

    expect(code).toBe(2);
    expect(stderr).toContain(`${name}:1: found "{"; allowed: an object of JSON on each line`);
    expect(stderr).toContain(`${name}:2 verdict: found "yes"; allowed: approve | discard`);
    expect(stderr).toContain(`${name}:3 terms.judge_score: found "1/0"; allowed: a number`);
    expect(stderr).toContain(`${name}:4 terms.judge_score`);
    expect(stderr).toContain(`${name}:5 terms.judge: found a term that R has not`);
  });

  it("[ST96] takes no decision twice, no file that is none, and nothing to fit", async () => {
    const twice = decision("approve", 1, { request: "req-1", delivery: 4 });

    const [again, none, empty] = await Promise.all([
      tune(file(twice, twice)),
      tune("nowhere.jsonl"),
      tune(file(decision("unasked", 1))),
    ]);

    const elsewhere = await tune(
      file(
        { ...twice, bundle: "runs/a" },
        { ...twice, bundle: "runs/b" },
        { ...twice, delivery: 5 },
        // A night's dossier is decided at once, request by request.
        { ...twice, bundle: "runs/a", request: "req-2" },
      ),
    );
    expect(elsewhere.code).toBe(0);
    expect((await tune(file(decision("approve", 1000)))).code).toBe(0);
    expect((await tune(file(decision("approve", "1001/1")))).stderr).toContain("at most 1000");
    expect(again?.stderr).toContain("the decision of line 1 once more");
    expect(none?.stderr).toContain("no such file");
    expect(empty?.stderr).toContain("no yes or no of a person");
    expect([again?.code, none?.code, empty?.code]).toEqual([2, 2, 2]);
  });
});
