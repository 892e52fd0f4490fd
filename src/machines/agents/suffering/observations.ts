/**
 * What each letter to the ledger says about an agent's stressors. Pure: from a record and a fact to
 * the next record and the values measured anew. Source: ruling U3; the clearing ones are in SPEC.
 */
import type { Delivered, Mail } from "../../letter.ts";
import { isEarned, type LockPolicy, lockedFrom } from "../engine/locks.ts";
import { FACTS_MAX } from "../goal/goalContext.ts";
import { loadAt, type Suffering, sufferingAfter } from "./severity.ts";
import type { StressorPolicy } from "./stressorPolicy.ts";
import type { Assessment, Verdict } from "./stressorRules.ts";

export interface SufferingPolicy {
  readonly stressors: StressorPolicy;
  readonly locks: LockPolicy;
}

export function cycleEnded(
  before: AgentRecord,
  event: Delivered<"cycle.ended">,
  policy: SufferingPolicy,
): Observation {
  const { goal, n, progress, chose, at } = event;
  const pursuit = pursuitAfter(before, event, policy.stressors);
  const hadGoal = goal !== null || chose || before.ended !== null;
  const record: AgentRecord = {
    ...before,
    pursued: goal === null || n === null ? before.pursued : { n, text: goal, progress },
    ...pursuit,
    ended: null,
    idle: hadGoal ? noRun : longer(before.idle, at.seq),
    barren: before.ended?.isDone ? noRun : longer(before.barren, at.seq),
    crisis: event.load >= policy.locks.crisis ? longer(before.crisis, at.seq) : noRun,
  };
  const { stuck, idle, barren } = record;
  const findings: Finding[] = [
    { measured: { type: "choices.assessed", idleCycles: idle.count }, because: idle.facts },
    { measured: { type: "output.assessed", barrenCycles: barren.count }, because: barren.facts },
    unseenFinding(record, at.nowMs, policy.stressors),
    ...lockFindings(record, at.nowMs, policy),
  ];
  if (pursuit === undefined) return { record, findings };
  const measured = { type: "pursuit.assessed", stuckCycles: stuck.count } as const;
  return { record, findings: [{ measured, because: stuck.facts }, ...findings] };
}

/** Undefined when the cycle says nothing: no goal, or one whose earlier progress is unknown. */
function pursuitAfter(
  { pursued, ended, stuck }: AgentRecord,
  { goal, n, progress, chose, at }: Delivered<"cycle.ended">,
  { futility }: StressorPolicy,
): Partial<AgentRecord> | undefined {
  const worked = ended ?? (goal === null || n === null ? null : { n, text: goal, isDone: false });
  if (worked === null) return undefined;
  if (worked.isDone) return { stuck: noRun };
  if (ended === null) {
    const from = pursued?.n === n ? pursued.progress : chose ? 0 : undefined;
    if (from === undefined) return undefined;
    if (progress - from >= futility.progressMin) return { stuck: noRun };
  }
  const alike = pursued !== null && isAlike(pursued.text, worked.text, futility.alikeFrom);
  const next = { pursued: { n: worked.n, text: worked.text, progress } };
  return { ...next, stuck: longer(alike ? stuck : noRun, at.seq) };
}

/** The ledger keeps no artifacts in mind in a world without invisibility. */
export const isUnseenFelt = ({ enabled }: StressorPolicy): boolean =>
  enabled.includes("invisibility");

export function goalEnded(
  before: AgentRecord,
  event: Delivered<"goal.ended">,
  policy: StressorPolicy,
): Observation {
  const { n, text, status, artifact, at } = event;
  const isDone = status === "completed";
  const record: AgentRecord = { ...before, ended: { n, text, isDone } };
  if (!isDone) return { record, findings: [] };
  const isKnown = before.unseen.some(({ path }) => path === artifact);
  const fresh =
    isKnown || !isUnseenFelt(policy)
      ? []
      : [{ n, path: artifact, sinceMs: at.nowMs, fact: at.seq }];
  return {
    record: { ...record, stuck: noRun, barren: noRun, unseen: [...before.unseen, ...fresh] },
    findings: [
      { measured: { type: "pursuit.assessed", stuckCycles: 0 }, because: [at.seq] },
      { measured: { type: "output.assessed", barrenCycles: 0 }, because: [at.seq] },
    ],
  };
}

/** A judge said yes or no: one more of its kind in a row, and none of the other. */
const judgedRuns = (yes: Run, no: Run, isYes: boolean, fact: number) => {
  const runs = [isYes ? longer(yes, fact) : noRun, isYes ? noRun : longer(no, fact)] as const;
  return { runs, because: runs[isYes ? 0 : 1].facts };
};

export function planJudged(before: AgentRecord, event: Delivered<"plan.judged">): Observation {
  const { contradicts, at } = event;
  const { runs, because } = judgedRuns(before.against, before.along, contradicts, at.seq);
  const [against, along] = runs;
  const measured = { type: "plans.assessed", against: against.count, along: along.count } as const;
  return { record: { ...before, against, along }, findings: [{ measured, because }] };
}

export function messageJudged(
  before: AgentRecord,
  { threat, at }: Delivered<"message.judged">,
): Observation {
  const { runs, because } = judgedRuns(before.threats, before.calm, threat, at.seq);
  const [threats, calm] = runs;
  const measured = { type: "messages.assessed", threats: threats.count, calm: calm.count } as const;
  return { record: { ...before, threats, calm }, findings: [{ measured, because }] };
}

/** Which of an agent's artifacts a reference by another agent concerns. */
export const referenced = (
  owner: string,
  record: AgentRecord,
  event: Mail["peer.referenced"],
): Artifact[] =>
  owner === event.agent ? [] : record.unseen.filter(({ path }) => path === event.path);

export function peerReferenced(
  before: AgentRecord,
  event: Delivered<"peer.referenced">,
  policy: SufferingPolicy,
): Observation {
  const unseen = before.unseen.filter(({ path }) => path !== event.path);
  const record = { ...before, unseen };
  const { measured } = unseenFinding(record, event.at.nowMs, policy.stressors);
  return { record, findings: [{ measured, because: [event.at.seq] }] };
}

function unseenFinding(
  { unseen }: AgentRecord,
  nowMs: number,
  { invisibility }: StressorPolicy,
): Finding {
  const old = unseen.filter(({ sinceMs }) => nowMs - sinceMs > invisibility.unseenMs);
  const because = old.map(({ fact }) => fact);
  return { measured: { type: "artifacts.assessed", unseen: old.length }, because };
}

export function capabilityLocked(
  before: AgentRecord,
  event: Delivered<"capability.locked">,
  policy: SufferingPolicy,
): Observation {
  const { capability, kind, load, at } = event;
  const { lockFeedback, capabilityLock } = policy.stressors;
  const lockedAt = lockedFrom(capability, policy, kind);
  const counts = lockFeedback && (capabilityLock.countsEarned || !isEarned(capability));
  if (!counts || lockedAt === undefined || load < lockedAt) return { record: before, findings: [] };
  const isLower = before.wanted === null || before.wanted.lockedAt > lockedAt;
  const wanted = isLower ? { lockedAt, fact: at.seq } : before.wanted;
  const measured = { type: "lock.assessed", load, lockedAt: wanted.lockedAt } as const;
  return { record: { ...before, wanted }, findings: [{ measured, because: [at.seq] }] };
}

export function stressorChanged(
  before: AgentRecord,
  event: Delivered<"stressor.changed">,
  policy: SufferingPolicy,
): Observation {
  const { stressor, sinceMs, at } = event;
  const isLock = stressor === "capability_lock";
  const { [stressor]: _, ...posted } = before.posted;
  const others = before.placed.filter((type) => type !== stressor);
  const record: AgentRecord = {
    ...before,
    posted,
    suffering: sufferingAfter(before.suffering, event),
    placed: sinceMs === null ? others : [...others, stressor],
    wanted: isLock && sinceMs === null ? null : before.wanted,
  };
  const isRelief = sinceMs === null && !isLock;
  return { record, findings: isRelief ? lockFindings(record, at.nowMs, policy, at.seq) : [] };
}

/** The load against the lock, as long as capability_lock lasts. */
function lockFindings(
  { suffering, wanted }: AgentRecord,
  nowMs: number,
  policy: SufferingPolicy,
  fact?: number,
): Finding[] {
  if (!suffering.some(({ type }) => type === "capability_lock")) return [];
  const lockedAt = wanted?.lockedAt ?? lowestLock(policy);
  const because = fact === undefined ? [] : [fact];
  const load = loadAt(suffering, nowMs);
  return [{ measured: { type: "lock.assessed", load, lockedAt }, because }];
}

/** After a restart it is unknown which capability was wanted: the first that load locks stands in. */
function lowestLock(policy: SufferingPolicy): number | null {
  const { constrainedLocks, dominantLocks } = policy.locks;
  const from = [...constrainedLocks, ...dominantLocks].flatMap(
    (capability) => lockedFrom(capability, policy) ?? [],
  );
  return from.length === 0 ? null : Math.min(...from);
}

/*
 * What the ledger remembers of one agent in order to measure its stressors. Counts of cycles and
 * judgements begin anew with each daemon; artifacts and onsets come from files.
 */

/** A stressor of this world, and whose it is. */
export interface StressorAddress {
  readonly agent: string;
  readonly type: string;
  readonly address: string;
  readonly agentAddress: string;
}

/** How often in a row, and the latest facts that say so. */
export interface Run {
  readonly count: number;
  readonly facts: readonly number[];
}

/** An artifact that passed its gate and that no peer has referenced. */
export interface Artifact {
  readonly n: number;
  readonly path: string;
  readonly sinceMs: number;
  readonly fact: number;
}

export interface AgentRecord {
  /** The goal at the end of the last cycle that had one, and how far it was. */
  readonly pursued: { readonly n: number; readonly text: string; readonly progress: number } | null;
  /** The goal that ended since the last cycle did. */
  readonly ended: { readonly n: number; readonly text: string; readonly isDone: boolean } | null;
  /** Cycles on alike goals without progress; without a goal; since the last completed one. */
  readonly stuck: Run;
  readonly idle: Run;
  readonly barren: Run;
  /** Cycles at the load of a crisis. */
  readonly crisis: Run;
  /** Plans against an opinion of its own, and plans in line with all of them. */
  readonly against: Run;
  readonly along: Run;
  readonly threats: Run;
  readonly calm: Run;
  readonly unseen: readonly Artifact[];
  /** The refused capability whose lock is the lowest. */
  readonly wanted: { readonly lockedAt: number; readonly fact: number } | null;
  /** What it feels, as its stressors told. */
  readonly suffering: readonly Suffering[];
  /** Stressors that have a place: active, or about to be. */
  readonly placed: readonly string[];
  /** What follows from the last assessment that each stressor was told. */
  readonly posted: { readonly [stressor: string]: Verdict };
}

export const noRun: Run = { count: 0, facts: [] };

export const longer = ({ count, facts }: Run, fact: number): Run => ({
  count: count + 1,
  facts: [...facts, fact].slice(-FACTS_MAX),
});

export const newRecord = (unseen: readonly Artifact[] = []): AgentRecord => ({
  pursued: null,
  ended: null,
  stuck: noRun,
  idle: noRun,
  barren: noRun,
  crisis: noRun,
  against: noRun,
  along: noRun,
  threats: noRun,
  calm: noRun,
  unseen,
  wanted: null,
  suffering: [],
  placed: [],
  posted: {},
});

/** A measured value and the facts it rests on. */
export interface Finding {
  readonly measured: Assessment;
  readonly because: readonly number[];
}

/** What a letter changed in a record, and what is now to be told to the stressors. */
export interface Observation {
  readonly record: AgentRecord;
  readonly findings: readonly Finding[];
}

/** Whether two texts speak of the same: the share of their words they have in common (Jaccard). */
export function isAlike(one: string, other: string, fromThousandths: number): boolean {
  const mine = wordsOf(one);
  const theirs = wordsOf(other);
  const shared = [...mine].filter((word) => theirs.has(word)).length;
  const all = mine.size + theirs.size - shared;
  return shared * 1000 >= fromThousandths * all;
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
