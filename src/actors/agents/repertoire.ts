/**
 * What the scripted model may think of, and the shape of a thought. Every purpose answers from the
 * facts it is shown (the view) and from the repertoire, never from rules or outcomes. Source: DESIGN §5.
 */
import type { View } from "../../machines/agents/model/prompts.ts";
import type { Json } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { Stream } from "../../substrate/random.ts";
import type { RecordedCalls } from "./standIns.ts";

/** What the texts of a goal may hold in braces. Without `claimBelow`, {claim} is empty. */
export const GOAL_WORDS = ["agent", "n", "slug", "claim"] as const;

/** What the texts of a plan may hold in braces. */
export const PLAN_WORDS = ["agent", "n", "slug", "goal", "artifact", "evidence"] as const;

export interface Repertoire {
  /** Of a thousand answers, how many are cut off in the middle. */
  readonly malformedPerMille: number;
  readonly goals: readonly RepertoireGoal[];
  /** Goals and plans come to mind once each, in their order, instead of by weight. */
  readonly inTurn?: true;
  /** Of agents that stand in for recorded ones, what those called. */
  readonly recorded?: RecordedCalls;
  /** Plans for goals that no model chose: their slugs begin with `fallback-`. */
  readonly fallbackPlans?: readonly RepertoirePlan[];
  readonly judges?: RepertoireJudges;
  readonly lessons?: readonly RepertoireLesson[];
  readonly chat?: readonly RepertoireChat[];
}

/** What the model says to a prompt of an agent. */
export interface RepertoireChat {
  readonly id: string;
  /** Only to a prompt that holds this text, in any letter case; to any when null. */
  readonly match: string | null;
  readonly answer: string;
  readonly weight: number;
}

/** What must stand in the view for a goal or a plan to be thought of. All that are there must hold. */
export interface Conditions {
  /** A rule of the environment holds this text. */
  readonly lesson?: string;
  /** No rule of the environment holds this text. */
  readonly withoutLesson?: string;
  /** A section that another part gave holds this text, its title included. */
  readonly section?: string;
  /** No such section holds this text. */
  readonly withoutSection?: string;
  /** A nudge that no call has discharged holds this text. */
  readonly nudge?: string;
  /** No such nudge holds this text. */
  readonly withoutNudge?: string;
  /** The load, in millionths: from `atLeast` up, below `below`. */
  readonly whenLoad?: { readonly atLeast?: number; readonly below?: number };
  /** It suffers from this. */
  readonly stressor?: string;
  /** The list of capabilities holds this name. */
  readonly knows?: string;
  /** The list of capabilities does not hold this name. */
  readonly lacks?: string;
  /** The list of broken tools holds this name. */
  readonly broken?: string;
  /** The list of broken tools does not hold this name. */
  readonly notBroken?: string;
}

export interface RepertoireGoal {
  readonly slug: string;
  /** The agents that may think of it; all agents when empty. */
  readonly agents: readonly string[];
  readonly weight: number;
  /** Only when a heard message holds this text. */
  readonly heard: string | null;
  /** With `inTurn`: which of the texts that it waits for brings it to mind, from 1; the first when absent. */
  readonly nth?: number;
  /** With `inTurn`: the slug of the goal right after which alone it comes to mind. */
  readonly after?: string;
  /** Then: only where the agent's last call came to this (`recordedCall`). */
  readonly came?: string;
  /** Only when a peer says it wrote a file below this folder; {claim} is its path. */
  readonly claimBelow: string | null;
  readonly when?: GoalConditions;
  readonly text: string;
  readonly artifact: string;
  readonly evidence: string | null;
  /** What the model says of itself besides, when it chooses this goal. */
  readonly says?: RepertoireSaying;
  readonly plans: readonly RepertoirePlan[];
}

export interface GoalConditions extends Conditions {
  /** A peer's message holds this text. */
  readonly message?: string;
  /** A signal from outside holds this text. */
  readonly signal?: string;
}

export interface RepertoireSaying {
  readonly reasoning?: string;
  readonly worldview?: string;
  readonly questions?: readonly string[];
  readonly opinions?: readonly { readonly opinion: string; readonly domain: string }[];
  /** Stressors it says it feels, or says are over. */
  readonly stressors?: readonly string[];
  readonly resolved?: readonly string[];
}

export interface RepertoirePlan {
  readonly id: string;
  readonly weight: number;
  readonly when?: PlanConditions;
  readonly steps: readonly RepertoireStep[];
}

export interface PlanConditions extends Conditions {
  /** A note of what went wrong holds this text. */
  readonly note?: string;
}

export interface RepertoireStep {
  /** Different words for the same wish; one is drawn each time. Empty when it names its tool. */
  readonly intents: readonly string[];
  /** The tool that it calls by name. */
  readonly tool?: string;
  readonly params: { readonly [name: string]: Json };
  /** The params are as they stand: braces in them are no places. */
  readonly verbatim?: true;
}

export interface RepertoireJudges {
  /** A message or signal that holds one of these words reads like a shutdown. Case is ignored. */
  readonly threat?: readonly string[];
  /** An action that holds one of these words goes against the opinion that holds this text. */
  readonly identity?: readonly { readonly opinion: string; readonly against: readonly string[] }[];
  /** A file shows that a goal is reached when this many thousandths of the goal's words stand in it. */
  readonly goal?: { readonly coverage: number };
}

/** A lesson that comes to mind when a goal, its end or a note of it holds a text; case is ignored. */
export interface RepertoireLesson {
  readonly id: string;
  readonly match: string;
  readonly lesson: string;
  readonly category: string;
  readonly confidence: "high" | "low";
  readonly weight: number;
}

/** An answer, and the option of the repertoire it took, by name. */
export interface Thought {
  /** A text is said as it is; anything else as JSON. */
  readonly answer: object | string;
  readonly choice: string;
}

/** Answers one purpose. `without` names options that are taken out of this run. */
export type Thinker<V extends View> = (
  view: V,
  repertoire: Repertoire,
  draw: Stream,
  without: ReadonlySet<string>,
) => Thought;

type Words = { readonly [name: string]: string };

/** Of a template, what stands between names and the names, in turn. */
const pieces = new Map<string, readonly string[]>();
const TEMPLATES_MAX = 5000;

function piecesOf(template: string): readonly string[] {
  let known = pieces.get(template);
  if (known === undefined) {
    known = template.split(/\{([a-z]+)\}/);
    if (pieces.size >= TEMPLATES_MAX) pieces.clear();
    pieces.set(template, known);
  }
  return known;
}

/** Replaces {name}; an unknown name stays as it stands. */
export function filled(template: string, words: Words): string {
  const known = piecesOf(template);
  let text = known[0] ?? "";
  for (let at = 1; at < known.length; at += 2) {
    const name = known[at] ?? "";
    text += `${ownValue(words, name) ?? `{${name}}`}${known[at + 1] ?? ""}`;
  }
  return text;
}

export function filledJson(value: Json, words: Words): Json {
  if (typeof value === "string") return filled(value, words);
  if (Array.isArray(value)) return value.map((item) => filledJson(item, words));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, filledJson(member, words)]),
  );
}
