// What a line of the audit holds, field by field.

import { expect, it } from "vitest";
import type { Letter } from "../../../../src/machines/letter.ts";
import {
  DESK,
  noMaterial,
  type Stated,
  type SyntError,
} from "../../../../src/machines/synt/contract.ts";
import { auditLine } from "../../../../src/machines/synt/desk/syntDesk.ts";
import { BILLION, type Measured, reward } from "../../../../src/machines/synt/score/reward.ts";
import { policyWith } from "../../../builtIn.ts";
import { statecharts } from "../../../cast.ts";
import { mailOf } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";

/** The contract has four. */
const ERRORS: readonly SyntError[] = [
  ...(["StrategyExhausted", "BudgetExceeded", "PolicyVeto", "ConstitutionViolation"] as const),
];

const measured = {
  strategy: "compose" as const,
  ...{ det: [6, 7], judge: [1, 2], cost: [1, 1], cosine: 0.9 * BILLION, coverage: [0, 1] },
} satisfies Measured;

it("[SN72, SN70] a proposal is a line: intent, a chain where the artefact is one, what it takes up again, the error where it ends in one", () => {
  const said = {
    ...{ request: "req-0001", mode: "reactive", proto: null, intent: "sort it" },
    ...{
      strategy: "compose",
      rationale: "so",
      revises: null,
      scored: null,
      error: null,
      weighed: [],
    },
  } as const;
  const facts = {
    epochMs: 0,
    costCents: 3,
    exceededCents: 0,
    budgetCents: 500,
    durationMs: 7,
    line: 2,
  };
  const written = (more: Partial<Stated>) =>
    JSON.parse(auditLine({ ...said, state: "composed", artefact: null, ...more } as Stated, facts));

  const chain = written({ artefact: ["a", "b"] });
  expect(chain).toMatchObject({ target_intent: "sort it", chain: ["a", "b"], reward: null });
  expect(chain).not.toHaveProperty("artefact");
  expect(chain).not.toHaveProperty("error");
  expect(chain).not.toHaveProperty("revises");
  expect(written({ revises: "req-0000" })).toMatchObject({ revises: "req-0000" });
  const sorter = { name: "sort_texts", description: "", capabilities: [], profile: {}, tests: 4 };
  const made = written({ artefact: sorter });
  expect(made).toMatchObject({ artefact: { name: "sort_texts" } });
  expect(made).not.toHaveProperty("chain");
  for (const error of ERRORS) {
    expect(written({ state: "abandoned", error })).toMatchObject({
      error,
      certified: { budget_cents: 500, lines: 2, within_budget: true },
    });
  }
});

it("[SN72, SN74, SN6] a scored line has every field of the contract's breakdown, the cosine, and the shares as `exact`", () => {
  const { reward: breakdown } = JSON.parse(
    auditLine(
      {
        ...{ request: "req-0001", mode: "reactive", proto: null, intent: "sort it" },
        ...{ strategy: "compose", rationale: "so", error: null, revises: null },
        ...{ state: "composed", artefact: ["a", "b"], weighed: [] },
        scored: { reward: reward(measured, policyWith({}).synt.reward), judgeReasoning: "fine" },
      },
      { epochMs: 0, costCents: 0, exceededCents: 0, budgetCents: 500, durationMs: 7, line: 2 },
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

it("[SN99] a redirect is written in the audit: what was missed, and what serves it", () => {
  const request = driven(statecharts(policyWith({})).synthesisRequest, {
    ...{ request: "req-0001", mode: "reactive", proto: "proto/list_documents", strategy: null },
    need: { intent: "what is there?", name: "list_documents", from: null, hints: [] },
    ...{ budgetCents: 500, material: noMaterial, revision: null },
    coder: { provider: "llamacpp", model: "Qwen3.6-35B" },
  });
  const [first] = lettersTo(request.letters, DESK);
  const facts = { takes: [], gives: [], profile: {}, shape: {}, meanMs: 1, meanCost: 0 };
  const shown = { name: "find_files", version: "1", description: "finds", ...facts };
  const [said] = lettersTo(
    request.send({
      ...{ type: "pool.answered", executors: [shown], edges: [], uncovered: [], cleanRuns: {} },
    }),
    DESK,
  );
  const line = (letter: Letter | undefined) =>
    JSON.parse(
      auditLine(mailOf(letter, "synth.stated"), {
        ...{ epochMs: 0, costCents: 0, exceededCents: 0, budgetCents: 500 },
        durationMs: 7,
        line: 2,
      }),
    );

  expect(line(said)).toMatchObject({
    ...{ state: "delivered", chain: ["find_files"] },
    redirect: { from: "list_documents", to: "find_files" },
    rationale: "redirected to find_files, which does the same",
  });
  expect(line(first)).not.toHaveProperty("redirect");
});
