/** The parts of an agent's turn that are formulas: what it says, and what an answer changes. */

import { defined } from "../../defined.ts";
import { ask, type Delivered, type Letter, type MailOf } from "../../letter.ts";
import type { PlanStep } from "../model/modelAnswers.ts";
import type { PlanView } from "../model/prompts.ts";
import { loadAt, sufferingAfter } from "../suffering/severity.ts";
import { sufferingView } from "../suffering/sufferingLines.ts";
import { adviceFacts, adviceView, discharged } from "./advice.ts";
import { rulesFact, sufferingFacts } from "./choosing.ts";
import { type AgentContext, type AgentEvent, DONE_MAX, HEARD_MAX, RECENT_MAX } from "./context.ts";
import type { AgentPolicy } from "./planner.ts";
import { last, outcomeText } from "./profile.ts";

const NOTES_MAX = 5;
/** Ours: how many refusals by locks stand in a prompt. */
const LOCKS_MAX = 5;

/** A new cycle, and what it begins with. */
export const awoken = ({ cycle, goal }: AgentContext): Partial<AgentContext> => ({
  cycle: cycle + 1,
  steps: 0,
  failures: 0,
  chose: false,
  worked: goal === null ? null : { n: goal.n, text: goal.text, progress: goal.progress },
});

export const lookedAround = (
  _: AgentContext,
  event: Delivered<"tools.answered">,
): Partial<AgentContext> => ({
  broken: event.broken,
  capabilities: event.capabilities,
  nowMs: event.at.nowMs,
});

export const listened = (
  { heard }: AgentContext,
  event: Delivered<"host.message" | "peer.message" | "outside.signal">,
): Partial<AgentContext> => ({
  heard: last(
    [
      ...heard,
      {
        kind: HEARD_AS[event.type],
        from: event.type === "peer.message" ? event.from : null,
        text: event.text,
        fact: event.at.seq,
      },
    ],
    HEARD_MAX,
  ),
});

const HEARD_AS = {
  "host.message": "person",
  "peer.message": "peer",
  "outside.signal": "signal",
} as const;

/** There is one more peer, or one less. */
export const joined = (
  { input }: AgentContext,
  { agent }: Delivered<"agent.joined">,
): Partial<AgentContext> => ({ input: { ...input, peers: [...input.peers, agent] } });

export const left = (
  { input }: AgentContext,
  { agent }: Delivered<"agent.left">,
): Partial<AgentContext> => ({
  input: { ...input, peers: input.peers.filter((peer) => peer !== agent) },
});

/** What it suffers from now. A lock it felt before may be open, or another one shut. */
export const felt = (
  { suffering }: AgentContext,
  event: Delivered<"stressor.changed">,
): Partial<AgentContext> => ({
  locks: [],
  suffering: sufferingAfter(suffering, event).map((one) => ({
    fact: event.at.seq,
    ...one,
  })),
});

/** A crisis was ended from outside: nothing weighs on it, and its goal is to be given up. */
export const relieved = ({ goal }: AgentContext, event: AgentEvent): Partial<AgentContext> => ({
  suffering: [],
  locks: [],
  givesUp: goal === null ? null : { reason: "crisis.reset", facts: [event.at.seq] },
});

export function givenUpLetters({ goal, givesUp }: AgentContext): Letter[] {
  if (goal === null || givesUp === null) return [];
  const event: MailOf<"goal.givenUp"> = { type: "goal.givenUp", ...givesUp };
  return [ask({ to: goal.address, key: "verdict", event, because: givesUp.facts })];
}

/** Told once for each cycle, when it goes to rest. */
export function cycleEndedLetters(context: AgentContext, { at }: AgentEvent): Letter[] {
  const { input, cycle, endedCycle, worked, chose, suffering } = context;
  if (cycle === endedCycle) return [];
  const ended: MailOf<"cycle.ended"> = {
    type: "cycle.ended",
    agent: input.name,
    cycle,
    goal: worked?.text ?? null,
    n: worked?.n ?? null,
    progress: worked?.progress ?? 0,
    load: loadAt(suffering, at.nowMs),
    chose,
  };
  return [{ to: input.ledger, event: ended }];
}

const facts = (fact: number | null): number[] => (fact === null ? [] : [fact]);

export function planLetter(context: AgentContext, policy: AgentPolicy): Letter {
  const { planner, mind, router } = policy;
  const { input, goal, goalFact, notes, broken, profile } = context;
  const view: PlanView = {
    purpose: "plan",
    agent: input.name,
    n: goal?.n ?? 0,
    slug: goal?.slug ?? "",
    goal: goal?.text ?? "",
    artifact: goal?.artifact ?? "",
    evidence: goal?.evidence ?? null,
    progress: goal?.progress ?? 0,
    rules: context.rules,
    ...sufferingView(context.suffering, context.nowMs, policy),
    locks: context.locks,
    opinions: last(profile.opinions, mind.opinionsShown),
    notes,
    capabilities: context.capabilities,
    broken,
    ...adviceView(context),
    stepsMax: planner.stepsPerCycle,
    ...(router.kind === "name" && { byName: true }),
  };
  return ask({
    to: "port/llm.chat",
    key: "model",
    event: { type: "llm.asked", purpose: view.purpose, view },
    because: [
      ...facts(goalFact),
      ...rulesFact(context),
      ...sufferingFacts(context, view),
      ...adviceFacts(context),
    ],
  });
}

export function callLetter({ input, cycle, plan, planFact, next }: AgentContext): Letter {
  const { intent, tool, params }: PlanStep = plan[next] ?? { intent: "", params: {} };
  const agent = input.name;
  const event: MailOf<"call.requested"> = defined({
    ...{ type: "call.requested", agent, cycle, intent, params },
    tool,
  });
  return ask({ to: input.engine, key: "call", event, because: facts(planFact) });
}

export function stepEnded(
  context: AgentContext,
  event: Delivered<"call.finished">,
): Partial<AgentContext> {
  const step = context.plan[context.next];
  const moved = { next: context.next + 1, steps: context.steps + 1 };
  if (event.ok) return { ...moved, failures: 0, failedInRow: [], ...discharged(context, event) };
  const error = event.error ?? "no reason given";
  const locks = [...context.locks.filter((one) => one !== error), error];
  return defined<Partial<AgentContext>>({
    ...moved,
    failures: context.failures + 1,
    failedInRow: [...context.failedInRow, event.at.seq],
    notes: last([...context.notes, `"${step?.intent}" failed: ${error}`], NOTES_MAX),
    locks: event.locked ? last(locks, LOCKS_MAX) : undefined,
  });
}

const isBeaten = ({ failedInRow }: AgentContext, { planner }: AgentPolicy): boolean =>
  failedInRow.length >= planner.consecutiveFailures;

/** Reports a step to its goal, and to the peers when the goal's file was written as far as it knows. */
export function stepLetters(
  context: AgentContext,
  event: Delivered<"call.finished">,
  policy: AgentPolicy,
): readonly Letter[] {
  const { goal, input } = context;
  if (goal === null) return [];
  const fact = event.at.seq;
  if (isBeaten(context, policy)) {
    const failed = context.failedInRow;
    const reason = `${failed.length} steps failed in a row; the last: ${context.notes.at(-1)}`;
    const givenUp: MailOf<"goal.givenUp"> = { type: "goal.givenUp", reason, facts: failed };
    return [ask({ to: goal.address, key: "verdict", event: givenUp, because: failed })];
  }
  const params: PlanStep["params"] = context.plan[context.next - 1]?.params ?? {};
  const path = params["path"];
  const believes = event.ok && params["content"] !== undefined && path === goal.artifact;
  const { wrote = [], unwritten = [] } = event;
  const ended: MailOf<"step.ended"> = defined({
    type: "step.ended",
    ok: event.ok,
    capability: event.capability,
    kind: event.kind,
    wrote,
    nothing: event.ok && (event.nothing || unwritten.includes(goal.artifact)),
    fact,
    error: event.error ?? null,
  });
  const claim: MailOf<"work.claimed"> = {
    type: "work.claimed",
    agent: input.name,
    n: goal.n,
    path: goal.artifact,
  };
  return [
    ask({ to: goal.address, key: "verdict", event: ended }),
    // It says so when it believes so: a write that returned nothing looked like success.
    ...(believes || wrote.includes(goal.artifact) ? [{ to: input.ledger, event: claim }] : []),
  ];
}

export function judged(
  context: AgentContext,
  event: Delivered<"goal.judged">,
): Partial<AgentContext> {
  const { goal, profile } = context;
  if (goal === null) return {};
  const { status, progress, reason } = event;
  const worked = { n: goal.n, text: goal.text, progress };
  if (status === "active" || status === "missed") {
    const notes = reason === null ? context.notes : last([...context.notes, reason], NOTES_MAX);
    return { goal: { ...goal, progress }, worked, notes };
  }
  const memory = { n: goal.n, text: goal.text, status };
  const done = status === "completed" ? [...context.done, goal.artifact] : context.done;
  const why = reason === null ? "" : `: ${reason}`;
  return {
    goal: null,
    worked,
    givesUp: null,
    notes: [],
    failedInRow: [],
    emptyPlans: [],
    ...(context.nudges && { nudges: [] }),
    recent: last([...context.recent, memory], RECENT_MAX),
    done: last(done, DONE_MAX),
    profile: {
      ...profile,
      lastOutcome: outcomeText(`[${status.toUpperCase()}] ${goal.text}${why}`),
    },
  };
}

export type { AgentContext, AgentEvent, AgentInput } from "./context.ts";
