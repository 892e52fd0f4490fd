// What is said of scores, word for word.
import { expect, it } from "vitest";
import { scoresTold } from "../../../src/actors/synt/scoreMoved.ts";
import { ALL, NONE, type Share } from "../../../src/machines/synt/score/exactShare.ts";
import { BILLION, type Measured, reward } from "../../../src/machines/synt/score/reward.ts";
import { policyWith } from "../../builtIn.ts";
import { delivery } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

const { synt } = policyWith({});

function weighed(measured: Partial<Measured>, artefact: unknown = ["read", "sort"]) {
  const best = { strategy: "compose", det: ALL, judge: ALL, cost: ALL, cosine: 0, coverage: ALL };
  const all = { ...best, ...measured } as Measured;
  return { strategy: all.strategy, artefact, scored: { reward: reward(all, synt.reward) } };
}
const stated = (seq: number, request: string, all: readonly object[], given: object = {}) =>
  delivery({
    ...{ seq, to: "synt", cause: 10 * seq, ...given },
    event: strangeEvent("synth.stated", { request, intent: "sort", weighed: all }),
  });
const told = (...log: readonly ReturnType<typeof stated>[]) => [...scoresTold(log)];

const half: Share = [1, 2];

it("[SN80] each proposal is told with R and, below the threshold, what its terms add, the least first", () => {
  expect(told(stated(1, "req-1", [weighed({})]))).toEqual([
    [10, "R 0.900 of read → sort reaches the threshold."],
  ]);
  expect(
    told(stated(1, "req-1", [weighed({ det: half, judge: [2, 3], cost: NONE, coverage: NONE })])),
  ).toEqual([
    [
      10,
      "R 0.408 of read → sort is below the threshold: cost_ratio 0.000 adds 0.000, " +
        "coverage_bonus 0.000 adds 0.000, judge_score 0.666 adds 0.133, det_pass_rate 0.500 adds 0.175.",
    ],
  ]);
});

it("[SN80] likeness to the pool is named only where it takes something off, and a bonus never", () => {
  const low = { strategy: "generate", judge: NONE, cost: NONE, coverage: ALL } as const;

  expect(
    told(stated(1, "req-1", [weighed({ ...low, cosine: BILLION }, { name: "sort" })])),
  ).toEqual([
    [
      10,
      "R 0.350 of sort is below the threshold: similarity_penalty 1.000 adds -0.100, " +
        "judge_score 0.000 adds 0.000, cost_ratio 0.000 adds 0.000.",
    ],
  ]);
  expect(told(stated(1, "req-1", [weighed(low, null)]))[0]?.[1]).not.toMatch(/similarity|bonus_/);
});

it("[SN80] where the same was scored before it is told what moved R since, most first", () => {
  const log = [
    stated(1, "req-1", [weighed({ judge: half })]),
    stated(2, "req-2", [weighed({ det: [9, 10], judge: ALL, cost: NONE })]),
    stated(3, "req-3", [weighed({ det: [9, 10], judge: ALL, cost: NONE })]),
  ];

  expect(told(...log).map(([, says]) => says)).toEqual([
    "R 0.800 of read → sort reaches the threshold.",
    "R 0.715 of read → sort reaches the threshold. In req-1 it was 0.800: " +
      "cost_ratio 1.000 → 0.000 took off 0.150, judge_score 0.500 → 1.000 added 0.100, " +
      "det_pass_rate 1.000 → 0.900 took off 0.035.",
    "R 0.715 of read → sort reaches the threshold. In req-2 it was 0.715.",
  ]);
});

it("[SN80] the same is what has intent, strategy and name; several at once are told in one", () => {
  const two = [weighed({}), weighed({ strategy: "merge" }), weighed({}, { name: "a" })];

  expect(told(stated(1, "req-1", two))).toEqual([
    [
      10,
      "R 0.900 of read → sort reaches the threshold. R 0.860 of read → sort reaches the threshold. " +
        "R 0.900 of a reaches the threshold.",
    ],
  ]);
  // What a request passes on, rests on nothing, or was not weighed is told by nothing.
  expect(told(stated(1, "req-1", two, { to: "pool" }))).toEqual([]);
  expect(told(stated(1, "req-1", two, { cause: null }))).toEqual([]);
  expect(told(stated(1, "req-1", []))).toEqual([]);
  expect(told(stated(1, "r", [weighed({}, null)]))[0]?.[1]).toBe(
    "R 0.900 of it reaches the threshold.",
  );
});
