/**
 * One line of the audit: canonical JSON of a state, with its reason and what it has cost so far. The
 * last line of a request certifies its costs. Source: seed 002, 10.
 */

import { isoTime } from "../isoTime.ts";
import type { Json, MailOf } from "../letter.ts";
import { sortedJson } from "../sortedJson.ts";
import {
  type Artefact,
  AUDIT_FOLDER,
  isChain,
  isTerminal,
  type Scored,
  type Stated,
  type Weighed,
} from "./contract.ts";
import { decimalOf } from "./exactShare.ts";
import { BILLION, contractTerms, exactTerms } from "./reward.ts";

export interface AuditFacts {
  /** Ms since 1970. */
  readonly epochMs: number;
  /** What it has cost so far, also above what was set aside for it. */
  readonly costCents: number;
  /** How much of it is above the reservations of its calls. */
  readonly exceededCents: number;
  readonly budgetCents: number;
  readonly durationMs: number;
  /** Which line of its request this is, from 1. */
  readonly line: number;
}

/** The seed's ULID-like stamps have no fractions of seconds; ours keep them, as order needs them. */
export function auditLine(stated: Stated, facts: AuditFacts): string {
  const { request, mode, proto, intent, strategy, state, rationale, error } = stated;
  const { artefact, revises, redirect } = stated;
  const exceeded = facts.exceededCents > 0 && { exceeded: facts.exceededCents };
  const certificate = isTerminal(state) && {
    certified: {
      budget_cents: facts.budgetCents,
      lines: facts.line,
      within_budget: facts.costCents <= facts.budgetCents,
      ...exceeded,
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
    ...madeOf(artefact),
    reward: stated.scored === null ? null : rewardOf(stated.scored),
    ...(stated.weighed.length > 0 && { weighed: stated.weighed.map(weighedOf) }),
    cost_cents: facts.costCents,
    ...exceeded,
    duration_ms: facts.durationMs,
    line: facts.line,
    ...certificate,
  });
}

const madeOf = (artefact: Artefact) => (isChain(artefact) ? { chain: artefact } : { artefact });

const weighedOf = ({ strategy, artefact, scored }: Weighed): Json => ({
  ...{ strategy, ...madeOf(artefact), passes: scored.reward.passes },
  reward: rewardOf(scored),
});

function rewardOf({ reward, judgeReasoning }: Scored): Json {
  return {
    ...contractTerms(reward.terms),
    total: decimalOf(reward.total),
    judge_reasoning: judgeReasoning,
    similarity_cosine: reward.cosine / BILLION,
    // As it was decided: the decimals above are for people.
    exact: { ...exactTerms(reward.terms), total: reward.total },
  };
}

/** One file a day, by the virtual clock in UTC. */
export const auditPath = (epochMs: number): string =>
  `${AUDIT_FOLDER}/${isoTime(epochMs).slice(0, 10)}.jsonl`;

/** A line about something else than a state of a request, appended to the file of its day. */
export const auditNote = (
  line: { readonly [field: string]: Json },
  epochMs: number,
): MailOf<"files.append"> => ({
  type: "files.append",
  path: auditPath(epochMs),
  text: `${sortedJson({ ts: isoTime(epochMs), ...line })}\n`,
});
