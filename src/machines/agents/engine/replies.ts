/**
 * What files, sandbox, model, world and synthesis answer, and what that makes of the call that
 * waited for it. Source: seed 000; seed 004; DESIGN §2, "Ports".
 */

import { lastWriters } from "../../fileTree.ts";
import { isVirtualPath } from "../../folders.ts";
import { ask, type Delivered, type Json, type Letter, type Mail } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import type { Changed } from "../../portMail.ts";
import { builtinOf, failed, type Next, permitted } from "./builtins.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { executeTool } from "./execution.ts";
import {
  behind,
  failedWith,
  finish,
  type InHand,
  inHand,
  isRoutedCall,
  withCall,
} from "./finishing.ts";
import type { CallOutcome, Done, EngineState } from "./state.ts";

/** The reply of files: to a builtin, or with the view that a tool or the shell asked for. */
export function filesReplied(open: InHand, reply: Delivered<"files.replied">): Done {
  const { state, seq, call, policy } = open;
  const { at } = reply;
  const capability = call.capability ?? "";
  if ((ownValue(state.implementations, capability)?.code ?? "") !== "") {
    return executeTool(open, reply.files ?? {});
  }
  const builtin = builtinOf(capability);
  const next = builtin?.replied?.(call, seq, reply, policy);
  if (next !== undefined) return continued(open, next, at.seq);
  const value = builtin?.result?.(call.params, reply);
  if (value !== undefined) {
    const path = builtin?.wrote?.(call.params);
    const wrote = path === undefined ? undefined : [path];
    return finish(open, { ok: true, result: value, wrote }, [at.seq]);
  }
  const path = call.params["path"];
  const lost = typeof path === "string" ? ownValue(state.lost, path) : undefined;
  return finish(open, failed(reply.error ?? "error"), [lost ?? at.seq]);
}

/** One more question of the same call, or its end. */
function continued(open: InHand, next: Next, fact: number): Done {
  if ("letter" in next) {
    return { state: withCall({ ...open, call: next.call }), letters: [next.letter] };
  }
  const facts = [...(open.call.ranOn ?? []), fact];
  return behind(next.letters ?? [], finish(open, next.outcome, facts));
}

/** The reply of the sandbox to a synthesized tool. What it raised, or refused, is a failure. */
export const sandboxReplied = (open: InHand, reply: Delivered<"sandbox.replied">): Done =>
  codeEnded(open, { ...reply, isTool: true, fact: reply.at.seq });

/** What code returned that ran elsewhere: in the sandbox, or by an actor of another part. */
type CodeEnd = Mail["capability.answered"] & {
  /** Whether a failure is the code's own, and counts against it; else it is the caller's. */
  readonly isTool: boolean;
  readonly fact: number;
};

/** What it changed is kept when the call went well. */
export function codeEnded(open: InHand, end: CodeEnd): Done {
  const { result = null, isTool, fact } = end;
  const changed = changesOf(end.changed ?? {}, end.created ?? [], open.policy);
  const refusal = isTool ? refusalIn(result) : undefined;
  const error = (end.ok ? refusal : (end.error ?? "the tool raised an exception")) ?? changed.fault;
  if (error === undefined) {
    const unwritten = isTool ? unwrittenBy(open, end.changed ?? {}) : undefined;
    const { wrote } = changed;
    return behind(changed.letters, finish(open, { ok: true, result, wrote, unwritten }, [fact]));
  }
  return isTool && isRoutedCall(open)
    ? failedWith(open, error, error, [fact])
    : finish(open, failed(error), [fact]);
}

/** Files that the call named and that were not there, or that it had content for: all that its tool left alone. */
function unwrittenBy(
  { call: { params, missing = [] }, policy }: InHand,
  changed: Changed,
): readonly string[] | undefined {
  const path = params["path"];
  const given = typeof path === "string" && params["content"] !== undefined ? [path] : [];
  const wanted = [...new Set([...given, ...missing])];
  const alone = wanted.filter(
    (one) => isVirtualPath(one, policy.folders) && typeof ownValue(changed, one) !== "string",
  );
  return alone.length > 0 ? alone : undefined;
}

/** A tool that answers `{"ok": false}` says that it failed. */
function refusalIn(result: Json): string | undefined {
  const { ok, error } = (result ?? {}) as { readonly [key: string]: Json };
  if (ok !== false) return undefined;
  return typeof error === "string" ? error : "the tool answered ok: false";
}

/** The reply from outside: what it says is returned, what it changes is changed. */
export function toolReplied(open: InHand, reply: Delivered<"tool.replied">): Done {
  const facts = [reply.at.seq];
  if (!reply.ok) return finish(open, failed(reply.error ?? "no reason given"), facts);
  // The reply comes from no agent: nothing under /agentOS is closed to it.
  const changed = Object.entries(reply.changed ?? {}).filter(([path]) =>
    isVirtualPath(path, open.policy.folders),
  );
  const letters = changed.length === 0 ? [] : [applyLetter(Object.fromEntries(changed))];
  return behind(letters, finish(open, { ok: true, result: reply.result ?? null }, facts));
}

/** The reply of the model to ollama_chat. */
export function chatReplied(open: InHand, reply: Delivered<"llm.replied" | "llm.failed">): Done {
  const outcome: CallOutcome =
    reply.type === "llm.failed"
      ? failed(reply.error)
      : { ok: true, result: { response: reply.text } };
  return finish(open, outcome, [reply.at.seq]);
}

/** The end of the nine steps, in the source's words. `synthesis/12#2` ran for call 12. */
export function synthesisFinished(
  state: EngineState,
  { return: answer, at }: Delivered<"synthesis.finished">,
  policy: EnginePolicy,
): Done {
  const open = inHand(state, Number(at.from.split(/[/#]/)[1]), policy);
  if (open === undefined) return { state, letters: [] };
  const { ok } = answer;
  const error = ok ? undefined : "error" in answer ? answer.error : answer.message;
  return finish(open, { ok, result: { ...answer }, error }, [at.seq]);
}

/** The letters that make changes real, or why none of them may be. */
function changesOf(changed: Changed, created: readonly string[], policy: EnginePolicy) {
  const paths = Object.keys(changed).sort();
  const fault = permitted(paths, policy);
  if (fault !== undefined || paths.length === 0) return { fault, letters: [], wrote: undefined };
  const made = paths.filter((path) => created.includes(path) && changed[path] !== null);
  return { fault, letters: [applyLetter(changed)], wrote: made.length > 0 ? made : undefined };
}

const applyLetter = (changed: Changed): Letter => ({
  to: "files",
  event: { type: "files.apply", changed },
});

/*
 * What the shell outside did for `shell_exec`, and what it changed, comes back to the files,
 * which refuse it whole where another writer was faster. Source: seed 004; rulings U11.
 */

export function shellReplied(open: InHand, reply: Delivered<"shell.replied">): Done {
  const { seq, call, policy } = open;
  const { at, changed = {}, created = [], reads = [], exitCode, stdout, stderr } = reply;
  // It sees all files; what it says rests on who wrote those that it opened.
  const writers = reads.flatMap((path) => ownValue(call.writers ?? {}, path) ?? []);
  const facts = [...lastWriters(writers), at.seq];
  const fault = reply.fault ?? permitted(Object.keys(changed), policy);
  if (fault !== undefined) return finish(open, failed(fault), facts);
  const made = created.filter((path) => typeof changed[path] === "string").sort();
  const ran: CallOutcome = {
    ok: exitCode === 0,
    result: { exit_code: exitCode, stdout, stderr },
    error: exitCode === 0 ? undefined : stderr.trim() || `exit code ${exitCode}`,
    wrote: made.length > 0 ? made : undefined,
    read: reads,
  };
  if (Object.keys(changed).length === 0) return finish(open, ran, facts);
  const since = { ...(call.viewed ?? { ms: at.nowMs, seq: at.seq }), created };
  return {
    state: withCall({ ...open, call: { ...call, ran, ranOn: facts } }),
    letters: [
      ask({
        to: "files",
        key: `call:${seq}`,
        event: { type: "files.apply", changed, since },
        because: facts,
      }),
    ],
  };
}
