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
      readonly name: string;
      readonly code: string;
      readonly limitMs: number;
      readonly params?: { readonly [name: string]: Json };
      readonly files?: { readonly [path: string]: string };
    };
    "sandbox.replied": {
      readonly ok: boolean;
      readonly result?: Json;
      /** `NameError: name 'x' is not defined`. */
      readonly error?: string;
      readonly timedOut?: boolean;
      /** With which the code itself ended its interpreter; absent when it did not. */
      readonly exitCode?: number;
      readonly changed?: Changed;
      /** Of these, the ones that were not in the tool's view. */
      readonly created?: readonly string[];
      /** Of a call: the function that was found; null when the module has none. */
      readonly functionName?: string | null;
      /** Of a call: the arguments did not fit, so nothing was called. */
      readonly needsArguments?: boolean;
      readonly isNone?: boolean;
    };
    /** To `port/python.parse`. */
    "python.parse": { readonly purpose: string; readonly text: string };
    /** With the purpose `profile`, also what the text reaches for. */
    "python.parsed": SyntaxSummary & {
      readonly imports?: readonly string[];
      readonly calls?: readonly string[];
      readonly opensToWrite?: boolean;
      readonly hidden?: readonly string[];
    };
    /** To `port/shell.run`. */
    "shell.run": {
      readonly purpose: string;
      readonly agent: string;
      readonly command: string;
      readonly cwd: string;
      readonly files: { readonly [path: string]: string };
      readonly mtimesMs: { readonly [path: string]: number };
      readonly limitMs: number;
    };
    "shell.replied": {
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
      /** Paths beyond /agentOS fail the call. */
      readonly changed?: Changed;
      /** Of these, the ones that were not in the view. */
      readonly created?: readonly string[];
      /** Files of the view whose text was opened. */
      readonly reads?: readonly string[];
      /** Why nothing of it counts. */
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
    "executor.ended": { readonly ok: boolean; readonly cents?: number; readonly error?: string };
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
