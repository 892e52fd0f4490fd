// What a line of the audit holds, field by field.
import { expect, it } from "vitest";
import { policyWith } from "../../../src/machines/policy.ts";
import { auditLine } from "../../../src/machines/synt/auditLine.ts";
import { BILLION, type Measured, reward } from "../../../src/machines/synt/reward.ts";

const measured = {
  strategy: "compose" as const,
  ...{ det: [6, 7], judge: [1, 2], cost: [1, 1], cosine: 0.9 * BILLION, coverage: [0, 1] },
} satisfies Measured;

it("[SN72] a scored line has every field of the contract's breakdown", () => {
  const { reward: breakdown } = JSON.parse(
    auditLine(
      {
        ...{ request: "req-0001", mode: "reactive", proto: null, intent: "sort it" },
        ...{ strategy: "compose", rationale: "so", error: null, revises: null },
        ...{ state: "composed", artefact: ["a", "b"], weighed: [] },
        scored: { reward: reward(measured, policyWith({}).synt.reward), judgeReasoning: "fine" },
      },
      { epochMs: 0, costCents: 0, budgetCents: 500, durationMs: 7, line: 2 },
    ),
  );

  expect(breakdown).toEqual({
    ...{ det_pass_rate: 0.857142857142, judge_score: 0.5, judge_reasoning: "fine", cost_ratio: 1 },
    ...{ similarity_penalty: 1, similarity_cosine: 0.9, coverage_bonus: 0, strategy_cost_bonus: 1 },
    total: 0.55,
    exact: {
      ...{ det_pass_rate: [6, 7], judge_score: [1, 2], cost_ratio: [1, 1] },
      ...{ similarity_penalty: [1, 1], coverage_bonus: [0, 1], strategy_cost_bonus: [1, 1] },
      total: [11, 20],
    },
  });
});
