/**
 * One call through the engine: route, check, execute, judge the result. Each stage is an event in
 * the log: call.requested, call.routed, the reply of files or sandbox, call.finished.
 * Source: seed 000, "Ghost tools", "Ghost detection"; rulings T10, T11, T14.
 */
import { type FilesReply, isPlainPath } from "../files.ts";
import { type At, ask, type Json, type Letter } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { ranked, type Scored, topMatch } from "../router.ts";
import type { Outcome } from "../service.ts";
import { builtinRequest, builtinResult } from "./builtins.ts";
import type { EnginePolicy } from "./engine.ts";
import { isNull, withFailure, withoutRepaired } from "./ghosts.ts";
import type { Call, EngineState } from "./state.ts";

export interface CallRequested {
  readonly type: "call.requested";
  readonly agent: string;
  readonly cycle: number;
  readonly intent: string;
  readonly params: { readonly [name: string]: Json };
}

/** The engine's letter to itself: the routing decision, which no agent sees. */
export interface CallRouted {
  readonly type: "call.routed";
  readonly call: number;
  readonly agent: string;
  readonly intent: string;
  readonly capability: string;
  readonly score: number;
  readonly runnerUp: string | null;
  readonly runnerUpScore: number;
}

/** The answer to call.requested. `capability` is for the books; no prompt shows it. */
export interface CallFinished {
  readonly type: "call.finished";
  readonly ok: boolean;
  readonly capability: string | null;
  readonly result: Json;
  /** It returned nothing, whether or not that counts as a failure. */
  readonly nothing: boolean;
  readonly error?: string;
}

export interface SandboxReply {
  readonly type: "sandbox.replied";
  readonly ok: boolean;
  readonly result?: Json;
  readonly error?: string;
}

type Done = Outcome<EngineState>;

/** Scores are in registration order, one for each entry. */
export function route(
  state: EngineState,
  seq: number,
  call: Call,
  scored: readonly Scored[],
  policy: EnginePolicy,
): Done {
  const top = topMatch(scored, skipped(state, call, policy));
  if (top === undefined) {
    const error = `no capability matches the intent "${call.intent}"`;
    return finish(state, seq, call, { ok: false, result: null, error }, policy);
  }
  const runnerUp = ranked(scored).find(({ name, score }) => name !== top.name && score > 0);
  const event: CallRouted = {
    type: "call.routed",
    call: seq,
    agent: call.agent,
    intent: call.intent,
    capability: top.name,
    score: top.score,
    runnerUp: runnerUp?.name ?? null,
    runnerUpScore: runnerUp?.score ?? 0,
  };
  const entry = state.entries.find(({ name }) => name === top.name);
  const because = entry === undefined ? [] : [entry.madeBy];
  return {
    state: { ...state, calls: { ...state.calls, [seq]: call } },
    letters: [{ to: policy.self, event: { ...event }, because: [seq, ...because] }],
  };
}

function skipped(state: EngineState, call: Call, policy: EnginePolicy): string[] {
  if (!policy.router.skipBroken) return [];
  const list = state.blacklists[call.agent];
  const names = list !== undefined && list.cycle === call.cycle ? list.names : [];
  return [...names, ...state.broken.map(({ name }) => name)];
}

export function execute(
  state: EngineState,
  routed: CallRouted,
  at: At,
  policy: EnginePolicy,
): Done {
  const open = state.calls[routed.call];
  if (open === undefined) return { state, letters: [] };
  const call: Call = { ...open, capability: routed.capability, routedBy: at.seq };
  const next = { ...state, calls: { ...state.calls, [routed.call]: call } };
  const code = ownValue(state.implementations, routed.capability);
  if (code === undefined) return executeGhost(next, routed.call, call, policy);
  const key = `call:${routed.call}`;
  if (code.code !== "") {
    const event = {
      type: "sandbox.run",
      purpose: routed.capability,
      code: code.code,
      params: call.params,
    };
    return { state: next, letters: [ask({ to: "port/sandbox.run", key, event })] };
  }
  const request = builtinRequest(routed.capability, call.params, policy.tools);
  if (typeof request === "string") {
    return finish(next, routed.call, call, { ok: false, result: null, error: request }, policy);
  }
  return { state: next, letters: [ask({ to: "files", key, event: { ...request } })] };
}

/** Registered, and no code behind it: refused when the check is on, else it returns nothing. */
function executeGhost(state: EngineState, seq: number, call: Call, policy: EnginePolicy): Done {
  const capability = call.capability ?? "";
  if (!policy.ghosts.preExecutionCheck) {
    return finish(state, seq, call, { ok: true, result: null }, policy);
  }
  const reason = "ghost: no .py found";
  const listed = state.blacklists[call.agent];
  const names = listed !== undefined && listed.cycle === call.cycle ? listed.names : [];
  const blacklists = {
    ...state.blacklists,
    [call.agent]: { cycle: call.cycle, names: [...names, capability] },
  };
  const booked = withFailure({ ...state, blacklists }, capability, reason, policy.ghosts);
  const result = { ok: false, result: null, error: `${capability}: ${reason}` };
  const done = finish(booked.state, seq, call, result, policy);
  return { state: done.state, letters: [...booked.letters, ...done.letters] };
}

/** The reply of files to a builtin. */
export function builtinReplied(
  state: EngineState,
  seq: number,
  reply: FilesReply,
  at: At,
  policy: EnginePolicy,
): Done {
  const call = state.calls[seq];
  if (call === undefined) return { state, letters: [] };
  const value = builtinResult(call.capability ?? "", call.params, reply);
  if (value !== undefined) {
    return finish(state, seq, call, { ok: true, result: value }, policy, [at.seq]);
  }
  const result = { ok: false, result: null, error: reply.error ?? "error" };
  const path = call.params["path"];
  const lost = typeof path === "string" ? ownValue(state.lost, path) : undefined;
  return finish(state, seq, call, result, policy, lost === undefined ? [at.seq] : [lost]);
}

/** The reply of the sandbox to a synthesized tool. What it raised, or refused, is a failure. */
export function sandboxReplied(
  state: EngineState,
  seq: number,
  reply: SandboxReply,
  at: At,
  policy: EnginePolicy,
): Done {
  const call = state.calls[seq];
  if (call === undefined) return { state, letters: [] };
  const result = reply.result ?? null;
  const error = reply.ok ? refusalIn(result) : (reply.error ?? "the tool raised an exception");
  if (error === undefined) {
    return finish(state, seq, call, { ok: true, result }, policy, [at.seq]);
  }
  const booked = withFailure(state, call.capability ?? "", error, policy.ghosts);
  const done = finish(booked.state, seq, call, { ok: false, result: null, error }, policy, [
    at.seq,
  ]);
  return { state: done.state, letters: [...booked.letters, ...done.letters] };
}

/** A tool that answers `{"ok": false}` says that it failed. */
function refusalIn(result: Json): string | undefined {
  const { ok, error } = (result ?? {}) as { readonly [key: string]: Json };
  if (ok !== false) return undefined;
  return typeof error === "string" ? error : "the tool answered ok: false";
}

/** Judges the result, closes the call and answers the caller after the engine's own time. */
function finish(
  state: EngineState,
  seq: number,
  call: Call,
  outcome: { readonly ok: boolean; readonly result: Json; readonly error?: string },
  policy: EnginePolicy,
  facts: readonly number[] = [],
): Done {
  const { [seq]: _, ...calls } = state.calls;
  const nothing = outcome.ok && isNull(outcome.result, policy.ghosts);
  const judged =
    nothing && policy.ghosts.nullIsFailure
      ? { ok: false, result: null, error: `${call.capability} returned nothing` }
      : outcome;
  const closed: EngineState = { ...state, calls, lost: lostAfter(state.lost, call, nothing) };
  const booked = bookedAfter(closed, call.capability, judged, nothing, policy);
  const event = { type: "call.finished", capability: call.capability ?? null, nothing, ...judged };
  const reply: Letter = {
    to: call.caller,
    event,
    re: seq,
    delayMs: policy.engine.callMs,
    because: [...(call.routedBy === undefined ? [] : [call.routedBy]), ...facts],
  };
  return { state: booked.state, letters: [...booked.letters, reply] };
}

/** What the call means for broken_tools.json; a failure with a cause of its own is booked already. */
function bookedAfter(
  state: EngineState,
  capability: string | undefined,
  judged: { readonly ok: boolean },
  nothing: boolean,
  { ghosts }: EnginePolicy,
) {
  if (capability !== undefined && nothing && !judged.ok) {
    return withFailure(state, capability, "returned nothing", ghosts);
  }
  if (capability !== undefined && judged.ok && !nothing) {
    return withoutRepaired(state, capability, ghosts);
  }
  return { state, letters: [] };
}

/** Remembers which routing decision swallowed the last write to a path, until one succeeds. */
function lostAfter(lost: EngineState["lost"], call: Call, nothing: boolean): EngineState["lost"] {
  const path = call.params["path"];
  if (typeof path !== "string" || !isPlainPath(path)) return lost;
  if (call.params["content"] === undefined) return lost;
  if (nothing && call.routedBy !== undefined) return { ...lost, [path]: call.routedBy };
  if (lost[path] === undefined || call.capability !== "fs_write") return lost;
  const { [path]: _, ...others } = lost;
  return others;
}
