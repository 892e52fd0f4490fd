/** What the execution engine holds. One island owns it all, so that one instant sees one truth. */

import type { Written } from "../../defined.ts";
import type { Entries } from "../../entries.ts";
import type { Moment } from "../../fileTree.ts";
import type { At, Json, Mail } from "../../letter.ts";
import type { Outcome } from "../../service.ts";
import type { Suffering } from "../suffering/severity.ts";

/** A registered capability: an entry of the registry, whether or not any code stands behind it. */
export interface Entry {
  readonly name: string;
  readonly description: string;
  readonly builtin: boolean;
  /** The delivery that made or last changed the entry. */
  readonly madeBy: number;
  /** Of a capability that an actor of another part executes. */
  readonly brought?: Brought;
  /** Where tools are called by name: what its spec says that it takes. */
  readonly takes?: string;
}

/** Where a capability comes from that is not the agents' world's own. */
export interface Brought {
  /** The address of the actor that executes it. */
  readonly by: string;
  /** In its own words, whatever a spec says. */
  readonly description: string;
  /** Absent for a builtin. */
  readonly kind?: string;
  readonly reads?: string | null;
  readonly runs?: boolean;
  /** Its keeper judges it by counts of its own. */
  readonly judged?: true;
  readonly isPublic?: true;
}

/** Loaded code. Builtins have an empty text. */
export interface Implementation {
  readonly code: string;
  readonly madeBy: number;
}

/** A line of broken_tools.json. */
export interface Broken {
  readonly name: string;
  readonly failures: number;
  readonly reason: string;
}

export interface Call {
  readonly agent: string;
  readonly cycle: number;
  readonly caller: string;
  readonly askedMs: number;
  readonly intent: string;
  /** The name by which it was called, if it was. */
  readonly tool?: string;
  readonly params: { readonly [name: string]: Json };
  /** Set once routed. */
  readonly capability?: string;
  readonly routedBy?: number;
  /** Of an entry that another part brought: its kind, which stays when the entry leaves meanwhile. */
  readonly kind?: string;
  /** The question that another part has to answer before the call goes on. */
  readonly waits?: Waiting;
  /** How many there have been. */
  readonly questions?: number;
  /** Of a synthesized tool: parameters that are paths of files which were not there. */
  readonly missing?: readonly string[];
  /** Of the shell: when the files that it sees were looked at. */
  readonly viewed?: Moment;
  /** … and who had written them last. */
  readonly writers?: { readonly [path: string]: Moment };
  /** Of the shell: how the call ends if what it changed is accepted, and what that rests on. */
  readonly ran?: CallOutcome;
  readonly ranOn?: readonly number[];
}

/** A call that waits for an answer, by the seq of its question. */
export interface OpenCall {
  readonly seq: number;
  readonly call: Call;
}

/** What `call.finished` says of the end of a call. */
export interface CallOutcome
  extends Omit<Written<Mail["call.finished"]>, "capability" | "nothing"> {
  /** Files that it looked at, besides the one of fs_read. */
  readonly read?: readonly string[];
}

export interface Waiting {
  readonly to: string;
  /** Its number within the call. */
  readonly question: number;
  /** The place of the actor among those that are asked for a permission; undefined for one that executes the call. */
  readonly permission?: number;
}

export interface EngineState {
  /** In the order of registration, which breaks ties of the router. */
  readonly entries: readonly Entry[];
  /** Kinds whose entries no keeper has listed since the start; absent without any. */
  readonly unlisted?: readonly string[];
  readonly implementations: { readonly [name: string]: Implementation };
  /** Vectors of descriptions, by description; filled in embedding mode only. */
  readonly vectors: { readonly [description: string]: readonly number[] };
  readonly broken: readonly Broken[];
  /** Failures that count towards broken_tools.json, by capability, over all agents and cycles. */
  readonly failures: { readonly [name: string]: number };
  readonly blacklists: {
    readonly [agent: string]: { readonly cycle: number; readonly names: readonly string[] };
  };
  /** In the order of their questions. A list: an object whose keys are numbers is slow to copy. */
  readonly calls: readonly OpenCall[];
  /** What each agent suffers from, as its stressors say; `fact` is the delivery that said so. */
  readonly suffering: Entries<readonly (Suffering & { fact: number })[]>;
  /** When each agent last read a peer's file or answered a peer's message. */
  readonly interactions: {
    readonly [agent: string]: readonly { readonly atMs: number; readonly fact: number }[];
  };
  /** `cedar vault`: cedar wrote to vault, and vault has not answered. */
  readonly unanswered: readonly string[];
  readonly agents: readonly string[];
  /** The agents that were born at request: the actor that asked for each, and the address of each. */
  readonly born?: {
    readonly [agent: string]: { readonly by: string; readonly address: string };
  };
  readonly ledger: string;
  /** The scenario's start, in ms since 1970. */
  readonly startsAtMs: number;
  /** Paths whose last write returned nothing, and the routing decision that lost it. */
  readonly lost: { readonly [path: string]: number };
  /** What has left the registry, for the table of tools. */
  readonly archived: readonly {
    readonly name: string;
    readonly hadCode: boolean;
    readonly atMs: number;
  }[];
}

/** A call that the router has given to a capability. */
export type RoutedCall = Call & { readonly capability: string };

export const isRouted = (call: Call | undefined): call is RoutedCall =>
  call?.capability !== undefined;

export const entryOf = ({ entries }: EngineState, capability: string): Entry | undefined =>
  entries.find(({ name }) => name === capability);

/** Of an entry that another part brought: its kind. */
export const kindOf = (state: EngineState, capability: string): string | undefined =>
  entryOf(state, capability)?.brought?.kind;

/** What every address of this start of the daemon ends with: empty, or `#2` after the first restart. */
export const suffixOf = ({ ledger }: Pick<EngineState, "ledger">): string =>
  ledger.replace(/^[^#]*/, "");

/** The call that an answer belongs to: its question was keyed `call:<seq>`. */
export const callOf = (at: At): number => Number(at.key?.slice("call:".length));

export type Done = Outcome<EngineState>;

export const TOOLS_FOLDER = "/agentOS/tools/dynamic";
export const ARCHIVE_FOLDER = "/agentOS/tools/archive";
export const BROKEN_TOOLS_FILE = "/agentOS/memory/broken_tools.json";
