/** What a goal is given, what it knows, and how it opens. The order is in goal.ts. */
import type { FolderPolicy } from "../../folders.ts";
import type { At, Delivered } from "../../letter.ts";
import type { FallbackSource } from "../agent/fallbackSources.ts";
import type { Mention } from "./factCheck.ts";
import type { GoalGatePart, GoalGatePolicy } from "./goalGateParts.ts";
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
