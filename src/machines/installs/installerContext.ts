/** What the builder knows of the install that it is at, and of those that wait. Source: seed 003. */
import type { Delivered, Mail } from "../letter.ts";
import type { BuilderStep, InstallPhase, Wanted } from "./builderRules.ts";
import type { InstallOutcome, IntentFields } from "./crewMail.ts";
import type { Did } from "./crewViews.ts";

export type InstallerEvent = Delivered<
  | "install.delegated"
  | "install.held"
  | "turn.interrupted"
  | "rollback.wanted"
  | "approval.decided"
  | "approval.expired"
  | "gateway.answered"
  | "llm.replied"
  | "llm.failed"
  | "ask.bounced"
>;

/** JSON, so no interface. */
export type Task = {
  readonly wish: string;
  readonly intent: IntentFields;
  readonly loose: readonly string[];
  /** Whom the report goes to, and the question that it answers; null for a letter that asked nothing. */
  readonly from: string;
  readonly re: number | null;
};

/** How it ends. */
export type Report = Pick<Mail["install.reported"], "reason" | "todo"> & {
  readonly outcome: InstallOutcome;
};

/** A person's word on an approval, or that there was none in time. */
export type Ruling = {
  readonly approval: string;
  readonly isApproved: boolean;
  readonly reason: string;
};

export interface InstallerContext {
  readonly queue: readonly Task[];
  readonly task: Task | null;
  readonly phase: InstallPhase;
  readonly revision: string | null;
  readonly approval: string | null;
  /** It may come before the builder has stopped. */
  readonly ruling: Ruling | null;
  /** Whether the gateway was ever asked to create this one, answered or not. */
  readonly hasAsked: boolean;
  readonly looks: number;
  readonly wakes: number;
  readonly did: readonly Did[];
  readonly hint: string | null;
  readonly wanted: Wanted | null;
  readonly step: BuilderStep | null;
  readonly report: Report | null;
  /** What this install rests on, by number. */
  readonly facts: readonly number[];
}

const fresh: Omit<InstallerContext, "queue" | "task"> = {
  phase: "given",
  revision: null,
  approval: null,
  ruling: null,
  hasAsked: false,
  looks: 0,
  wakes: 0,
  did: [],
  hint: null,
  wanted: null,
  step: null,
  report: null,
  facts: [],
};

export const openingInstaller: InstallerContext = { queue: [], task: null, ...fresh };

/** The next one of those that wait. */
export function taskTaken({ queue }: InstallerContext): InstallerContext {
  const [task = null, ...rest] = queue;
  return { ...openingInstaller, queue: rest, task, phase: openingPhase(task) };
}

export const taskLeft = ({ queue }: InstallerContext): InstallerContext => ({
  ...openingInstaller,
  queue,
});

function openingPhase(task: Task | null): InstallPhase {
  const artifact = task?.intent["artifact_id"] ?? null;
  if (artifact === null) return task !== null && task.loose.length > 0 ? "loose" : "inspected";
  // A raw handle, or whatever else is no id of an artifact.
  return typeof artifact === "string" && artifact.startsWith("art_") ? "given" : "loose";
}
