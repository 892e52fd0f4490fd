/** `recordAgent` and `rerun`: an agent of a program's own, recorded, and run again without its models. */
import { SEED_MAX } from "../substrate/random.ts";
import type { Agent, RecordAgentOptions, RecordedAgent, Rerun, RerunOptions } from "./agentRuns.ts";
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
