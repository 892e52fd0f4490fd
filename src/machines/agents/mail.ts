/** What is said in the agents' world: every event that is its own, by type. */

import type { Capability } from "./agent/context.ts";
import type { Broken } from "./engine/state.ts";
import type { PartVerdict } from "./goal/goalContext.ts";
import type { GoalGatePart } from "./goal/goalGateParts.ts";
import type { NoteOutcome } from "./lessons/lessonKeeper.ts";
import type { Category } from "./lessons/lessons.ts";
import type { View as AgentsView } from "./model/prompts.ts";
import type { Claim } from "./suffering/goalLedger.ts";
import type { StressorType } from "./suffering/stressorPolicy.ts";
import type { SynthesisOutcome, SynthesisStep } from "./synthesis/capabilitySynthesis.ts";

export type * from "./hookMail.ts";

type None = { readonly [field in never]: never };

declare module "../portMail.ts" {
  interface Views {
    agents: AgentsView;
  }
}

declare module "../letter.ts" {
  interface Mail {
    // From outside, by way of the daemon.
    /** To the daemon with the agent's name; from there to the agent itself without. */
    "host.message": { readonly agent?: string; readonly text: string };
    /** To the daemon with the agents that notice it; from there to each agent without. */
    "outside.signal": { readonly agents?: readonly string[]; readonly text: string };
    "daemon.restarted": None;
    "daemon.stopped": None;

    // An agent and its peers.
    "peer.message": { readonly from: string; readonly text: string };
    "peers.asked": { readonly agent: string };
    /** The latest claims of the others, by name. */
    "peers.answered": { readonly claims: readonly Claim[] };
    "work.claimed": { readonly agent: string; readonly n: number; readonly path: string };
    /** Once for each cycle, when the agent goes to rest. */
    "cycle.ended": {
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
    };
    /** The model's judgement on a plan: the opinion it goes against, or null. */
    "plan.judged": {
      readonly agent: string;
      readonly contradicts: boolean;
      readonly opinion: string | null;
      /** Why the judge's answer could not be used. */
      readonly fault?: string;
    };
    "message.judged": {
      readonly agent: string;
      readonly threat: boolean;
      /** Why the judge's answer could not be used. */
      readonly fault?: string;
    };

    // A goal.
    "step.ended": {
      readonly ok: boolean;
      readonly capability: string | null;
      readonly kind?: string;
      /** The files that the step wrote, by whatever capability. */
      readonly wrote: readonly string[];
      /** It looked like success, and returned nothing or left the artifact unwritten. */
      readonly nothing: boolean;
      /** The call.finished that ended the step. */
      readonly fact: number;
      readonly error: string | null;
      /** The plan was all there is of the goal, and this was its last step. */
      readonly last?: true;
    };
    "goal.givenUp": { readonly reason: string; readonly facts: readonly number[] };
    "goal.judged": {
      readonly status: "active" | "missed" | "completed" | "abandoned";
      readonly progress: number;
      readonly misses: number;
      readonly reason: string | null;
    };
    /** For the log: what one part of the gate found. */
    "goalGate.judged": {
      readonly agent: string;
      readonly n: number;
      /** `progress`: it was full, so the gate opened. */
      readonly part: GoalGatePart | "progress";
      readonly passed: boolean;
      readonly verdict: PartVerdict;
      readonly reason: string | null;
      readonly misses?: number;
    };
    "goal.ended": {
      readonly agent: string;
      readonly n: number;
      readonly status: "completed" | "abandoned";
      readonly text: string;
      /** Validated, when the goal was completed. */
      readonly artifact: string;
      readonly misses: number;
      readonly failedSteps: number;
      readonly reason: string | null;
      readonly notes: readonly string[];
      readonly facts: readonly number[];
    };

    // Lessons.
    "lessons.asked": None;
    "lessons.answered": { readonly rules: readonly string[] };
    "lesson.noted": {
      readonly agent: string;
      readonly n: number;
      readonly outcome: NoteOutcome;
      readonly lesson: string | null;
      readonly category: Category | null;
      readonly candidates: number;
      readonly promoted: number;
    };
    "lessons.read": {
      readonly agent: string;
      readonly candidates: number;
      readonly promoted: number;
    };

    // The engine.
    "tools.asked": None;
    "tools.answered": {
      readonly broken: readonly Broken[];
      /** What there is, in the order of registration. */
      readonly capabilities: readonly Capability[];
    };
    "call.requested": {
      readonly agent: string;
      readonly cycle: number;
      /** The tool that is called by its name; without it the engine looks for one by the words of `intent`. */
      readonly tool?: string;
      readonly intent: string;
      readonly params: { readonly [name: string]: Json };
    };
    /** The engine's letter to itself: the routing decision, which no agent sees. */
    "call.routed": {
      /** The call named its tool: nothing was compared, and the scores are 0. */
      readonly byName?: true;
      /** The seq of the request. */
      readonly call: number;
      readonly agent: string;
      readonly intent: string;
      readonly capability: string;
      readonly score: number;
      readonly runnerUp: string | null;
      readonly runnerUpScore: number;
    };
    "call.finished": {
      readonly ok: boolean;
      readonly capability: string | null;
      readonly result: Json;
      /** It returned nothing, whether or not that counts as a failure. */
      readonly nothing: boolean;
      readonly error?: string;
      /** Refused because of load, or of what must be earned. */
      readonly locked?: true;
      /** Of an entry that another part brought: its kind. */
      readonly kind?: string;
      /** Files that are there because of the call: written whole, or made. */
      readonly wrote?: readonly string[];
      /** Files that a synthesized tool was given, and neither found nor wrote. No prompt shows them. */
      readonly unwritten?: readonly string[];
    };
    "registry.rescanned": None;
    "tools.reloaded": None;
    "synthesis.stepped": SynthesisStep & { readonly agent: string; readonly capability: string };
    "synthesis.finished": SynthesisOutcome & {
      readonly agent: string;
      readonly capability: string;
    };

    // To the ledger: the facts from which stressors are measured.
    /** The engine refused a call because of load or of what must be earned. */
    "capability.locked": {
      readonly agent: string;
      readonly capability: string;
      readonly kind?: string;
      readonly load: number;
    };
    /** `agent` read or mentioned a file that `peer` made. */
    "peer.referenced": {
      readonly agent: string;
      readonly peer: string;
      readonly path: string;
      readonly how: "read" | "mention";
    };
    "peer.messaged": { readonly agent: string; readonly peer: string; readonly isAnswer: boolean };
    /** The model's own word about its stressors. */
    "suffering.reported": {
      readonly agent: string;
      readonly resolved: readonly string[];
      readonly fresh: readonly string[];
    };
    "place.asked": { readonly agent: string; readonly stressor: StressorType };

    // Stressors.
    /** The ledger's answer to place.asked: whether the agent may feel one more. */
    "place.answered": { readonly granted: boolean };
    /** The model's own word, passed on by the ledger. */
    "word.given": { readonly over: boolean };
    "crisis.reset": { readonly agent: string };
    "stressor.changed": {
      readonly agent: string;
      readonly stressor: StressorType;
      /** Null: it is over. */
      readonly sinceMs: number | null;
      readonly start: number;
      readonly growthPerDay: number;
      /** What would end it, as a sentence. */
      readonly condition: string;
    };
    /** Cycles in a row on alike goals without progress. */
    "pursuit.assessed": { readonly stuckCycles: number };
    /** Artifacts older than the limit that no peer has referenced. */
    "artifacts.assessed": { readonly unseen: number };
    /** The latest plans in a row that were judged alike: one of the two is 0. */
    "plans.assessed": { readonly against: number; readonly along: number };
    "messages.assessed": { readonly threats: number; readonly calm: number };
    "window.assessed": { readonly failed: number; readonly total: number };
    /** Cycles in a row without a goal. */
    "choices.assessed": { readonly idleCycles: number };
    /** The larger of workspace and memory, for each of the two. */
    "holdings.assessed": { readonly bytes: number; readonly files: number };
    /** The load, and where the wanted capability locks; null when no lock keeps it. */
    "lock.assessed": { readonly load: number; readonly lockedAt: number | null };
    /** Cycles since the last completed goal. */
    "output.assessed": { readonly barrenCycles: number };
  }
}
