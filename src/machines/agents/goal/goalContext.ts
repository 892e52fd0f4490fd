/** What a goal is given, what it knows, and how it opens. The order is in goal.ts. */
import type { FolderPolicy } from "../../folders.ts";
import type { At, Delivered } from "../../letter.ts";
import { readObject } from "../../readJson.ts";
import { MILLION } from "../../units.ts";
import type { GoalGatePart, GoalGatePolicy, Mention } from "./goalGateParts.ts";
import { type Progress, type ProgressPolicy, startOfProgress } from "./progress.ts";

export interface GoalPolicy {
  readonly progress: ProgressPolicy;
  readonly gate: GoalGatePolicy;
  readonly folders: FolderPolicy;
}

/** How a part of the gate was decided: `no` by what was found, the last three by the judge's silence. */
export type PartVerdict = "yes" | "no" | "unreadable" | "failed" | "late";

export interface Finding {
  readonly verdict: PartVerdict;
  /** Null for a part that nothing speaks against. */
  readonly reason: string | null;
}

/** What the model declared when it chose the goal. */
export interface GoalDeclaration {
  readonly slug: string;
  readonly text: string;
  /** The one file that passes the gate. */
  readonly artifact: string;
  /** A line that must stand in the artifact, for goals that change another agent's file. */
  readonly evidence: string | null;
}

export interface GoalInput extends GoalDeclaration {
  readonly agent: string;
  readonly n: number;
  readonly ledger: string;
  /** The keeper that draws lessons from its end; none when absent. */
  readonly lessons?: string | null;
  /** What it was made from when no model chose it; for the reader of the log. */
  readonly fallback?: FallbackSource;
  /** From the registry, when a restart resumes the goal. */
  readonly resumed?: SavedGoal;
}

/** The part of a registry line that a restart reads back. */
export interface SavedGoal extends Progress {
  readonly misses: number;
  readonly failedSteps: number;
  readonly wrote: readonly string[];
  /** What went wrong, the latest last; on the line of a miss. */
  readonly notes: readonly string[];
}

export type GoalStatus = "active" | "completed" | "abandoned";

export type GoalEvent = Delivered<
  | "step.ended"
  | "goal.givenUp"
  | "files.replied"
  | "llm.replied"
  | "llm.failed"
  | "ask.bounced"
  | "daemon.stopped"
>;

export interface GoalContext extends SavedGoal {
  readonly input: GoalInput;
  /** Steps that returned or wrote nothing, and what files and judge said: what a missed gate rests on. */
  readonly facts: readonly number[];
  /** The actor that waits for a verdict on the last step. */
  readonly asker: At | null;
  readonly reason: string | null;
  /** The part of the gate that was missed last. */
  readonly fault: { readonly part: GoalGatePart; readonly verdict: PartVerdict } | null;
  /** How the part of the gate that is being asked is decided; null before, and once that is told. */
  readonly found: Finding | null;
  /** Claims of the artifact that are still to be looked up. */
  readonly mentions: readonly Mention[];
}

export const openingGoal = (input: GoalInput): GoalContext => ({
  input,
  ...startOfProgress,
  misses: 0,
  failedSteps: 0,
  wrote: [],
  notes: [],
  facts: [],
  asker: null,
  reason: null,
  fault: null,
  found: null,
  mentions: [],
  ...input.resumed,
});

/* Reads an agent's registry.jsonl back after a restart. Source: seed 004, "Goals". */

export interface RegisteredGoal extends GoalDeclaration, SavedGoal {
  readonly n: number;
  readonly status: GoalStatus;
  /** When the last verdict was given; absent before the first. */
  readonly atMs?: number;
}

/** What agents and their goals keep over a restart. */
export const MEMORY_FOLDER = "/agentOS/memory";

export const goalRegistryPath = (agent: string): string =>
  `${MEMORY_FOLDER}/goals/${agent}/registry.jsonl`;

/** Ours: more goals than any agent chooses; the next number must be exact. */
const N_MAX = 1_000_000_000;

const STATUSES: readonly unknown[] = ["active", "completed", "abandoned"];

/**
 * All goals in order of their numbers. Agents may write there too: a line that would leave a goal
 * with a field missing or of the wrong kind is passed over.
 */
export function readGoalRegistry(text: string | undefined): RegisteredGoal[] {
  const goals = new Map<unknown, RegisteredGoal>();
  for (const line of (text ?? "").split("\n")) {
    const fields = readObject(line) ?? {};
    const goal = { failedSteps: 0, notes: [], ...goals.get(fields["n"]), ...fields };
    if (isWhole(goal)) goals.set(goal.n, goal);
  }
  return [...goals.values()].sort((a, b) => a.n - b.n);
}

const isWhole = (goal: Partial<RegisteredGoal>): goal is RegisteredGoal =>
  isCount(goal.n, N_MAX) &&
  STATUSES.includes(goal.status) &&
  isText(goal.slug) &&
  isText(goal.text) &&
  isText(goal.artifact) &&
  (goal.evidence === null || isText(goal.evidence)) &&
  isCount(goal.progress, MILLION) &&
  isCount(goal.outputs) &&
  isCount(goal.misses) &&
  isCount(goal.failedSteps) &&
  (goal.lastCapability === null || isText(goal.lastCapability)) &&
  isTexts(goal.wrote) &&
  isTexts(goal.notes) &&
  (goal.atMs === undefined || isCount(goal.atMs));

const isText = (value: unknown): boolean => typeof value === "string";

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const isCount = (value: unknown, max: number = Number.MAX_SAFE_INTEGER): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;

/** What a restart gives back to a goal. */
export const savedGoal = (goal: SavedGoal): SavedGoal => {
  const { progress, outputs, lastCapability, misses, failedSteps, wrote, notes } = goal;
  return { progress, outputs, lastCapability, misses, failedSteps, wrote, notes };
};

/** Where a goal that no model chose may come from, in the order of the seed. Source: seed 004, "Goals". */
export const FALLBACK_SOURCES = [
  "stressor",
  "question",
  "peer-file",
  "last-outcome",
  "journal",
] as const;

export type FallbackSource = (typeof FALLBACK_SOURCES)[number];

/** How many facts a letter names: enough to explain it, few enough to read. */
export const FACTS_MAX = 8;
