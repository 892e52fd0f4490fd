/** `recordAgent` and `rerun`: an agent of a program's own, recorded, and run again without its models. */
import type { Json } from "../machines/letter.ts";
import { SEED_MAX } from "../substrate/random.ts";
import {
  aFlag,
  aListOf,
  aMapOnlyWith,
  aSignal,
  aText,
  aWhole,
  checked,
  type Kind,
  orNothing,
} from "./arguments.ts";

/** The variables by which an agent finds the models: `OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL`, `OLLAMA_HOST` and older names. */
export interface AgentVariables {
  readonly [name: string]: string;
}

/** A command, word by word, that is started with the variables; or a function that is called with them. */
export type Agent = readonly string[] | ((variables: AgentVariables) => unknown);

/** What can be set for `recordAgent`. When empty: models are asked where the environment says, and nothing goes wrong. */
export interface RecordAgentOptions {
  /** Where requests go on to, by API. */
  readonly openai?: string | undefined;
  readonly anthropic?: string | undefined;
  readonly ollama?: string | undefined;
  /** What goes wrong on purpose, such as `nothing:0.5@write_file`; `ghostlight record --faults` lists what can. */
  readonly faults?: readonly string[] | undefined;
  /** Which calls meet faults; 0 when absent. */
  readonly seed?: number | undefined;
  /** Ends a command; a function is not waited for any longer. */
  readonly signal?: AbortSignal | undefined;
}

/** What was recorded of an agent. */
export interface RecordedAgent {
  /** Calls of models. Where there is none, the agent did not go through, and no bundle was made. */
  readonly calls: number;
  /** Requests that asked no model. */
  readonly others: number;
  /** How a command ended: null where a signal ended it, and of a function. */
  readonly code: number | null;
}

/** What can be set for `rerun`. When empty: times, ids and temporary paths may differ where rules say so. */
export interface RerunOptions {
  /** Whether nothing may differ; false when absent. */
  readonly strict?: boolean | undefined;
  /** Ends a command; a function is not waited for any longer. */
  readonly signal?: AbortSignal | undefined;
}

/** How an agent that was run again went along with its recording. */
export interface Rerun {
  /** Whether it asked all that was recorded and nothing else, and a command ended with 0. */
  readonly matches: boolean;
  /** In words, where and how it parted from its recording; empty where it matches. */
  readonly says: string;
  readonly answered: number;
  /** Recorded calls that it did not ask. */
  readonly left: number;
  /** The first request that was not recorded: where it differs from the nearest one. */
  readonly parted: {
    readonly number: number;
    readonly path: string;
    readonly difference: {
      readonly path: string;
      readonly recorded: Json | undefined;
      readonly asked: Json | undefined;
    } | null;
  } | null;
  /** By rule, how many differences it hid. */
  readonly hidden: { readonly [rule: string]: number };
  readonly code: number | null;
}

const anAgent: Kind = {
  allowed: "a command as a list of texts, or a function",
  accepts: (value) =>
    typeof value === "function" ||
    (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string")),
};
const aFolder: Kind = { ...aText, allowed: "the path of a folder, as a text" };
const optional = (members: { readonly [name: string]: Kind }, what: string): Kind =>
  orNothing(
    aMapOnlyWith(
      what,
      Object.fromEntries(Object.entries(members).map(([name, kind]) => [name, orNothing(kind)])),
    ),
  );

/**
 * Records an agent's calls of models into a folder, which must be new or empty, and makes a bundle of them there for `readBundle`.
 * A function's error is thrown on; what came before it stays. Rejects where `isEdgeError` says so.
 */
export const recordAgent: (
  agent: Agent,
  folder: string,
  options?: RecordAgentOptions,
) => Promise<RecordedAgent> = checked(
  "recordAgent",
  {
    agent: anAgent,
    folder: aFolder,
    options: optional(
      {
        ...{ openai: aText, anthropic: aText, ollama: aText, signal: aSignal },
        ...{ faults: aListOf("texts", aText), seed: aWhole(0, SEED_MAX) },
      },
      "options of recordAgent",
    ),
  },
  // What records agents is loaded by those who do: it takes longer than all the rest.
  async (agent: Agent, folder: string, options: RecordAgentOptions = {}) =>
    (await import("./agentRuns.ts")).recorded(agent, folder, options),
);

/**
 * Runs a recorded agent again, its models answered from the recording: a regression test of an agent. Nothing else is stood in for:
 * its own tools really run. A function's error is thrown on, unless the run had parted from its recording.
 */
export const rerun: (folder: string, agent: Agent, options?: RerunOptions) => Promise<Rerun> =
  checked(
    "rerun",
    {
      folder: aFolder,
      agent: anAgent,
      options: optional({ strict: aFlag, signal: aSignal }, "options of rerun"),
    },
    async (folder: string, agent: Agent, options: RerunOptions = {}) =>
      (await import("./agentRuns.ts")).ranAgain(folder, agent, options),
  );
