/**
 * What each port asks of a program that stands behind it, and what the program may answer. Provisional:
 * names may change until every port has been served by a program outside this repository.
 */

import type { AnswerSchema } from "../../machines/answerSchema.ts";
import type { Json, Mail } from "../../machines/letter.ts";

/** What every question says of itself. */
export interface Asked {
  readonly port: PortName;
  /** The address of the asking actor, such as `agent/cedar`. */
  readonly from: string;
  /** What it is asked for: `goal.choose`, `plan`, `synt.naming`, `route`, `call`, … */
  readonly purpose: string;
  /** Which question this is of that actor for that purpose, from 1. */
  readonly nth: number;
  /** When it is asked: virtual milliseconds since the scenario's `startsAt`. */
  readonly nowMs: number;
  /** Aborted when the answer is no longer wanted: the run is over, or it took `live.timeoutMs`. */
  readonly signal: AbortSignal;
}

/** A question to a model. */
export interface ChatRequest extends Asked {
  /** The whole prompt, as a live model reads it. */
  readonly prompt: string;
  /** The JSON Schema of the answer; `json` for any JSON; null where the answer is words or code. */
  readonly schema: AnswerSchema | "json" | null;
  /** Tokens of the answer for which money was set aside; null where none was. */
  readonly maxTokens: number | null;
  /** The tier of a call of synt; null for the calls of agents. */
  readonly tier: string | null;
  /** What the prompt was made of. */
  readonly view: Json;
}

/** What the model said: its words alone, or with what the call took. */
export type ChatAnswer =
  | string
  | {
      readonly text: string;
      /** For the report: which model it was, what it read and wrote, why it stopped. */
      readonly usage?: {
        readonly model: string;
        readonly promptTokens: number;
        readonly answerTokens: number;
        readonly stop?: string;
      };
    };

export interface EmbedRequest extends Asked {
  /** Each different from the others. */
  readonly texts: readonly string[];
}

/** One vector for each text, in their order, all of one length. They are kept as whole millionths. */
export interface EmbedAnswer {
  readonly vectors: readonly (readonly number[])[];
}

/** Code that an agent or a model wrote. `exec` runs the module; any other purpose calls its function. */
export type SandboxRequest = Asked & Required<Omit<Mail["sandbox.run"], "purpose">>;
export type SandboxAnswer = Mail["sandbox.replied"];

/** A command line of an agent, for `shell_exec`. */
export type ShellRequest = Asked & Omit<Mail["shell.run"], "purpose">;
export type ShellAnswer = Omit<Mail["shell.replied"], "created">;

export type ParseRequest = Asked & Omit<Mail["python.parse"], "purpose">;
export type ParseAnswer = Mail["python.parsed"];

/** People who review proposals, another model, the web; the purpose is the capability. */
export interface ToolRequest extends Asked {
  readonly purpose: Mail["tool.called"]["purpose"];
  readonly agent: string;
  readonly params: { readonly [name: string]: Json };
}

export type ToolAnswer =
  | {
      readonly ok: true;
      readonly result: Json;
      /** Virtual files that were changed meanwhile, texts by path; null removes. */
      readonly changed?: { readonly [path: string]: string | null };
    }
  | { readonly ok: false; readonly error: string };

/** Question and answer of the ports that every world may have. */
export interface BuiltInContracts {
  readonly "port/llm.chat": { readonly request: ChatRequest; readonly answer: ChatAnswer };
  readonly "port/llm.embed": { readonly request: EmbedRequest; readonly answer: EmbedAnswer };
  readonly "port/sandbox.run": { readonly request: SandboxRequest; readonly answer: SandboxAnswer };
  readonly "port/shell.run": { readonly request: ShellRequest; readonly answer: ShellAnswer };
  readonly "port/python.parse": { readonly request: ParseRequest; readonly answer: ParseAnswer };
  readonly "port/tool.call": { readonly request: ToolRequest; readonly answer: ToolAnswer };
}

/** Question and answer of every port. A part adds those of its own ports by merging with this interface. */
export interface PortContracts extends BuiltInContracts {}

/** What a person may say to each question. Parts share the port, and add theirs by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface PersonAnswers {}

export type PortName = keyof PortContracts;
export type PortRequestOf<P extends PortName> = PortContracts[P]["request"];
export type PortAnswerOf<P extends PortName> = PortContracts[P]["answer"];

/**
 * Answers a question of a port. What it throws, or rejects with, is recorded as a failure and the
 * world lives with it; where the port knows no failure, the run ends with PortFailed.
 */
export type PortFunction<P extends PortName> = (
  request: PortRequestOf<P>,
) => PortAnswerOf<P> | PromiseLike<PortAnswerOf<P>>;

/**
 * A function alone is live: virtual time follows the wall clock while it is asked, and how long it
 * took is its latency. With `latencyMs` virtual time stands still, and the answer comes after so
 * many whole virtual milliseconds.
 */
export type PortEntry<P extends PortName> =
  | PortFunction<P>
  | {
      readonly answer: PortFunction<P>;
      readonly latencyMs: number | ((request: PortRequestOf<P>) => number);
    };

/** What a program puts behind the ports of a run; the other ports keep what the scenario says. */
export type Ports = { readonly [P in PortName]?: PortEntry<P> };
