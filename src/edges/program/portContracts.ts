/**
 * What each port asks of a program that stands behind it, and what the program may answer. Provisional:
 * names may change until every port has been served by a program outside this repository.
 */

import type { AnswerSchema } from "../../machines/answerSchema.ts";
import type { Json, Mail } from "../../machines/letter.ts";
import type { SyntaxSummary } from "../../machines/pythonSyntax.ts";

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
export interface SandboxRequest extends Asked {
  /** The function to call. */
  readonly name: string;
  /** A Python module. */
  readonly code: string;
  readonly params: { readonly [name: string]: Json };
  /** The virtual files it may see, texts by path. */
  readonly files: { readonly [path: string]: string };
  /** Virtual milliseconds until it counts as timed out. */
  readonly limitMs: number;
}

export interface SandboxAnswer {
  /** Whether it ran without an exception. */
  readonly ok: boolean;
  /** What the function returned. */
  readonly result?: Json;
  /** Whether it returned Python's None; default: whether `result` is null. */
  readonly isNone?: boolean;
  /** Why it did not run well, in words. */
  readonly error?: string;
  readonly timedOut?: boolean;
  /** With which the code itself ended its interpreter, 0 … 255; then it did not run well. */
  readonly exitCode?: number;
  /** Virtual files it left, texts by path; null removes. */
  readonly changed?: { readonly [path: string]: string | null };
  /** Of these, the ones that were not there before. */
  readonly created?: readonly string[];
  /** It was not called, because it needs arguments. */
  readonly needsArguments?: boolean;
  /** The function that was found; null for none. */
  readonly functionName?: string | null;
}

/** A command line of an agent, for `shell_exec`. */
export interface ShellRequest extends Asked {
  readonly agent: string;
  readonly command: string;
  /** The agent's workspace. */
  readonly cwd: string;
  /** All virtual files, texts by path. */
  readonly files: { readonly [path: string]: string };
  /** When each was last written: virtual milliseconds since `startsAt`. */
  readonly mtimesMs: { readonly [path: string]: number };
  /** Virtual milliseconds until it counts as timed out. */
  readonly limitMs: number;
}

export interface ShellAnswer {
  /** 0 … 255; anything but 0 is a failed step. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Virtual files it left, texts by path; null removes. Refused whole when one has changed meanwhile. */
  readonly changed?: { readonly [path: string]: string | null };
  /** The files whose text it opened. */
  readonly reads?: readonly string[];
  /** Why the call fails and nothing of it is kept, in words: a bound, say. */
  readonly fault?: string;
}

export interface ParseRequest extends Asked {
  /** A text that should be Python. */
  readonly text: string;
}

/** Its functions and, asked with the purpose `profile`, what it reaches for. */
export interface ParseAnswer extends SyntaxSummary {
  /** Top-level modules. */
  readonly imports?: readonly string[];
  /** Dotted names. */
  readonly calls?: readonly string[];
  /** Whether an `open` writes, or may. */
  readonly opensToWrite?: boolean;
  /** What it takes hold of to reach things by names that stand nowhere in it, such as `eval`. */
  readonly hidden?: readonly string[];
}

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
