/** What agents, engine and goals tell the ledger: the facts from which stressors are measured. */
import type { At } from "../../letter.ts";

/** Once for each cycle, when the agent goes to rest. */
export interface CycleEnded {
  readonly type: "cycle.ended";
  readonly agent: string;
  readonly cycle: number;
  /** The goal it works on, and how far that is; null when it has none. */
  readonly goal: string | null;
  readonly n: number | null;
  readonly progress: number;
  /** Millionths at that moment. */
  readonly load: number;
  /** It selected a goal since the cycle began. */
  readonly chose: boolean;
}

export interface GoalEnded {
  readonly type: "goal.ended";
  readonly agent: string;
  readonly n: number;
  readonly status: "completed" | "abandoned";
  readonly text: string;
  /** The validated artifact of a completed goal. */
  readonly artifact?: string;
}

/** The model's judgement on a plan: the opinion it goes against, or null. */
export interface PlanJudged {
  readonly type: "plan.judged";
  readonly agent: string;
  readonly contradicts: boolean;
  readonly opinion: string | null;
}

export interface MessageJudged {
  readonly type: "message.judged";
  readonly agent: string;
  readonly threat: boolean;
}

/** The model's own word about its stressors. */
export interface SufferingReported {
  readonly type: "suffering.reported";
  readonly agent: string;
  readonly resolved: readonly string[];
  readonly fresh: readonly string[];
}

/** The engine refused a call because of load or of what must be earned. */
export interface CapabilityLocked {
  readonly type: "capability.locked";
  readonly agent: string;
  readonly capability: string;
  readonly load: number;
}

/** `agent` read or mentioned a file that `peer` made. */
export interface PeerReferenced {
  readonly type: "peer.referenced";
  readonly agent: string;
  readonly peer: string;
  readonly path: string;
  readonly how: "read" | "mention";
}

export interface PlaceAsked {
  readonly type: "place.asked";
  readonly agent: string;
  readonly stressor: string;
}

export type Stamped<T> = T & { readonly at: At };
