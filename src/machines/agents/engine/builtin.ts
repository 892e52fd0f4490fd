/** One of the engine's own capabilities: all that is particular to it stands in its record. */
import type { FilesReply } from "../../files.ts";
import type { FolderPolicy } from "../../folders.ts";
import type { Delivered, Json, Letter } from "../../letter.ts";
import type { ShellPolicy } from "../../shellPolicy.ts";
import type { AttachedHooks } from "../hooks.ts";
import type { BuiltinFacts } from "./builtinFacts.ts";
import type { ToolPolicy } from "./permissions.ts";
import type { Call, CallOutcome } from "./state.ts";

export interface Builtin extends BuiltinFacts {
  /** What a call of it begins. */
  readonly begin: (call: Begun) => Beginning;
  /** What it returns of the files' reply, as its description promises; undefined when it failed. */
  readonly result?: (params: Params, reply: FilesReply) => Json | undefined;
  /** The file that is there whole because of a call that went well. */
  readonly wrote?: (params: Params) => string | undefined;
  /** What it makes of the files' reply, where it does more than return a result. */
  readonly replied?: (
    call: Call,
    seq: number,
    reply: Delivered<"files.replied">,
    policy: BuiltinPolicy,
  ) => Next;
}

/** What builtins need of the engine's policy. */
interface BuiltinPolicy {
  /** The engine's own address. */
  readonly self: string;
  readonly folders: FolderPolicy;
  readonly shell: ShellPolicy;
  readonly tools: ToolPolicy;
  readonly attached: Pick<AttachedHooks, "closed">;
}

export type Params = Call["params"];

/** A call, and what its builtin may know of the world. */
export interface Begun {
  readonly agent: string;
  readonly params: Params;
  readonly agents: readonly string[];
  /** The scenario's start, in ms since 1970. */
  readonly startsAtMs: number;
  /** Under which the answer to a question finds the call again. */
  readonly key: string;
  /** The address of the actor that it starts, if it starts one. */
  readonly address: string;
  readonly policy: BuiltinPolicy;
}

/** A letter whose answer ends the call, a message to a peer, or why there is neither. */
export type Beginning =
  | { readonly letter: Letter }
  | { readonly message: { readonly to: string; readonly text: string } }
  | { readonly refusal: string };

/** The call's end, with what else it sends; or one more question, and what to keep of the call until then. */
export type Next =
  | { readonly outcome: CallOutcome; readonly letters?: readonly Letter[] }
  | { readonly letter: Letter; readonly call: Call };

export const needs = (names: string): { readonly refusal: string } => ({
  refusal: `TypeError: expects ${names}`,
});

export const isText = (value: Json | undefined): value is string => typeof value === "string";

/** A text with something in it. */
export const isWords = (value: Json | undefined): value is string => isText(value) && value !== "";

export const failed = (error: string): CallOutcome => ({ ok: false, result: null, error });
