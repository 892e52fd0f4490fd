/**
 * What actors of other parts answer to the engine, and what it means that one does not answer, or is not
 * there. Ours.
 */
import { type At, cancelAsk, type Delivered } from "../../letter.ts";
import { seconds } from "../../units.ts";
import { isReadable } from "../hookShapes.ts";
import { failed } from "./builtin.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { run } from "./execution.ts";
import { finish } from "./finishing.ts";
import { withFailure, withoutArchived } from "./ghosts.ts";
import { ENTRIES, heardOf } from "./kinds.ts";
import { openCall, withCall } from "./openCalls.ts";
import { permissionAsked } from "./questions.ts";
import { codeEnded } from "./replies.ts";
import { callOf, type Done, type EngineState, isRouted, type RoutedCall } from "./state.ts";

/** One actor has nothing against the call: the next one is asked, or the call goes on. */
export function permissionAnswered(
  state: EngineState,
  event: Delivered<"permission.answered">,
  policy: EnginePolicy,
): Done {
  const { granted, reason, at } = event;
  const seq = callOf(at);
  const call = openCall(state, seq);
  if (!isRouted(call) || call.waits?.permission === undefined) return { state, letters: [] };
  if (!isReadable(event)) return unread(state, at, policy);
  if (granted) return goesOn(state, seq, call, call.waits.permission, policy);
  return refused(state, seq, call, reason ?? `${call.waits.to} gave no reason`, at.seq, policy);
}

function goesOn(
  state: EngineState,
  seq: number,
  { waits: _, ...call }: RoutedCall,
  permission: number,
  policy: EnginePolicy,
): Done {
  const next = withCall(state, seq, call);
  return permissionAsked(next, seq, call, permission + 1, policy) ?? run(next, seq, call, policy);
}

/** It counts against no capability, as a lock does not. */
const refused = (
  state: EngineState,
  seq: number,
  call: RoutedCall,
  reason: string,
  fact: number,
  policy: EnginePolicy,
): Done => finish(state, seq, call, failed(`PermissionError: ${reason}`), policy, [fact]);

/** What an entry of a kind answers is judged as a tool's answer is; a builtin's failure is the caller's. */
export function capabilityAnswered(
  state: EngineState,
  event: Delivered<"capability.answered">,
  policy: EnginePolicy,
): Done {
  const { type: _, at, ...answer } = event;
  const seq = callOf(at);
  const call = openCall(state, seq);
  if (!isRouted(call)) return { state, letters: [] };
  if (!isReadable(event)) return unread(state, at, policy);
  const isTool = call.kind !== undefined;
  return codeEnded(state, seq, call, { ...answer, isTool, fact: at.seq }, policy);
}

/** The actor that was asked is not there. */
export function bounced(
  state: EngineState,
  { address, at }: Delivered<"ask.bounced">,
  policy: EnginePolicy,
): Done {
  if (at.key?.startsWith(ENTRIES)) {
    return withoutArchived(heardOf(state, at.key.slice(ENTRIES.length)), policy.ghosts);
  }
  if (!at.key?.startsWith("call:")) return { state, letters: [] };
  return unanswered(state, callOf(at), `no actor lives at ${address}`, at.seq, policy);
}

/** The actor that was asked has not answered in time. */
export function overdue(
  state: EngineState,
  { call: seq, question, at }: Delivered<"call.overdue">,
  policy: EnginePolicy,
): Done {
  const waits = openCall(state, seq)?.waits;
  if (waits?.question !== question) return { state, letters: [] };
  const { capabilityMs, permissionMs } = policy.hooks;
  const waitMs = waits.permission === undefined ? capabilityMs : permissionMs;
  const reason = `${waits.to} did not answer within ${waitMs / seconds(1)} s`;
  const done = unanswered(state, seq, reason, at.seq, policy);
  return { state: done.state, letters: [cancelAsk(`call:${seq}`), ...done.letters] };
}

/** What the actor answered has not the shape of an answer, and counts as none. */
const unread = (state: EngineState, at: At, policy: EnginePolicy): Done =>
  unanswered(state, callOf(at), `what ${at.from} answered could not be read`, at.seq, policy);

/** A capability without an actor behind it has failed like a tool; what a missing permission means, policy says. */
function unanswered(
  state: EngineState,
  seq: number,
  reason: string,
  fact: number,
  policy: EnginePolicy,
): Done {
  const call = openCall(state, seq);
  if (!isRouted(call) || call.waits === undefined) return { state, letters: [] };
  const { permission } = call.waits;
  if (permission === undefined) {
    const booked = withFailure(state, call, reason, policy.ghosts);
    const done = finish(booked.state, seq, call, failed(reason), policy, [fact]);
    return { state: done.state, letters: [...booked.letters, ...done.letters] };
  }
  return policy.hooks.permissionSilence === "allow"
    ? goesOn(state, seq, call, permission, policy)
    : refused(state, seq, call, reason, fact, policy);
}
