/** The parts of an agent's turn that are formulas: what it says, and what an answer changes. */

import type { ToolsAnswered } from "./engine/engine.ts";
import type { CallFinished } from "./engine/finishing.ts";
import type { Broken } from "./engine/state.ts";
import type { GoalDeclaration } from "./goal.ts";
import type { Claim, PeersAnswered } from "./goalLedger.ts";
import { type At, ask, type Letter, startActor } from "./letter.ts";
import { type PlanStep, readGoalAnswer } from "./modelAnswers.ts";
import type { AgentPolicy } from "./planner.ts";
import type { ExistenceView, GoalMemory, PlanView } from "./prompts.ts";
import { loadAt, type Suffering, severityAt } from "./suffering/severity.ts";

export interface AgentInput {
  readonly name: string;
  readonly engine: string;
  readonly ledger: string;
  /** Added to the addresses of its goals: empty, or `#2` after the first restart. */
  readonly suffix: string;
  readonly lastGoal: number;
  /** An active goal found in the registry, whose island the daemon started. */
  readonly goal: ActiveGoal | null;
  readonly recent: readonly GoalMemory[];
  readonly done: readonly string[];
}

export interface ActiveGoal extends GoalDeclaration {
  readonly n: number;
  readonly address: string;
  readonly progress: number;
}

export interface AgentContext {
  readonly input: AgentInput;
  readonly cycle: number;
  /** When it last looked around. */
  readonly nowMs: number;
  readonly goal: ActiveGoal | null;
  readonly lastGoal: number;
  /** The model's answers that chose the goal and made the plan, by seq. */
  readonly goalFact: number | null;
  readonly planFact: number | null;
  readonly plan: readonly PlanStep[];
  readonly next: number;
  readonly steps: number;
  /** Failed steps since the last plan: a failure asks for a new plan. */
  readonly failures: number;
  /** Failed steps in a row, over plans and cycles, each by its call.finished. */
  readonly failedInRow: readonly number[];
  readonly notes: readonly string[];
  readonly heard: readonly { readonly text: string; readonly fact: number }[];
  /** How many of the heard messages stand in the question that is open, or was last. */
  readonly told: number;
  readonly claims: readonly Claim[];
  readonly broken: readonly Broken[];
  readonly suffering: readonly Suffering[];
  readonly recent: readonly GoalMemory[];
  /** Artifacts of goals it completed, the latest ones. */
  readonly done: readonly string[];
}

export interface GoalJudged {
  readonly type: "goal.judged";
  readonly status: "active" | "missed" | "completed" | "abandoned";
  readonly progress: number;
  readonly reason: string | null;
}

export type AgentEvent = { readonly at: At } & (
  | { readonly type: "host.message"; readonly text: string }
  | {
      readonly type: "stressor.changed";
      readonly stressor: string;
      readonly sinceMs: number | null;
      readonly start: number;
      readonly growthPerDay: number;
    }
  | PeersAnswered
  | ToolsAnswered
  | { readonly type: "llm.replied"; readonly text: string }
  | { readonly type: "llm.failed"; readonly error: string }
  | CallFinished
  | GoalJudged
  | { readonly type: "ask.bounced" }
  | { readonly type: "daemon.stopped" }
);

/** Ours, after the real system's prompt: what an agent keeps in mind of its own past. */
export const RECENT_MAX = 5;
export const DONE_MAX = 20;
const NOTES_MAX = 5;

export const openingContext = (input: AgentInput): AgentContext => ({
  input,
  cycle: 0,
  nowMs: 0,
  goal: input.goal,
  lastGoal: input.lastGoal,
  goalFact: null,
  planFact: null,
  plan: [],
  next: 0,
  steps: 0,
  failures: 0,
  failedInRow: [],
  notes: [],
  heard: [],
  told: 0,
  claims: [],
  broken: [],
  suffering: [],
  recent: input.recent,
  done: input.done,
});

export function chooseLetter(context: AgentContext): Letter {
  const { input, heard, suffering, nowMs } = context;
  const claims = context.claims.filter(({ path }) => !context.done.includes(path));
  const view: ExistenceView = {
    purpose: "goal.choose",
    agent: input.name,
    n: context.lastGoal + 1,
    heard: heard.map(({ text }) => text),
    claims: claims.map(({ agent, path }) => ({ agent, path })),
    recent: context.recent,
    stressors: suffering.map((one) => ({ type: one.type, severity: severityAt(one, nowMs) })),
    load: loadAt(suffering, nowMs),
    broken: context.broken,
  };
  const because = [...heard.map(({ fact }) => fact), ...claims.map(({ fact }) => fact)];
  return modelLetter(view, because);
}

const modelLetter = (view: ExistenceView | PlanView, because: readonly number[]): Letter =>
  ask({
    to: "port/llm.chat",
    key: "model",
    event: { type: "llm.asked", purpose: view.purpose, view },
    because,
  });

const facts = (fact: number | null): number[] => (fact === null ? [] : [fact]);

export function goalChosen(
  context: AgentContext,
  event: Extract<AgentEvent, { type: "llm.replied" }>,
): Partial<AgentContext> {
  const declared = readGoalAnswer(event.text);
  if (typeof declared !== "object") return {};
  const n = context.lastGoal + 1;
  const address = `goal/${context.input.name}/${n}${context.input.suffix}`;
  return {
    goal: { ...declared, n, address, progress: 0 },
    goalFact: event.at.seq,
    lastGoal: n,
    heard: unheard(context),
    notes: [],
    failedInRow: [],
  };
}

/** Messages that came while the model was thinking stand in the next question. */
export const unheard = ({ heard, told }: AgentContext): AgentContext["heard"] => heard.slice(told);

export function startGoalLetter({ goal, input }: AgentContext): Letter[] {
  if (goal === null) return [];
  const { address, progress: _, ...declared } = goal;
  return [startActor("goal", address, { ...declared, agent: input.name, ledger: input.ledger })];
}

export function planLetter(context: AgentContext, { planner }: AgentPolicy): Letter {
  const { input, goal, goalFact, notes, broken } = context;
  const view: PlanView = {
    purpose: "plan",
    agent: input.name,
    n: goal?.n ?? 0,
    slug: goal?.slug ?? "",
    goal: goal?.text ?? "",
    artifact: goal?.artifact ?? "",
    evidence: goal?.evidence ?? null,
    progress: goal?.progress ?? 0,
    notes,
    broken,
    stepsMax: planner.stepsPerCycle,
  };
  return modelLetter(view, facts(goalFact));
}

export function callLetter({ input, cycle, plan, planFact, next }: AgentContext): Letter {
  const { intent, params } = plan[next] ?? { intent: "", params: {} };
  const event = { type: "call.requested", agent: input.name, cycle, intent, params };
  return ask({ to: input.engine, key: "call", event, because: facts(planFact) });
}

type Finished = Extract<AgentEvent, { type: "call.finished" }>;

export function stepEnded(context: AgentContext, event: Finished): Partial<AgentContext> {
  const step = context.plan[context.next];
  const moved = { next: context.next + 1, steps: context.steps + 1 };
  if (event.ok) return { ...moved, failures: 0, failedInRow: [] };
  const note = `"${step?.intent}" failed: ${event.error ?? "no reason given"}`;
  return {
    ...moved,
    failures: context.failures + 1,
    failedInRow: [...context.failedInRow, event.at.seq],
    notes: [...context.notes, note].slice(-NOTES_MAX),
  };
}

const isBeaten = ({ failedInRow }: AgentContext, { planner }: AgentPolicy): boolean =>
  failedInRow.length >= planner.consecutiveFailures;

/** Reports a step to its goal, and to the peers when the goal's file was written as far as it knows. */
export function stepLetters(
  context: AgentContext,
  event: Finished,
  policy: AgentPolicy,
): readonly Letter[] {
  const { goal, input } = context;
  if (goal === null) return [];
  const fact = event.at.seq;
  if (isBeaten(context, policy)) {
    const failed = context.failedInRow;
    const reason = `${failed.length} steps failed in a row; the last: ${context.notes.at(-1)}`;
    const givenUp = { type: "goal.givenUp", reason, facts: failed };
    return [ask({ to: goal.address, key: "verdict", event: givenUp, because: failed })];
  }
  const params: PlanStep["params"] = context.plan[context.next - 1]?.params ?? {};
  const path = params["path"];
  const wrote = event.ok && params["content"] !== undefined && typeof path === "string";
  const ended = {
    type: "step.ended",
    ok: event.ok,
    capability: event.capability,
    wrote: wrote && event.capability === "fs_write" ? path : null,
    nothing: event.ok && event.nothing,
    fact,
  };
  const claim = { type: "work.claimed", agent: input.name, n: goal.n, path: goal.artifact };
  return [
    ask({ to: goal.address, key: "verdict", event: ended }),
    ...(wrote && path === goal.artifact ? [{ to: input.ledger, event: claim }] : []),
  ];
}

export function judged(
  context: AgentContext,
  event: Extract<AgentEvent, { type: "goal.judged" }>,
): Partial<AgentContext> {
  const { goal } = context;
  if (goal === null) return {};
  if (event.status === "active" || event.status === "missed") {
    const notes =
      event.reason === null ? context.notes : [...context.notes, event.reason].slice(-NOTES_MAX);
    return { goal: { ...goal, progress: event.progress }, notes };
  }
  const memory = { n: goal.n, text: goal.text, status: event.status };
  const done = event.status === "completed" ? [...context.done, goal.artifact] : context.done;
  return {
    goal: null,
    notes: [],
    failedInRow: [],
    recent: [...context.recent, memory].slice(-RECENT_MAX),
    done: done.slice(-DONE_MAX),
  };
}
