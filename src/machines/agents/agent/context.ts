/** What an agent is given, what it keeps in mind, and what it can be told. */

import type { Delivered, Json } from "../../letter.ts";
import type { Broken } from "../engine/state.ts";
import type { FallbackSource, GoalDeclaration } from "../goal/goalContext.ts";
import type { Nudge, PromptSection } from "../hooks.ts";
import type { PlanStep, Reflection } from "../model/modelAnswers.ts";
import type { Claim } from "../suffering/goalLedger.ts";
import type { Suffering } from "../suffering/severity.ts";
import type { Profile } from "./profile.ts";

export interface AgentInput {
  readonly name: string;
  readonly engine: string;
  readonly ledger: string;
  /** The keeper of its lessons; null in a world without any. */
  readonly lessons: string | null;
  /** The names of the others. */
  readonly peers: readonly string[];
  /** Added to the addresses of its goals: empty, or `#2` after the first restart. */
  readonly suffix: string;
  readonly lastGoal: number;
  /** An active goal found in the registry, whose island the daemon started. */
  readonly goal: ActiveGoal | null;
  readonly recent: readonly GoalMemory[];
  readonly done: readonly string[];
  readonly profile: Profile;
  readonly journal: readonly string[];
}

export interface ActiveGoal extends GoalDeclaration {
  readonly n: number;
  readonly address: string;
  readonly progress: number;
  /** What it was made from when no model chose it. */
  readonly fallback?: FallbackSource;
}

/** A goal that was made without the model. */
export interface Fallback extends GoalDeclaration {
  readonly fallback: FallbackSource;
  /** Where the next one begins to look. */
  readonly rotation: number;
  /** What it rests on. */
  readonly facts: readonly number[];
}

/** What the model answered when it was asked for a goal; `declared` is null for neither a goal nor a rest. */
interface Choice {
  readonly declared: GoalDeclaration | "rest" | null;
  readonly said: Reflection;
}

export interface GoalMemory {
  readonly n: number;
  readonly text: string;
  readonly status: string;
}

export interface Capability {
  readonly name: string;
  readonly description: string;
  /** Where tools are called by name: what it takes, as `path: string, limit?: integer`; empty for nothing. */
  readonly takes?: string;
}

/** What it suffers from, and the stressor.changed that said so. */
interface Felt extends Suffering {
  readonly fact: number;
}

/** What was said to it, or what it noticed of the outside. */
export interface Heard {
  readonly kind: "person" | "peer" | "signal";
  /** The name of a peer; null for the others. */
  readonly from: string | null;
  readonly text: string;
  readonly fact: number;
}

/** A nudge, the answer that raised it, and whether a call has discharged it. */
export interface StandingNudge extends Nudge {
  readonly fact: number;
  readonly discharged: boolean;
}

/** What other parts say before the agent asks its model, and the addresses that have not answered yet. */
export interface Advice {
  readonly missing: readonly string[];
  readonly sections: readonly (PromptSection & { readonly fact: number })[];
}

/** A call, and what it came to. */
export interface LastCall {
  readonly tool: string;
  readonly params: PlanStep["params"];
  readonly result: Json;
  /** Null of a call that went well. */
  readonly error: string | null;
}

export interface AgentContext {
  readonly input: AgentInput;
  readonly cycle: number;
  /** The last cycle whose end it told. */
  readonly endedCycle: number;
  /** When it last looked around. */
  readonly nowMs: number;
  readonly goal: ActiveGoal | null;
  /** The goal it had in this cycle, even when that is over. */
  readonly worked: Pick<ActiveGoal, "n" | "text" | "progress"> | null;
  /** Whether this cycle chose the goal. */
  readonly chose: boolean;
  /** Why the goal is to be given up, and what that rests on: a crisis.reset, answers without a plan. */
  readonly givesUp: { readonly reason: string; readonly facts: readonly number[] } | null;
  /** The model's latest answer about a goal, and the goal made without one: each until it is acted upon. */
  readonly choice: Choice | null;
  readonly fallback: Fallback | null;
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
  /** Answers without a usable step in a row, over cycles, each by its llm.replied. */
  readonly emptyPlans: readonly number[];
  readonly notes: readonly string[];
  /** The words in which locks refused its calls since its suffering last changed. */
  readonly locks: readonly string[];
  readonly heard: readonly Heard[];
  /** What is heard up to this seq stands in the question about a goal that is open, or was last. */
  readonly askedUpTo: number;
  /** What is heard up to this seq was judged for a threat. */
  readonly weighed: number;
  /** What the judge is to be asked about. */
  readonly unweighed: readonly Heard[];
  readonly claims: readonly Claim[];
  readonly broken: readonly Broken[];
  readonly capabilities: readonly Capability[];
  /** The rules of its environment, and the answer that gave them. */
  readonly rules: readonly string[];
  readonly rulesFact: number | null;
  readonly suffering: readonly Felt[];
  readonly recent: readonly GoalMemory[];
  /** Artifacts of goals it completed, the latest ones. */
  readonly done: readonly string[];
  readonly profile: Profile;
  readonly journal: readonly string[];
  /** Absent where no other part has anything to say. */
  readonly advice?: Advice;
  readonly nudges?: readonly StandingNudge[];
  /** Absent before the first one, and where no prompt shows it. */
  readonly lastCall?: LastCall & { readonly fact: number };
}

export type AgentEvent = Delivered<
  | "host.message"
  | "peer.message"
  | "outside.signal"
  | "stressor.changed"
  | "crisis.reset"
  | "peers.answered"
  | "lessons.answered"
  | "tools.answered"
  | "llm.replied"
  | "llm.failed"
  | "call.finished"
  | "goal.judged"
  | "section.answered"
  | "agent.joined"
  | "agent.left"
  | "ask.bounced"
  | "daemon.stopped"
>;

/** Ours, after the real system's prompt: what an agent keeps in mind of its own past. */
export const RECENT_MAX = 5;
export const DONE_MAX = 20;
/** Ours: unread messages an agent keeps; the oldest goes first. */
export const HEARD_MAX = 100;

export const openingContext = (input: AgentInput): AgentContext => ({
  input,
  cycle: 0,
  endedCycle: 0,
  nowMs: 0,
  goal: input.goal,
  worked: null,
  chose: false,
  givesUp: null,
  choice: null,
  fallback: null,
  lastGoal: input.lastGoal,
  goalFact: null,
  planFact: null,
  plan: [],
  next: 0,
  steps: 0,
  failures: 0,
  failedInRow: [],
  emptyPlans: [],
  notes: [],
  locks: [],
  heard: [],
  askedUpTo: 0,
  weighed: 0,
  unweighed: [],
  claims: [],
  broken: [],
  capabilities: [],
  rules: [],
  rulesFact: null,
  suffering: [],
  recent: input.recent,
  done: input.done,
  profile: input.profile,
  journal: input.journal,
});
