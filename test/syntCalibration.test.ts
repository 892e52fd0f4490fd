// The calibration aid: what thirty syntheses say of the weights of R.

import { expect, it } from "vitest";
import { calibrationOf, calibrationText } from "../src/actors/synt/calibration.ts";
import type { ProposalState } from "../src/machines/synt/contract.ts";
import { auditLine } from "../src/machines/synt/desk/syntDesk.ts";
import { ALL, NONE, shareOfDecimal } from "../src/machines/synt/score/exactShare.ts";
import { reward, type Strategy } from "../src/machines/synt/score/reward.ts";
import { policyWith } from "./builtIn.ts";

const { synt } = policyWith({});

const termsOf = (judge: number) => ({
  ...{ det: ALL, judge: shareOfDecimal(judge), cost: ALL, cosine: 0, coverage: NONE },
});

/** The two lines of a request: scored, and ended. */
function synthesis(nth: number, strategy: Strategy, judge: number, state: ProposalState) {
  const request = `req-${nth}`;
  const terms = termsOf(judge);
  const scored = { reward: reward({ strategy, ...terms }, synt.reward), judgeReasoning: "so" };
  const stated = {
    ...{ request, mode: "reactive" as const, proto: null, intent: "a", strategy, rationale: "so" },
    ...{ error: null, artefact: null, revises: null, scored, weighed: [] },
  };
  const facts = {
    ...{ epochMs: 0, costCents: 0, exceededCents: 0, budgetCents: 5, durationMs: 1, line: 1 },
  };
  return (["composed", state] as const).map((one) =>
    JSON.parse(auditLine({ ...stated, state: one }, facts)),
  );
}
const many = (count: number) =>
  Array.from({ length: count }, (_, nth) => synthesis(nth, "compose", 0.9, "delivered")).flat();

it("[SN108] is due with the thirtieth synthesis that was scored and has ended", () => {
  const [open] = synthesis(90, "compose", 0.9, "delivered");
  const { reward: _, ...unscored } = synthesis(91, "generate", 0.9, "abandoned")[1];
  const early = calibrationOf([...many(29), open, unscored], synt);
  const due = calibrationOf(many(30), synt);

  expect([early.syntheses, early.isDue]).toEqual([29, false]);
  expect(calibrationText(early)).toBe(
    "Calibration of R: 29 of the 30 syntheses after which its weights are due for a look.",
  );
  expect([due.syntheses, due.isDue]).toEqual([30, true]);
  expect(calibrationText(due)).toContain(
    "\n- Passed by their bonus alone: none.\n- No bonus has won where the person turned the proposal down.\n",
  );
  expect(due.strategies).toEqual([{ strategy: "compose", scored: 30, passed: 30, taken: 30 }]);
});

it("[SN108] names each proposal that its bonus alone brought over the gate, and the bonus that would not", () => {
  // 0.35 + 0.2 × judge + 0.15 without the bonus: 0.6 for a judge at 0.5, 0.05 below the threshold.
  const lines = [
    ...many(28),
    ...synthesis(50, "compose", 0.5, "abandoned"),
    ...synthesis(51, "compose", 0.5, "delivered"),
    ...synthesis(52, "compose", 0.95, "abandoned"),
    ...synthesis(53, "merge", 0.6, "rejected"),
  ];
  const found = calibrationOf(lines, synt);

  expect(found.byBonus).toEqual(["req-50", "req-51", "req-53"]);
  expect(found.wrongWins).toEqual([
    { request: "req-50", strategy: "compose", bonusBelow: 499 },
    { request: "req-53", strategy: "merge", bonusBelow: 299 },
  ]);
  // 0.35 + 0.2 × 0.75 + 0.15 is the threshold itself, without any bonus.
  const alone = calibrationOf(synthesis(54, "compose", 0.75, "abandoned"), synt);
  expect(alone).toMatchObject({ syntheses: 1, byBonus: [], idle: [] });
  const passes = (bonus: number, strategy: "compose" | "merge", judge: number) => {
    const { reward: by } = policyWith({ [`synt.reward.bonus.${strategy}`]: bonus }).synt;
    const terms = termsOf(judge);
    return reward({ strategy, ...terms }, by).passes;
  };
  expect([passes(499, "compose", 0.5), passes(500, "compose", 0.5)]).toEqual([false, true]);
  expect([passes(299, "merge", 0.6), passes(300, "merge", 0.6)]).toEqual([false, true]);
  expect(calibrationText(found).split("\n")).toEqual([
    "Calibration of R is due: 32 syntheses, of which 30 are wanted.",
    "- compose 31 scored, 31 passed, 29 taken; merge 1 scored, 1 passed, 0 taken.",
    "- Passed by their bonus alone: req-50, req-51, req-53.",
    "- req-50 passed by compose's bonus alone and was turned down: lower synt.reward.bonus.compose to 499 or less.",
    "- req-53 passed by merge's bonus alone and was turned down: lower synt.reward.bonus.merge to 299 or less.",
    "- The same in all of them, so never deciding: det_pass_rate, cost_ratio, similarity_penalty, coverage_bonus.",
  ]);
  expect(found.idle).toEqual([
    ...["det_pass_rate", "cost_ratio", "similarity_penalty", "coverage_bonus"],
  ]);
});
