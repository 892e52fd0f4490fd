/**
 * What a proposal is worth: how far it reaches, its benefit, its likeness to the pool and R; and the
 * words for it. Source: seed 002, 5 and 6; rulings Y3 to Y7, Y18.
 */
import type { Delivered } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { between, integer, type ValuesOf } from "../../policyLeaf.ts";
import { MILLION } from "../../units.ts";
import type { SandboxProfile } from "../contract.ts";
import { parseName } from "../naming.ts";
import { type IntrospectionPolicy, specialiseDecision } from "../pool/introspection.ts";
import type { Shown } from "../pool/poolState.ts";
import { flooredTo, NONE, type Share } from "../score/exactShare.ts";
import {
  costRatio,
  coverage,
  nearestInPool,
  type RewardPolicy,
  reward,
  type Strategy,
} from "../score/reward.ts";
import { readJudgement } from "../stages/stageAnswers.ts";
import { artefactOf } from "./requestChoice.ts";
import type { RequestContext, RequestEvent, RequestFault } from "./requestContext.ts";

const estimate = (value: number, strategy: string) =>
  integer(value, between(0, 100_000, "cents"), {
    says: `What ${strategy} is estimated to cost, for cost_ratio.`,
    source: "seed 002, 3; RULINGS Y4",
  });

export const estimateLeaves = {
  compose: estimate(0, "compose"),
  merge: estimate(50, "merge"),
  specialise: estimate(50, "specialise"),
  generalise: estimate(100, "generalise"),
  generate: estimate(0, "generate"),
};

export interface ScorePolicy {
  readonly introspection: IntrospectionPolicy;
  readonly reward: RewardPolicy;
  readonly tiers: { readonly estimateCents: ValuesOf<typeof estimateLeaves> };
}

/** Why a rewrite is not worth it, or reaches more than it may; null when neither. */
export function rewriteFault(
  context: RequestContext,
  event: Delivered<"draft.ended">,
  policy: ScorePolicy,
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
    const embedding = ownValue(vectors, description);
    return embedding === undefined ? [] : [{ name, embedding }];
  });
  const nearest = nearestInPool(ownValue(vectors, context.draft.description) ?? [], embedded);
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
  policy: ScorePolicy,
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
function scoredBy(context: RequestContext, strategy: Strategy, judge: Share, policy: ScorePolicy) {
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

/*
 * How far a rewrite may reach: no further than what it is made of. Its kinds of permission follow
 * from its code, their targets from the executors it joins. Source: seed 002, 5.1, 5.2 (c) and 12.
 */

/** The executors that a night's proposal is made of; none where it fills a gap. */
function sourcesOf({ input, pool }: RequestContext): readonly Shown[] {
  const { members, chain } = input.material;
  return input.mode === "reactive"
    ? []
    : pool.filter(({ name }) => members.includes(name) || chain.includes(name));
}

const targetsIn = (sources: readonly Shown[], permission: string): readonly string[] => [
  ...new Set(
    sources.flatMap(({ profile }) =>
      Object.hasOwn(profile, permission) ? (profile[permission] ?? []) : [],
    ),
  ),
];

/** What the code of a rewrite needs and none of its sources may; null when there is no such thing. */
function excess(context: RequestContext, profile: SandboxProfile): string | null {
  const sources = sourcesOf(context);
  const beyond = Object.keys(profile).filter((kind) => targetsIn(sources, kind).length === 0);
  if (sources.length === 0 || beyond.length === 0) return null;
  const names = sources.map(({ name }) => name).join(", ");
  return `it would reach ${beyond.join(", ")}, which none of ${names} may`;
}

/** What its code leaves open is where its sources may: `fs:read` on anything becomes theirs. */
export function within(context: RequestContext, profile: SandboxProfile): SandboxProfile {
  const sources = sourcesOf(context);
  if (sources.length === 0) return profile;
  return Object.fromEntries(Object.keys(profile).map((kind) => [kind, targetsIn(sources, kind)]));
}

/*
 * Why this strategy, here: the two or three lines that stand above a proposal, in the dossier and in
 * the audit. Source: seed 002, 9 (`rationale`).
 */

/** What was missed or seen; why this strategy; what the proposal is worth. */
export function proposalRationale(
  context: RequestContext,
  policy: { readonly reward: RewardPolicy },
): string {
  return [`Here: ${occasion(context)}.`, `Why: ${reason(context)}.`, worth(context, policy)].join(
    "\n",
  );
}

function occasion({ input, strategy }: RequestContext): string {
  const { need, material, mode, revision } = input;
  const { members, chain, hot, covers } = material;
  if (revision !== null) return `${revision.request} is taken up again: ${need.intent}`;
  if (mode === "reactive") {
    const behind = need.from === null ? "" : ` behind ${need.from}`;
    return `a user asked "${need.intent}" and ${need.name} was missed${behind}`;
  }
  if (strategy === "merge") return `${members.join(" and ")} are used together, by their traces`;
  if (hot !== null) {
    return `${hot.uses} of ${hot.of} uses of ${members.join(", ")} are the case ${hot.value}`;
  }
  if (chain.length > 0) return `${chain.join(" → ")} came back often enough to be one executor`;
  const missed = covers.length === 0 ? need.name : covers.join(", ");
  return members.length === 0
    ? `${missed} was missed again and again`
    : `${members.join(", ")} have one shape, and ${missed} of their family is missed`;
}

function reason({ strategy, tried, rationale }: RequestContext): string {
  const before = tried.length === 0 ? "" : `${tried.join("; ")}; so `;
  return `${before}${strategy}: ${rationale}`;
}

function worth({ scored, cost }: RequestContext, { reward }: { readonly reward: RewardPolicy }) {
  const total = flooredTo(scored?.reward.total ?? NONE, 1000);
  const cents = (cost / MILLION).toFixed(2);
  return `Worth: R ${thousandths(total)} against the threshold of ${thousandths(reward.gate)}, for ${cents} ct.`;
}

/** The words of a refusal: what was tried, and its R, rounded down. */
function belowThreshold({ strategy, scored, chain }: RequestContext): string {
  const what = chain.length > 1 ? chain.join(" → ") : "it";
  const total = thousandths(flooredTo(scored?.reward.total ?? NONE, 1000));
  return `tried to ${strategy} ${what}: R ${total} is below the threshold`;
}

const thousandths = (value: number): string => (value / 1000).toFixed(3);
