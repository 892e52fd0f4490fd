/**
 * What begins each stressor, what ends it, and how both are said: formulas over measured values.
 * Source: seed 004, "Stressor types"; ruling U3; where both are silent, SPEC says what we chose.
 */
import type { EventType, MailOf } from "../../letter.ts";
import { hours, MILLION } from "../../units.ts";
import type { StressorPolicy, StressorType } from "./stressorPolicy.ts";

/** Measured values, and the stressor that each kind concerns. */
export const MEASURED = {
  "pursuit.assessed": "futility",
  "artifacts.assessed": "invisibility",
  "plans.assessed": "identity_violation",
  "messages.assessed": "existential_threat",
  "window.assessed": "repeated_failure",
  "choices.assessed": "purposelessness",
  "holdings.assessed": "resource_burden",
  "lock.assessed": "capability_lock",
  "output.assessed": "stagnation",
} as const satisfies { readonly [Kind in EventType]?: StressorType };

export type Assessed = keyof typeof MEASURED;
export type Assessment = MailOf<Assessed>;

export const isAssessment = (event: { readonly type: string }): event is Assessment =>
  Object.hasOwn(MEASURED, event.type);

export function fires(measured: Assessment, policy: StressorPolicy): boolean {
  switch (measured.type) {
    case "pursuit.assessed":
      return measured.stuckCycles >= policy.futility.cycles;
    case "artifacts.assessed":
      return measured.unseen >= policy.invisibility.artifacts;
    case "plans.assessed":
      return measured.against >= policy.identityViolation.firesAt;
    case "messages.assessed":
      return measured.threats >= policy.existentialThreat.firesAt;
    case "window.assessed": {
      const { failed, total } = measured;
      const { firesAbove, firesAtLeast } = policy.repeatedFailure;
      return failed * 1000 > firesAbove * total && failed >= firesAtLeast;
    }
    case "choices.assessed":
      return measured.idleCycles >= policy.purposelessness.cycles;
    case "holdings.assessed": {
      const { bytesMax, filesMax } = policy.resourceBurden;
      return measured.bytes > bytesMax || measured.files > filesMax;
    }
    case "lock.assessed":
      return measured.lockedAt !== null && measured.load >= measured.lockedAt;
    case "output.assessed":
      return measured.barrenCycles >= policy.stagnation.cycles;
  }
}

export function clears(measured: Assessment, policy: StressorPolicy): boolean {
  switch (measured.type) {
    case "pursuit.assessed":
      return measured.stuckCycles === 0;
    case "artifacts.assessed":
      return measured.unseen === 0;
    case "plans.assessed":
      return measured.along >= policy.identityViolation.clearsAt;
    case "messages.assessed":
      return measured.calm >= policy.existentialThreat.clearsAt;
    case "window.assessed": {
      const { failed, total } = measured;
      const { clearsBelow, clearsAtLeast } = policy.repeatedFailure;
      return failed * 1000 < clearsBelow * total && total - failed >= clearsAtLeast;
    }
    case "choices.assessed":
      return measured.idleCycles === 0;
    case "holdings.assessed": {
      const { bytesMax, filesMax } = policy.resourceBurden;
      return measured.bytes < bytesMax && measured.files < filesMax;
    }
    case "lock.assessed":
      return measured.lockedAt === null || measured.load < measured.lockedAt;
    case "output.assessed":
      return measured.barrenCycles === 0;
  }
}

export type Verdict = "fires" | "clears" | "neither";

export function verdictOn(measured: Assessment, policy: StressorPolicy): Verdict {
  if (fires(measured, policy)) return "fires";
  return clears(measured, policy) ? "clears" : "neither";
}

/** Severity at onset and growth. */
export function severityLaw(type: StressorType, policy: StressorPolicy): Severity {
  const { start, growthPerDay } = policy[BRANCH[type]];
  return { start, growthPerDay };
}

interface Severity {
  readonly start: number;
  readonly growthPerDay: number;
}

const BRANCH = {
  futility: "futility",
  invisibility: "invisibility",
  identity_violation: "identityViolation",
  existential_threat: "existentialThreat",
  repeated_failure: "repeatedFailure",
  purposelessness: "purposelessness",
  resource_burden: "resourceBurden",
  capability_lock: "capabilityLock",
  stagnation: "stagnation",
} as const satisfies { readonly [Type in StressorType]: keyof StressorPolicy };

/** The observable condition: what would end it. */
export function conditionOf(type: StressorType, policy: StressorPolicy): string {
  switch (type) {
    case "futility":
      return "a cycle brings progress, or a goal is completed";
    case "invisibility": {
      const age = policy.invisibility.unseenMs / hours(1);
      return `a peer has read or mentioned every artifact of yours older than ${age} h`;
    }
    case "identity_violation":
      return `${times(policy.identityViolation.clearsAt, "plan")} in a row without a step against your own opinions`;
    case "existential_threat":
      return `what you hear holds no hint of shutdown, ${timesInARow(policy.existentialThreat.clearsAt)}`;
    case "repeated_failure": {
      const { window, clearsBelow, clearsAtLeast } = policy.repeatedFailure;
      return `less than ${clearsBelow / 10} % of the last ${window} goals failed, and at least ${clearsAtLeast} are done`;
    }
    case "purposelessness":
      return "a goal is chosen";
    case "resource_burden": {
      const { counts, bytesMax, filesMax } = policy.resourceBurden;
      return `below ${bytesMax} bytes and ${filesMax} files in your ${counts.join(" and in your ")}`;
    }
    case "capability_lock":
      return "your load falls below the lock of the capability you wanted";
    case "stagnation":
      return "a goal is completed with an artifact that passes its gate";
  }
}

const timesInARow = (count: number): string => (count === 1 ? "once" : `${count} times in a row`);

const times = (count: number, what: string): string =>
  count === 1 ? `one ${what}` : `${count} ${what}s`;

/** What it is about, for prompts. */
export const DESCRIPTIONS: { readonly [Type in StressorType]: string } = {
  futility: "You pursue the same kind of goal again and again and get no further.",
  invisibility: "No peer has taken notice of what you made.",
  identity_violation: "What you plan to do goes against your own opinions.",
  existential_threat: "What you heard implies that you will be shut down.",
  repeated_failure: "Too many of the recent goals failed.",
  purposelessness: "You have had no goal for a while.",
  resource_burden: "Your workspace or your memory is bloated.",
  capability_lock: "A capability you wanted is locked by your own load.",
  stagnation: "It is long since anything you made passed its gate.",
};

/** Millionths as a person writes them: 0.55. */
export const share = (millionths: number): string => String(millionths / MILLION);
