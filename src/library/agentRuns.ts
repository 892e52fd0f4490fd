/** What `recordAgent` and `rerun` do. Apart from them, since whoever imports the library need not load it. */
import { partedText } from "../actors/imported/edge/commands/agentText.ts";
import { upstreamsOf } from "../actors/imported/edge/commands/record.ts";
import { bundleOf } from "../actors/imported/edge/recordedBundle.ts";
import { runAgent } from "../actors/imported/edge/wire/agentProcess.ts";
import { type Api, keysFor, variablesFor } from "../actors/imported/edge/wire/apis.ts";
import {
  ExchangeWriter,
  exchangesIn,
  recordedCalls,
} from "../actors/imported/edge/wire/exchangeLog.ts";
import { type Answers, openGateway } from "../actors/imported/edge/wire/gateway.ts";
import { readRules } from "../actors/imported/edge/wire/learnedRules.ts";
import { Recorder } from "../actors/imported/edge/wire/recorder.ts";
import { Replayer } from "../actors/imported/edge/wire/replayer.ts";
import { faultsOf, WireFaults } from "../actors/imported/edge/wire/wireFaults.ts";
import { claimFolder } from "../edges/bundle/bundleWriter.ts";
import type { Json } from "../machines/letter.ts";

/**
 * The variables by which an agent finds the models: `OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL`, `OLLAMA_HOST` and older names; by
 * `GHOSTLIGHT_GATEWAY` stand-ins for servers of tools find the log.
 */
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
  /** Calls of models. Where there is none, the agent did not go through, and no bundle was made unless servers of tools were asked. */
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
  /** By tool of a server, how many calls the recording answered, so that they were not made. */
  readonly spared: { readonly [tool: string]: number };
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

/** Before a gateway that answers so: what a command ended with, null of a function. */
async function played(
  agent: Agent,
  signal: AbortSignal | undefined,
  answers: Answers,
  more: AgentVariables = {},
): Promise<number | null> {
  signal?.throwIfAborted();
  const gateway = await openGateway(0, answers);
  const variables = { ...more, ...variablesFor(gateway.base) };
  const stop = signal ?? new AbortController().signal;
  try {
    if (typeof agent !== "function") {
      return (await runAgent(agent, { variables, output: "inherit", stop })).code;
    }
    const aborted = new Promise((_, failed) =>
      stop.addEventListener("abort", () => failed(stop.reason), { once: true }),
    );
    await Promise.race([agent(variables), aborted]);
    return null;
  } finally {
    await gateway.close();
  }
}

export async function recorded(
  agent: Agent,
  folder: string,
  options: RecordAgentOptions,
): Promise<RecordedAgent> {
  const { faults = [], seed = 0, signal, ...given } = options;
  const made = new WireFaults(faultsOf(faults), seed);
  const upstreams = upstreamsOf(given as { readonly [A in Api]: string });
  claimFolder(folder);
  const writer = new ExchangeWriter(exchangesIn(folder));
  const recorder = new Recorder({ upstreams, writer, faults: made });
  let code: number | null;
  try {
    code = await played(agent, signal, recorder);
  } finally {
    writer.close();
    if (writer.count > 0) await bundleOf(folder);
  }
  return { calls: writer.calls, others: recorder.others, code };
}

export async function ranAgain(
  folder: string,
  agent: Agent,
  { strict = false, signal }: RerunOptions,
): Promise<Rerun> {
  const { exchanges, messages } = recordedCalls(folder, "Record the agent again.");
  const ended = new AbortController();
  const replayer = new Replayer({
    ...{ exchanges, messages, learned: readRules(folder), isStrict: strict, isPaced: false },
    onParted: () => ended.abort(),
  });
  const stop = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  // A function is told by its answers, and ends by itself.
  const until = typeof agent === "function" ? signal : stop;
  let code: number | null = null;
  try {
    code = await played(agent, until, replayer, keysFor(process.env));
  } catch (error) {
    if (replayer.parted === null) throw error;
  }
  const { parted, answered, left, answers, spared } = replayer;
  const isWell = typeof agent === "function" || code === 0;
  const says =
    parted !== null
      ? partedText(parted)
      : left > 0
        ? `${left} of ${answered + left} recorded calls were not asked.`
        : isWell
          ? ""
          : `The program ended with exit code ${code}.`;
  return {
    ...{ matches: says === "", says, answered, left, spared, parted, code },
    hidden: Object.fromEntries(answers.hidden),
  };
}
