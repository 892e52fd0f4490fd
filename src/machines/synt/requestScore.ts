/** What a proposal is worth: its benefit, its likeness to the pool, and R. Rulings Y3 to Y7, Y18. */
import type { Delivered } from "../letter.ts";
import { MILLION } from "../units.ts";
import type { Share } from "./exactShare.ts";
import { specialiseDecision } from "./introspection.ts";
import { parseName } from "./naming.ts";
import { artefactOf } from "./requestChoice.ts";
import type { RequestContext, RequestFault } from "./requestContext.ts";
import type { RequestEvent, Shown } from "./requestEvents.ts";
import { excess, within } from "./requestProfile.ts";
import { belowThreshold } from "./requestRationale.ts";
import { costRatio, coverage, reward, type Strategy } from "./reward.ts";
import { nearestInPool } from "./similarity.ts";
import { readJudgement } from "./stageAnswers.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

/** Why a rewrite is not worth it, or reaches more than it may; null when neither. */
export function rewriteFault(
  context: RequestContext,
  event: Delivered<"draft.ended">,
  policy: SyntPolicy,
): RequestFault | null {
  if (event.draft === null) return null;
  const { strategy, input, pool } = context;
  const { hot, members } = input.material;
  const { profile } = event.draft;
  const more = excess(context, profile);
  if (more !== null) return tooLoose(more);
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
  if (decision.verdict === "propose") return null;
  const why = "reasons" in decision ? decision.reasons.join("; ") : "";
  if (decision.verdict === "suspend") return tooLoose(why);
  return { kind: "noBenefit", why, error: "StrategyExhausted" };
}

const tooLoose = (why: string): RequestFault => ({ kind: "tooLoose", why, error: "PolicyVeto" });

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

/** What the judge's answer makes of it: R, and the fault if it is turned down. */
export function weighed(
  context: RequestContext,
  event: RequestEvent,
  policy: SyntPolicy,
): RequestContext {
  const { strategy } = context;
  if (event.type !== "paid.ended" || strategy === null) return context;
  const { error } = event;
  if (error !== null) {
    const why = `the judge was not paid: ${event.why}`;
    return { ...context, fault: { kind: "unpaid", why, error } };
  }
  const { score, reasoning, violates } = readJudgement(event.text);
  const next = scoredBy({ ...context, cost: context.cost + event.cost }, strategy, score, policy);
  const scored = { reward: next, judgeReasoning: reasoning };
  const known = {
    ...context,
    cost: context.cost + event.cost,
    judged: context.judged + 1,
    scored,
    weighed: [...context.weighed, { strategy, artefact: artefactOf(context), scored }],
  };
  return { ...known, fault: judgedFault(known, violates) };
}

function judgedFault(context: RequestContext, violates: string | null): RequestFault | null {
  if (violates !== null) {
    const why = `it breaks the constitution: ${violates}`;
    return { kind: "unlawful", why, error: "ConstitutionViolation" };
  }
  if (context.scored?.reward.passes === true) return null;
  return { kind: "belowThreshold", why: belowThreshold(context), error: "StrategyExhausted" };
}

/** R. The estimates are of the strategies whose cost is not their own time only. */
function scoredBy(context: RequestContext, strategy: Strategy, judge: Share, policy: SyntPolicy) {
  const estimate = policy.tiers.estimateCents[strategy] * MILLION;
  const measured = {
    strategy,
    det: context.det,
    judge,
    cost: costRatio(context.cost, estimate),
    cosine: strategy === "compose" ? 0 : context.cosine,
    coverage: coverageOf(context),
  };
  return reward(measured, policy.reward);
}
