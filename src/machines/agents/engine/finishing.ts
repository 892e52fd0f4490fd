/**
 * The end of a call: its result is judged, the books are closed, and the caller, the ledger and
 * broken_tools.json hear of it. Source: seed 000, "Ghost detection"; seed 004; rulings T10, U10.
 */
import { defined } from "../../defined.ts";
import { isVirtualPath } from "../../folders.ts";
import type { Letter, MailOf } from "../../letter.ts";
import { hearersOf } from "../hooks.ts";
import { failed } from "./builtin.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { isNull, withFailure, withoutRepaired } from "./ghosts.ts";
import { withoutCall } from "./openCalls.ts";
import { referencesOf } from "./peers.ts";
import { type Call, type CallOutcome, type Done, type EngineState, isRouted } from "./state.ts";

/** Judges the result, closes the call and answers the caller after the engine's own time. */
export function finish(
  state: EngineState,
  seq: number,
  call: Call,
  outcome: CallOutcome,
  policy: EnginePolicy,
  facts: readonly number[] = [],
): Done {
  const nothing = outcome.ok && isNull(outcome.result, policy.ghosts);
  const judged: CallOutcome =
    nothing && policy.ghosts.nullIsFailure
      ? failed(`${call.capability} returned nothing`)
      : outcome;
  const closed: EngineState = {
    ...state,
    calls: withoutCall(state.calls, seq),
    lost: lostAfter(state.lost, call, nothing || outcome.unwritten !== undefined, policy),
  };
  const booked = bookedAfter(closed, call, judged, nothing, policy);
  const { capability = null, kind } = call;
  const { ok, result, error, locked, wrote, unwritten } = judged;
  const event: MailOf<"call.finished"> = defined({
    type: "call.finished",
    capability,
    nothing,
    ok,
    result,
    error,
    locked,
    wrote,
    unwritten,
    kind,
  });
  const because = [...(call.routedBy === undefined ? [] : [call.routedBy]), ...facts];
  const reply: Letter = {
    to: call.caller,
    event,
    re: seq,
    delayMs: policy.engine.callMs,
    because,
  };
  const met = referencesOf(booked.state, call, { ...outcome, ...judged }, seq);
  const reports = callReports(call, seq, event, reply, policy);
  return { state: met.state, letters: [...booked.letters, ...met.letters, reply, ...reports] };
}

/** Actors of other parts hear of the end of a call when its caller does. */
function callReports(
  { agent, cycle, caller, intent, params }: Call,
  call: number,
  { capability, kind, ok, result, error, nothing, wrote = [] }: MailOf<"call.finished">,
  { delayMs = 0, because = [] }: Letter,
  { attached }: EnginePolicy,
): Letter[] {
  const hearers = hearersOf(attached, "call");
  if (hearers.length === 0) return [];
  const event: MailOf<"call.reported"> = defined({
    ...{ type: "call.reported", agent, cycle, caller, call, intent, params },
    ...{ capability, ok, result, error: error ?? null, nothing, wrote },
    kind,
  });
  return hearers.map((to) => ({ to, event, delayMs, because }));
}

/** What the call means for broken_tools.json; a failure with a cause of its own is booked already. */
function bookedAfter(
  state: EngineState,
  call: Call,
  judged: { readonly ok: boolean },
  nothing: boolean,
  { ghosts }: EnginePolicy,
) {
  if (isRouted(call) && nothing && !judged.ok) {
    return withFailure(state, call, "returned nothing", ghosts);
  }
  if (isRouted(call) && judged.ok && !nothing) {
    return withoutRepaired(state, call.capability, ghosts);
  }
  return { state, letters: [] };
}

/** Remembers which routing decision swallowed the last write to a path, until one succeeds. */
function lostAfter(
  lost: EngineState["lost"],
  call: Call,
  nothing: boolean,
  { folders }: EnginePolicy,
): EngineState["lost"] {
  const path = call.params["path"];
  if (typeof path !== "string" || !isVirtualPath(path, folders)) return lost;
  if (call.params["content"] === undefined) return lost;
  if (nothing && call.routedBy !== undefined) return { ...lost, [path]: call.routedBy };
  if (lost[path] === undefined || call.capability !== "fs_write") return lost;
  const { [path]: _, ...others } = lost;
  return others;
}
