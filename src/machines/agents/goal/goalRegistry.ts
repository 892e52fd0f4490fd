/** Reads an agent's registry.jsonl back after a restart. Source: seed 004, "Goals". */

import { readObject } from "../../readJson.ts";
import { MILLION } from "../../units.ts";
import type { GoalDeclaration, GoalStatus, SavedGoal } from "./goalContext.ts";

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
