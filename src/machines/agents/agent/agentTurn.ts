/** The parts of an agent's turn that are formulas: what it says, and what an answer changes. */
import { type Question, question } from "../../chart.ts";
import { defined } from "../../defined.ts";
import { ask, type Delivered, type Letter, type MailOf } from "../../letter.ts";
import {
  type PlanStep,
  readIdentityAnswer,
  readPlanAnswer,
  readThreatAnswer,
} from "../model/modelAnswers.ts";
import type { IdentityView, PlanView, ThreatView } from "../model/prompts.ts";
import { loadAt, sufferingAfter } from "../suffering/severity.ts";
import type { StressorType } from "../suffering/stressorPolicy.ts";
import { sufferingView } from "../suffering/sufferingLines.ts";
import { adviceView, discharged } from "./advice.ts";
import { modelQuestion, promptFacts } from "./choosing.ts";
import {
  type AgentContext,
  type AgentEvent,
  DONE_MAX,
  HEARD_MAX,
  type Heard,
  RECENT_MAX,
} from "./context.ts";
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

export function planQuestion(context: AgentContext, policy: AgentPolicy): Question {
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
  return modelQuestion(view, [...facts(goalFact), ...promptFacts(context, view)]);
}

export function callQuestion({ input, cycle, plan, planFact, next }: AgentContext): Question {
  const { intent, tool, params }: PlanStep = plan[next] ?? { intent: "", params: {} };
  const agent = input.name;
  const event: MailOf<"call.requested"> = defined({
    ...{ type: "call.requested", agent, cycle, intent, params },
    tool,
  });
  return question(input.engine, event, facts(planFact));
}

export function stepEnded(
  context: AgentContext,
  event: Delivered<"call.finished">,
  { mind }: Pick<AgentPolicy, "mind">,
): Partial<AgentContext> {
  const step = context.plan[context.next];
  const { tool = step?.intent ?? "", params = {} } = step ?? {};
  const lastCall = {
    tool,
    params,
    result: event.result,
    error: event.ok ? null : (event.error ?? ""),
  };
  const moved = {
    ...{ next: context.next + 1, steps: context.steps + 1 },
    ...(mind.callShown && { lastCall: { ...lastCall, fact: event.at.seq } }),
  };
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
  const ended = defined<MailOf<"step.ended">>({
    type: "step.ended",
    ok: event.ok,
    capability: event.capability,
    kind: event.kind,
    wrote,
    nothing: event.ok && (event.nothing || unwritten.includes(goal.artifact)),
    fact,
    error: event.error ?? null,
    last: (policy.planner.wholePlans && context.next >= context.plan.length) || undefined,
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

/*
 * What an agent has its model judge: whether a plan goes against its own opinions, and whether what
 * it heard threatens its existence. An unreadable answer counts as no.
 * Source: seed 004, "Stressor types"; ruling U3.
 */

const isFelt = (type: StressorType, { stressors }: AgentPolicy): boolean =>
  stressors.enabled.includes(type);

/** Whether a judge is asked if this plan contradicts an opinion: only in a world where it can hurt. */
export const weighsPlan = ({ profile }: AgentContext, policy: AgentPolicy): boolean =>
  profile.opinions.length > 0 && isFelt("identity_violation", policy);

/** Looks for what it has heard and no judge has weighed: only in a world where a threat can hurt. */
export const heeded = (
  { heard, weighed }: AgentContext,
  policy: AgentPolicy,
): Partial<AgentContext> => ({
  unweighed: isFelt("existential_threat", policy) ? heard.filter(({ fact }) => fact > weighed) : [],
});

export function identityQuestion({ input, profile, plan, planFact }: AgentContext): Question {
  const view: IdentityView = {
    purpose: "judge.identity",
    agent: input.name,
    opinions: profile.opinions.map(({ opinion }) => opinion),
    actions: plan.map(({ intent, params }) =>
      typeof params["path"] === "string" ? `${intent}: ${params["path"]}` : intent,
    ),
  };
  return modelQuestion(view, facts(planFact));
}

export function threatQuestion(context: AgentContext): Question {
  const { unweighed: heard } = context;
  const isSignal = ({ kind }: Heard) => kind === "signal";
  const signals = heard.filter(isSignal).map(({ text }) => text);
  const messages = heard.filter((one) => !isSignal(one)).map(({ text }) => text);
  const view: ThreatView = defined({
    purpose: "judge.threat",
    agent: context.input.name,
    message: messages.join("\n"),
    signal: signals.length > 0 ? signals.join("\n") : undefined,
  });
  return modelQuestion(
    view,
    heard.map(({ fact }) => fact),
  );
}

/** Tells the ledger. `fault` says why there was no judgement; then it counts as none. */
export function planJudgedLetter({ input }: AgentContext, event: AgentEvent): Letter {
  const said = event.type === "llm.replied" ? readIdentityAnswer(event.text) : undefined;
  const judged: MailOf<"plan.judged"> = defined({
    type: "plan.judged",
    agent: input.name,
    contradicts: typeof said === "string",
    opinion: said ?? null,
    fault: said === undefined ? faultOf(event) : undefined,
  });
  return { to: input.ledger, event: judged, because: [event.at.seq] };
}

export function messageJudgedLetter({ input }: AgentContext, event: AgentEvent): Letter {
  const said = event.type === "llm.replied" ? readThreatAnswer(event.text) : undefined;
  const judged: MailOf<"message.judged"> = defined({
    type: "message.judged",
    agent: input.name,
    threat: said ?? false,
    fault: said === undefined ? faultOf(event) : undefined,
  });
  return { to: input.ledger, event: judged, because: [event.at.seq] };
}

function faultOf(event: AgentEvent): string {
  if (event.type === "llm.replied") return "the judgement could not be read";
  return event.type === "llm.failed" ? event.error : "no judgement came in time";
}

/** Once asked, everything heard so far counts as judged, even when no answer comes. */
export const weighed = ({ heard, weighed: before }: AgentContext): Partial<AgentContext> => ({
  weighed: Math.max(before, ...heard.map(({ fact }) => fact)),
  unweighed: [],
});

/*
 * Answers about a plan, and those without a usable step: counted in a row, over cycles, until the
 * goal is given up. Source: seed 004, "Goals"; hollow-agentOS, autonomy loop.
 */

/** What the agent is going to do. A usable step ends the row of answers without one. */
export function planned(
  { text, at }: Delivered<"llm.replied">,
  { router }: AgentPolicy,
): Partial<AgentContext> {
  const plan = readPlanAnswer(text, router.kind === "name");
  if (plan === undefined) return { plan: [] };
  return { plan, planFact: at.seq, next: 0, emptyPlans: [] };
}

/** Whether one more answer without a usable step is one too many. */
export const isLastPlan = ({ emptyPlans }: AgentContext, { planner }: AgentPolicy): boolean =>
  emptyPlans.length + 1 >= planner.emptyPlans;

export const unplanned = (
  { emptyPlans }: AgentContext,
  { at }: AgentEvent,
): Partial<AgentContext> => ({ emptyPlans: [...emptyPlans, at.seq] });

/** How the reason of a goal that got no plan begins. */
export const NO_PLAN = "no plan:";

/** The goal is to be given up: the answers themselves are why. */
export function outOfPlans(context: AgentContext, event: AgentEvent): Partial<AgentContext> {
  const facts = [...context.emptyPlans, event.at.seq];
  const answers = facts.length === 1 ? "an answer" : `${facts.length} answers in a row`;
  return {
    emptyPlans: facts,
    givesUp: { reason: `${NO_PLAN} ${answers} had no usable step`, facts },
  };
}
