/** Reads an agent's registry.jsonl back after a restart. Source: seed 004, "Goals". */
import type { GoalDeclaration, GoalStatus, SavedGoal } from "./goal.ts";

export interface RegisteredGoal extends GoalDeclaration, SavedGoal {
  readonly n: number;
  readonly status: GoalStatus;
}

/** All goals in order of their numbers. Lines that are no JSON, or of no known goal, are passed over. */
export function readGoalRegistry(text: string | undefined): RegisteredGoal[] {
  const goals = new Map<number, RegisteredGoal>();
  for (const line of (text ?? "").split("\n")) {
    const fields = parsed(line);
    if (fields === undefined || !Number.isSafeInteger(fields.n)) continue;
    const known = goals.get(fields.n);
    if (known !== undefined) goals.set(fields.n, { ...known, ...fields });
    else if (isWhole(fields)) goals.set(fields.n, fields);
  }
  return [...goals.values()].sort((a, b) => a.n - b.n);
}

function parsed(line: string): (Partial<RegisteredGoal> & { n: number }) | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as RegisteredGoal) : undefined;
  } catch {
    return undefined;
  }
}

const isWhole = (fields: Partial<RegisteredGoal> & { n: number }): fields is RegisteredGoal =>
  typeof fields.slug === "string" &&
  typeof fields.text === "string" &&
  typeof fields.artifact === "string" &&
  typeof fields.status === "string" &&
  Number.isSafeInteger(fields.progress) &&
  Array.isArray(fields.wrote);
