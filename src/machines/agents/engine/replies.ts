/**
 * What files, sandbox, model, world and synthesis answer, and what that makes of the call that
 * waited for it. Source: seed 000; seed 004; DESIGN §2, "Ports".
 */

import { lastWriters } from "../../fileTree.ts";
import { isVirtualPath } from "../../folders.ts";
import {
  ask,
  type Delivered,
  type Json,
  type Letter,
  type Mail,
  type MailOf,
} from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import type { Changed } from "../../portMail.ts";
import { builtinOf, failed, type Next, permitted } from "./builtins.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { executeTool } from "./execution.ts";
import { finish, openCall, withCall } from "./finishing.ts";
import { withFailure } from "./ghosts.ts";
import {
  type Call,
  type CallOutcome,
  type Done,
  type EngineState,
  isRouted,
  type OpenCall,
} from "./state.ts";

/** The reply of files: to a builtin, or with the view that a tool or the shell asked for. */
export function filesReplied(
  state: EngineState,
  reply: Delivered<"files.replied">,
  { seq, call }: OpenCall,
  policy: EnginePolicy,
): Done {
  const { at } = reply;
  const capability = call.capability ?? "";
  if ((ownValue(state.implementations, capability)?.code ?? "") !== "") {
    return executeTool(state, seq, reply.files ?? {}, policy);
  }
  const builtin = builtinOf(capability);
  const next = builtin?.replied?.(call, seq, reply, policy);
  if (next !== undefined) return continued(state, seq, call, next, at.seq, policy);
  const value = builtin?.result?.(call.params, reply);
  if (value !== undefined) {
    const path = builtin?.wrote?.(call.params);
    const wrote = path === undefined ? undefined : [path];
    return finish(state, seq, call, { ok: true, result: value, wrote }, policy, [at.seq]);
  }
  const path = call.params["path"];
  const outcome = failed(reply.error ?? "error");
  const lost = typeof path === "string" ? ownValue(state.lost, path) : undefined;
  return finish(state, seq, call, outcome, policy, lost === undefined ? [at.seq] : [lost]);
}

/** One more question of the same call, or its end. */
function continued(
  state: EngineState,
  seq: number,
  call: Call,
  next: Next,
  fact: number,
  policy: EnginePolicy,
): Done {
  if ("letter" in next) {
    return { state: withCall(state, seq, next.call), letters: [next.letter] };
  }
  const facts = [...(call.ranOn ?? []), fact];
  return applied(finish(state, seq, call, next.outcome, policy, facts), next.letters ?? []);
}

/** The reply of the sandbox to a synthesized tool. What it raised, or refused, is a failure. */
export function sandboxReplied(
  state: EngineState,
  reply: Delivered<"sandbox.replied">,
  { seq, call }: OpenCall,
  policy: EnginePolicy,
): Done {
  const { at } = reply;
  return codeEnded(state, seq, call, { ...reply, isTool: true, fact: at.seq }, policy);
}

/** What code returned that ran elsewhere: in the sandbox, or by an actor of another part. */
type CodeEnd = Mail["capability.answered"] & {
  /** Whether a failure is the code's own, and counts against it; else it is the caller's. */
  readonly isTool: boolean;
  readonly fact: number;
};

/** What it changed is kept when the call went well. */
export function codeEnded(
  state: EngineState,
  seq: number,
  call: Call,
  end: CodeEnd,
  policy: EnginePolicy,
): Done {
  const { result = null, isTool, fact } = end;
  const changed = changesOf(end.changed ?? {}, end.created ?? [], policy);
  const refusal = isTool ? refusalIn(result) : undefined;
  const error = (end.ok ? refusal : (end.error ?? "the tool raised an exception")) ?? changed.fault;
  if (error === undefined) {
    const unwritten = isTool ? unwrittenBy(call, end.changed ?? {}, policy) : undefined;
    const { wrote } = changed;
    const outcome = { ok: true, result, wrote, unwritten };
    return applied(finish(state, seq, call, outcome, policy, [fact]), changed.letters);
  }
  const booked =
    isTool && isRouted(call)
      ? withFailure(state, call, error, policy.ghosts)
      : { state, letters: [] };
  const done = finish(booked.state, seq, call, failed(error), policy, [fact]);
  return applied(done, booked.letters);
}

/** Files that the call named and that were not there, or that it had content for: all that its tool left alone. */
function unwrittenBy(
  { params, missing = [] }: Call,
  changed: Changed,
  { folders }: EnginePolicy,
): readonly string[] | undefined {
  const path = params["path"];
  const given = typeof path === "string" && params["content"] !== undefined ? [path] : [];
  const wanted = [...new Set([...given, ...missing])].filter((one) => isVirtualPath(one, folders));
  const alone = wanted.filter((one) => typeof ownValue(changed, one) !== "string");
  return alone.length > 0 ? alone : undefined;
}

/** A tool that answers `{"ok": false}` says that it failed. */
function refusalIn(result: Json): string | undefined {
  const { ok, error } = (result ?? {}) as { readonly [key: string]: Json };
  if (ok !== false) return undefined;
  return typeof error === "string" ? error : "the tool answered ok: false";
}

/** The reply from outside: what it says is returned, what it changes is changed. */
export function toolReplied(
  state: EngineState,
  reply: Delivered<"tool.replied">,
  { seq, call }: OpenCall,
  policy: EnginePolicy,
): Done {
  const { at } = reply;
  if (!reply.ok) {
    const outcome = failed(reply.error ?? "no reason given");
    return finish(state, seq, call, outcome, policy, [at.seq]);
  }
  // The reply comes from no agent: nothing under /agentOS is closed to it.
  const changed = Object.entries(reply.changed ?? {}).filter(([path]) =>
    isVirtualPath(path, policy.folders),
  );
  const letters = changed.length === 0 ? [] : [applyLetter(Object.fromEntries(changed))];
  const outcome = { ok: true, result: reply.result ?? null };
  return applied(finish(state, seq, call, outcome, policy, [at.seq]), letters);
}

/** The reply of the model to ollama_chat. */
export function chatReplied(
  state: EngineState,
  reply: Delivered<"llm.replied" | "llm.failed">,
  { seq, call }: OpenCall,
  policy: EnginePolicy,
): Done {
  const { at } = reply;
  const outcome: CallOutcome =
    reply.type === "llm.failed"
      ? failed(reply.error)
      : { ok: true, result: { response: reply.text } };
  return finish(state, seq, call, outcome, policy, [at.seq]);
}

/** The end of the nine steps, in the source's words. `synthesis/12#2` ran for call 12. */
export function synthesisFinished(
  state: EngineState,
  { return: answer, at }: Delivered<"synthesis.finished">,
  policy: EnginePolicy,
): Done {
  const seq = Number(at.from.split(/[/#]/)[1]);
  const call = openCall(state, seq);
  if (call === undefined) return { state, letters: [] };
  const result = { ...answer };
  if (answer.ok) return finish(state, seq, call, { ok: true, result }, policy, [at.seq]);
  const error = "error" in answer ? answer.error : answer.message;
  return finish(state, seq, call, { ok: false, result, error }, policy, [at.seq]);
}

/** The letters that make changes real, or why none of them may be. */
function changesOf(changed: Changed, created: readonly string[], policy: EnginePolicy) {
  const paths = Object.keys(changed).sort();
  const fault = permitted(paths, policy);
  if (fault !== undefined) return { fault, letters: [], wrote: undefined };
  if (paths.length === 0) return { fault, letters: [], wrote: undefined };
  const made = paths.filter((path) => created.includes(path) && changed[path] !== null);
  return { fault, letters: [applyLetter(changed)], wrote: made.length > 0 ? made : undefined };
}

const applyLetter = (changed: Changed): Letter => ({
  to: "files",
  event: { type: "files.apply", changed },
});

const applied = (done: Done, letters: readonly Letter[]): Done => ({
  state: done.state,
  letters: [...letters, ...done.letters],
});

/*
 * What the shell outside did for `shell_exec`, and what it changed, comes back to the files,
 * which refuse it whole where another writer was faster. Source: seed 004; rulings U11.
 */

export function shellReplied(
  state: EngineState,
  reply: Delivered<"shell.replied">,
  { seq, call }: OpenCall,
  policy: EnginePolicy,
): Done {
  const { at, reads = [] } = reply;
  const { changed = {}, created = [], exitCode, stdout, stderr } = reply;
  // It sees all files; what it says rests on who wrote those that it opened.
  const writers = reads.flatMap((path) => ownValue(call.writers ?? {}, path) ?? []);
  const facts = [...lastWriters(writers), at.seq];
  const fault = reply.fault ?? permitted(Object.keys(changed), policy);
  if (fault !== undefined) return finish(state, seq, call, failed(fault), policy, facts);
  const made = created.filter((path) => typeof changed[path] === "string").sort();
  const ran: CallOutcome = {
    ok: exitCode === 0,
    result: { exit_code: exitCode, stdout, stderr },
    error: exitCode === 0 ? undefined : stderr.trim() || `exit code ${exitCode}`,
    wrote: made.length > 0 ? made : undefined,
    read: reads,
  };
  if (Object.keys(changed).length === 0) return finish(state, seq, call, ran, policy, facts);
  const since = { ...(call.viewed ?? { ms: at.nowMs, seq: at.seq }), created };
  const event: MailOf<"files.apply"> = { type: "files.apply", changed, since };
  return {
    state: withCall(state, seq, { ...call, ran, ranOn: facts }),
    letters: [ask({ to: "files", key: `call:${seq}`, event, because: facts })],
  };
}
