/** What a proposal is worth: its benefit, its likeness to the pool, and R. Rulings Y3 to Y7, Y18. */
import { MILLION } from "../units.ts";
import type { Share } from "./exactShare.ts";
import { specialiseDecision } from "./introspection.ts";
import { parseName } from "./naming.ts";
import { ended, type RequestContext } from "./requestAccount.ts";
import { artefactOf } from "./requestChoice.ts";
import type { RequestEvent, Shown } from "./requestEvents.ts";
import { excess, within } from "./requestProfile.ts";
import { belowGate } from "./requestRationale.ts";
import { costRatio, coverage, reward } from "./reward.ts";
import { nearestInPool } from "./similarity.ts";
import { readJudgement } from "./stageAnswers.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

/** Why a rewrite is not worth it, or reaches more than it may; null when neither. */
export function rewriteFault(context: RequestContext, event: RequestEvent, policy: SyntPolicy) {
  if (event.type !== "draft.ended" || event.draft === null) return null;
  const { strategy, input, pool } = context;
  const { hot, members } = input.material;
  const { profile } = event.draft;
  const more = excess(context, profile);
  if (more !== null) return { verdict: "suspend" as const, reasons: [more] };
  const general = pool.find(({ name }) => name === members[0]);
  if (strategy !== "specialise" || hot === null || general === undefined) return null;
  const decision = specialiseDecision(
    {
      uses: hot.of,
      hotUses: hot.uses,
      general: { latencyMs: general.meanMs, cost: general.meanCost, profile: general.profile },
      // Birth tests call nothing that costs.
      specialised: { latencyMs: event.meanMs, cost: 0, profile: within(context, profile) },
    },
    policy.introspection,
  );
  return decision.verdict === "propose" ? null : decision;
}

/** What it replaces is no competition. */
export const others = ({ pool, input }: RequestContext): readonly Shown[] =>
  pool.filter(({ name }) => !input.material.members.includes(name));

export function compared(context: RequestContext, event: RequestEvent): RequestContext {
  if (event.type !== "embed.replied" || context.draft === null) return context;
  const { vectors } = event;
  const embedded = others(context).flatMap(({ name, description }) => {
    const embedding = vectors[description];
    return embedding === undefined ? [] : [{ name, embedding }];
  });
  const nearest = nearestInPool(vectors[context.draft.description] ?? [], embedded);
  return { ...context, cosine: nearest?.cosine ?? 0 };
}

/** The names in its family that are missed, and those it would close. */
function coverageOf({ input, uncovered, draft }: RequestContext): Share {
  const name = draft?.name ?? input.need.name;
  const parts = parseName(input.need.name) ?? parseName(name);
  const prefix = parts === null ? name : `${parts.verb}_${parts.object}`;
  const closes = [input.need.name, name, ...input.material.covers];
  const family = uncovered.filter(
    (one) => closes.includes(one) || one === prefix || one.startsWith(`${prefix}_`),
  );
  return coverage(closes, family);
}

/** The estimates of the strategies whose cost is not their own time only. */
export function judgedBy(
  context: RequestContext,
  event: RequestEvent,
  policy: SyntPolicy,
): RequestContext {
  if (event.type !== "paid.ended" || context.strategy === null) return context;
  const { score, reasoning } = readJudgement(event.text);
  const cost = context.cost + event.cost;
  const estimate = policy.tiers.estimateCents[context.strategy] * MILLION;
  const measured = {
    strategy: context.strategy,
    det: context.det,
    judge: score,
    cost: costRatio(cost, estimate),
    cosine: context.strategy === "compose" ? 0 : context.cosine,
    coverage: coverageOf(context),
  };
  const { strategy } = context;
  const scored = { reward: reward(measured, policy.reward), judgeReasoning: reasoning };
  const weighed = { strategy, artefact: artefactOf(context), scored };
  return {
    ...{ ...context, cost, scored },
    judged: context.judged + 1,
    weighed: [...context.weighed, weighed],
  };
}

export const isUnpaid = (event: RequestEvent): boolean =>
  event.type === "paid.ended" && event.error !== null;

/** Not paid for, against the constitution, or below the gate. */
export const isTurnedDown = (
  context: RequestContext,
  event: RequestEvent,
  policy: SyntPolicy,
): boolean =>
  isUnpaid(event) ||
  violationIn(event) !== null ||
  judgedBy(context, event, policy).scored?.reward.passes !== true;

/** The end of what was turned down, with its reason; R is kept where there is one. */
export function turnedDown(
  context: RequestContext,
  event: RequestEvent,
  policy: SyntPolicy,
): RequestContext {
  if (event.type !== "paid.ended") return context;
  if (isUnpaid(event)) return ended(context, `the judge was not paid: ${event.why}`, event.error);
  const next = judgedBy(context, event, policy);
  const violation = violationIn(event);
  return violation === null
    ? ended(next, belowGate(next), "StrategyExhausted")
    : ended(next, `it breaks the constitution: ${violation}`, "ConstitutionViolation");
}

export const violationIn = (event: RequestEvent): string | null =>
  event.type === "paid.ended" ? readJudgement(event.text).violates : null;
