/** What stands in the agents' book, and what can be new in it. */

import type { SubBook } from "../../../contract/book.ts";
import type { GoalInput, GoalStatus } from "../../../machines/agents/goal/goalContext.ts";
import type { Suffering } from "../../../machines/agents/suffering/severity.ts";
import type { MailOf } from "../../../machines/letter.ts";
import type { SeenTools } from "../engineMirror.ts";

/** The facts of all sub-books. */
export interface AgentFacts {
  /** The engine's tools; null before there is an engine. */
  readonly registry: { tools: SeenTools | null };
  readonly calls: OpenCalls;
  readonly ghosts: GhostStory[];
  /** Tools that broken_tools.json ever listed. */
  readonly broken: string[];
  readonly goals: GoalStory[];
  /** The agents that were born at the request of other parts, by name. */
  readonly born: string[];
  readonly syntheses: {
    /** Tools that were ever deployed. */
    readonly deployed: string[];
    /** Tools whose files are written and whose tests are not over. */
    readonly inTest: string[];
  };
  /** What each agent suffers from; absent for one that never felt anything. */
  readonly feelings: { [agent: string]: readonly Suffering[] };
  readonly tools: ToolLives;
}

export type AgentNews =
  | { readonly is: "registry"; readonly tools: SeenTools }
  | CallNews
  | GhostNews
  | { readonly is: "broken"; readonly tool: string }
  | { readonly is: "goalBegun"; readonly goal: GoalInput }
  | { readonly is: "goalEnded"; readonly agent: string }
  | {
      readonly is: "joined" | "left";
      readonly agent: string;
      /** It is born, and was not before. */
      readonly isFirst: boolean;
      /** Of all that are told, the engine is told once. */
      readonly isToEngine: boolean;
    }
  | {
      readonly is: "synthesized";
      readonly event: MailOf<"synthesis.finished">;
      /** The first deployment of its name. */
      readonly isFirst: boolean;
    }
  | { readonly is: "felt"; readonly agent: string; readonly event: MailOf<"stressor.changed"> };

export type AgentBook<Own extends keyof AgentFacts> = SubBook<AgentFacts, Own, AgentNews>;

export interface GoalStory {
  readonly agent: string;
  readonly n: number;
  readonly text: string;
  readonly startMs: number;
  endMs: number | null;
  status: GoalStatus;
}

/** A call without an end. */
export interface OpenCall extends Pick<MailOf<"call.requested">, "agent" | "intent" | "params"> {
  /** The seq of the request: the call's name. */
  readonly seq: number;
  readonly atMs: number;
  /** What the router gave it to; null before. */
  tool: string | null;
}

export interface OpenCalls {
  count: number;
  readonly open: { [seq: number]: OpenCall };
}

/** `call`: undefined where its request is not known. */
export type CallNews =
  | {
      readonly is: "routed";
      readonly event: MailOf<"call.routed">;
      readonly call: OpenCall | undefined;
      /** A call that is routed again is still one call. */
      readonly isFirst: boolean;
    }
  | {
      readonly is: "finished";
      readonly event: MailOf<"call.finished">;
      readonly call: OpenCall | undefined;
    };

/** A capability that was registered without code behind it. */
export interface GhostStory {
  readonly name: string;
  readonly description: string;
  readonly fromMs: number;
  /** When its entry left the registry; null while it stands. */
  toMs: number | null;
  /** The last call that the router gave to it. */
  lastCallMs: number | null;
  readonly callsByAgent: { [agent: string]: number };
}

export type GhostNews = {
  readonly is: "ghost";
  readonly ghost: GhostStory;
  /** `forgotten`: registered without code and with it at the same instant, so that no agent could have called it. */
  readonly turn: "begun" | "hasCode" | "gone" | "forgotten";
};

export interface ToolLife {
  readonly name: string;
  /** Calls routed to it, by what came of them; all together they are its calls. */
  readonly calls: ToolCalls;
  /** Syntheses of this name that a step rejected, by step. */
  readonly rejected: { [step: number]: Rejections };
  /** Syntheses that ended with a tool, and those that the dedup guard answered. */
  deployed: number;
  deduplicated: number;
  standing: { readonly kind: "working" | "ghost" | "never registered" } | ToolGone;
  /** Why broken_tools.json lists it; null when it does not. */
  broken: string | null;
}

export interface ToolCalls {
  /** Came back with a result. */
  worked: number;
  /** Came back with one, and left a file alone that they were to write. */
  unwritten: number;
  nothing: number;
  failed: number;
  locked: number;
  /** Without an answer that its caller heard: still open, or the caller had given up. */
  unheard: number;
  /** Why the last of those that failed did. */
  error: string | null;
}

interface Rejections {
  readonly title: string;
  readonly count: number;
  /** Of the last one. */
  readonly detail: string;
}

export interface ToolGone {
  readonly kind: "gone";
  readonly atMs: number;
  /** The number of the delivery that changed its file; null where no file of it is known to have left. */
  readonly by: number | null;
}

export interface ToolLives {
  readonly lives: ToolLife[];
  /** How each file of a spec left last, by tool. */
  readonly removals: [tool: string, gone: ToolGone][];
}
