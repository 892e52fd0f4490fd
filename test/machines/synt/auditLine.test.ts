// What a line of the audit holds, field by field.
import { expect, it } from "vitest";
import { policyWith } from "../../../src/machines/policy.ts";
import { auditLine } from "../../../src/machines/synt/auditLine.ts";
import type { Stated, SyntError } from "../../../src/machines/synt/contract.ts";
import { BILLION, reward } from "../../../src/machines/synt/reward.ts";

/** The contract has four. */
const ERRORS: readonly SyntError[] = [
  ...(["StrategyExhausted", "BudgetExceeded", "PolicyVeto", "ConstitutionViolation"] as const),
];

const measured = {
  strategy: "compose" as const,
  ...{ det: 0.9 * BILLION, judge: BILLION / 2, cost: BILLION, cosine: 0.9 * BILLION, coverage: 0 },
};

it("[SN72] a proposal is a line: intent, a chain where the artefact is one, the error where it ends in one", () => {
  const said = {
    ...{ request: "req-0001", mode: "reactive", proto: null, intent: "sort it" },
    ...{ strategy: "compose", rationale: "so", revises: null, scored: null, error: null },
  } as const;
  const facts = { epochMs: 0, costCents: 3, budgetCents: 500, durationMs: 7, line: 2 };
  const written = (more: Partial<Stated>) =>
    JSON.parse(auditLine({ ...said, state: "composed", artefact: null, ...more } as Stated, facts));

  const chain = written({ artefact: ["a", "b"] });
  expect(chain).toMatchObject({ target_intent: "sort it", chain: ["a", "b"], reward: null });
  expect(chain).not.toHaveProperty("artefact");
  expect(chain).not.toHaveProperty("error");
  const made = written({ artefact: { name: "sort_texts" } });
  expect(made).toMatchObject({ artefact: { name: "sort_texts" } });
  expect(made).not.toHaveProperty("chain");
  for (const error of ERRORS) {
    expect(written({ state: "abandoned", error })).toMatchObject({
      error,
      certified: { budget_cents: 500, lines: 2, within_budget: true },
    });
  }
});

it("[SN72] a scored line has every field of the contract's breakdown", () => {
  const { reward: breakdown } = JSON.parse(
    auditLine(
      {
        ...{ request: "req-0001", mode: "reactive", proto: null, intent: "sort it" },
        ...{ strategy: "compose", rationale: "so", error: null, revises: null },
        ...{ state: "composed", artefact: ["a", "b"] },
        scored: { reward: reward(measured, policyWith({}).synt.reward), judgeReasoning: "fine" },
      },
      { epochMs: 0, costCents: 0, budgetCents: 500, durationMs: 7, line: 2 },
    ),
  );

  expect(breakdown).toEqual({
    ...{ det_pass_rate: 0.9, judge_score: 0.5, judge_reasoning: "fine", cost_ratio: 1 },
    ...{ similarity_penalty: 1, similarity_cosine: 0.9, coverage_bonus: 0, strategy_cost_bonus: 1 },
    total: 0.565,
  });
});
