/**
 * One line of the audit: canonical JSON of a state, with its reason and what it has cost so far. The
 * last line of a request certifies its costs. Source: seed 002, 10.
 */
import type { Json } from "../letter.ts";
import { sortedJson } from "../sortedJson.ts";
import { isoTime } from "../synthesis/isoTime.ts";
import { AUDIT_FOLDER, isTerminal, type Scored, type Stated } from "./contract.ts";
import { BILLION, contractTerms, FULL_SCORE } from "./reward.ts";

export interface AuditFacts {
  /** Ms since 1970. */
  readonly epochMs: number;
  readonly costCents: number;
  readonly budgetCents: number;
  readonly durationMs: number;
  /** Which line of its request this is, from 1. */
  readonly line: number;
}

/** The seed's ULID-like stamps have no fractions of seconds; ours keep them, as order needs them. */
export function auditLine(stated: Stated, facts: AuditFacts): string {
  const { request, mode, proto, intent, strategy, state, rationale, error } = stated;
  const { artefact, revises, redirect } = stated;
  const certificate = isTerminal(state) && {
    certified: {
      budget_cents: facts.budgetCents,
      lines: facts.line,
      within_budget: facts.costCents <= facts.budgetCents,
    },
  };
  return sortedJson({
    ts: isoTime(facts.epochMs),
    request_id: request,
    mode,
    proto_mnest: proto,
    target_intent: intent,
    strategy,
    state,
    rationale,
    ...(error !== null && { error }),
    ...(revises !== null && { revises }),
    ...(redirect !== undefined && { redirect: { ...redirect } }),
    ...(Array.isArray(artefact) ? { chain: artefact } : { artefact }),
    reward: stated.scored === null ? null : rewardOf(stated.scored),
    cost_cents: facts.costCents,
    duration_ms: facts.durationMs,
    line: facts.line,
    ...certificate,
  });
}

function rewardOf({ reward, judgeReasoning }: Scored): Json {
  return {
    ...contractTerms(reward.terms),
    total: reward.total / FULL_SCORE,
    judge_reasoning: judgeReasoning,
    similarity_cosine: reward.cosine / BILLION,
  };
}

/** One file a day, by the virtual clock in UTC. */
export const auditPath = (epochMs: number): string =>
  `${AUDIT_FOLDER}/${isoTime(epochMs).slice(0, 10)}.jsonl`;
