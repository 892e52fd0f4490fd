/**
 * What is asked of the ports that every world has, and what they answer. What a port's program sees
 * of it is in the library's `portContracts.ts`.
 */
import type { SyntaxSummary } from "./pythonSyntax.ts";

/** Texts by path; null removes. */
export type Changed = { readonly [path: string]: string | null };

/**
 * What prompts are rendered from. Each part adds the views of its purposes, under its own name, by
 * merging with this interface.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface Views {}

export type View = Views[keyof Views];

declare module "./letter.ts" {
  interface Mail {
    /** To `port/llm.chat`. */
    "llm.asked": {
      /** The view's own. */
      readonly purpose: View["purpose"];
      readonly view: View;
      /** The tier that is to serve it, where a part knows tiers; null when it is not known yet. */
      readonly tier?: string | null;
      readonly maxTokens?: number;
    };
    "llm.replied": {
      readonly text: string;
      readonly tokens?: { readonly asked: number; readonly answered: number };
    };
    "llm.failed": { readonly error: string };
    /** To `port/llm.embed`. */
    "llm.embed": { readonly purpose: string; readonly texts: readonly string[] };
    "embed.replied": { readonly vectors: { readonly [text: string]: readonly number[] } };
    /** To `port/sandbox.run`. The purpose `exec` runs the module; any other calls its function. */
    "sandbox.run": {
      readonly purpose: string;
      /** The function to call. */
      readonly name: string;
      /** A Python module. */
      readonly code: string;
      /** Virtual milliseconds until it counts as timed out. */
      readonly limitMs: number;
      readonly params?: { readonly [name: string]: Json };
      /** The virtual files it may see, texts by path. */
      readonly files?: { readonly [path: string]: string };
    };
    "sandbox.replied": {
      /** Whether it ran without an exception. */
      readonly ok: boolean;
      /** What the function returned. */
      readonly result?: Json;
      /** Whether it returned Python's None; default: whether `result` is null. */
      readonly isNone?: boolean;
      /** Why it did not run well, in words: `NameError: name 'x' is not defined`. */
      readonly error?: string;
      readonly timedOut?: boolean;
      /** With which the code itself ended its interpreter, 0 … 255; then it did not run well. */
      readonly exitCode?: number;
      /** Virtual files it left. */
      readonly changed?: Changed;
      /** Of these, the ones that were not there before. */
      readonly created?: readonly string[];
      /** Of a call: the function that was found; null when the module has none. */
      readonly functionName?: string | null;
      /** Of a call: the arguments did not fit, so nothing was called. */
      readonly needsArguments?: boolean;
    };
    /** To `port/python.parse`: a text that should be Python. */
    "python.parse": { readonly purpose: string; readonly text: string };
    /** Its functions and, asked with the purpose `profile`, what it reaches for. */
    "python.parsed": SyntaxSummary & {
      /** Top-level modules. */
      readonly imports?: readonly string[];
      /** Dotted names. */
      readonly calls?: readonly string[];
      /** Whether an `open` writes, or may. */
      readonly opensToWrite?: boolean;
      /** What it takes hold of to reach things by names that stand nowhere in it, such as `eval`. */
      readonly hidden?: readonly string[];
    };
    /** To `port/shell.run`. */
    "shell.run": {
      readonly purpose: string;
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
    };
    "shell.replied": {
      /** 0 … 255; anything but 0 is a failed step. */
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
      /** Virtual files it left; paths beyond /agentOS fail the call. Refused whole when one has changed meanwhile. */
      readonly changed?: Changed;
      /** Of these, the ones that were not in the view. */
      readonly created?: readonly string[];
      /** The files of the view whose text was opened. */
      readonly reads?: readonly string[];
      /** Why the call fails and nothing of it is kept, in words: a bound, say. */
      readonly fault?: string;
    };
    /** To `port/tool.call`: people, other models, the web; the purpose is the capability. */
    "tool.called": {
      readonly purpose: "invoke_claude" | "propose_change" | "research_topic";
      readonly agent: string;
      readonly params: { readonly [name: string]: Json };
    };
    "tool.replied": {
      readonly ok: boolean;
      readonly result?: Json;
      readonly error?: string;
      readonly changed?: Changed;
    };
    /** From `port/person.decide`: a word on one dossier, or on each part of it. */
    "person.decided": {
      readonly decision?: string;
      readonly feedback?: string;
      /** The name of who decided, where it was said. */
      readonly by?: string;
      readonly target?: string;
      readonly decisions?: readonly {
        readonly request: string;
        readonly decision: string;
        readonly feedback?: string;
        readonly target?: string;
      }[];
    };
    /** To `port/executor.run`. */
    "executor.run": {
      readonly purpose: string;
      readonly name: string;
      readonly params: { readonly [name: string]: Json };
    };
    "executor.ended": {
      readonly ok: boolean;
      /** What the run cost, in whole cents; 0 when absent. */
      readonly cents?: number;
      readonly error?: string;
    };
    /** To `port/sign`. The purpose `verify` names the signature and its key. */
    "sign.asked": {
      readonly purpose: "sign" | "verify";
      readonly text: string;
      readonly signature?: string;
      readonly key?: string;
    };
    "sign.signed": { readonly signature: string; readonly key: string };
    "sign.verified": { readonly ok: boolean };
  }
}
