/**
 * A call that is open, and its end: its result is judged, the books are closed, and the caller, the ledger
 * and broken_tools.json hear of it. Source: seed 000, "Ghost detection"; seed 004; rulings T10, U10.
 */
import { defined } from "../../defined.ts";
import { Entries } from "../../entries.ts";
import { isVirtualPath } from "../../folders.ts";
import type { At, Letter, MailOf } from "../../letter.ts";
import type { Kept } from "../../service.ts";
import { hearersOf } from "../hooks.ts";
import { failed } from "./builtins.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { isNull, withFailure, withoutRepaired } from "./ghosts.ts";
import { referencesOf } from "./peers.ts";
import {
  type Call,
  type CallOutcome,
  callOf,
  type Done,
  type EngineState,
  isRouted,
  type OpenCall,
  type RoutedCall,
} from "./state.ts";

/** An open call in the hands of the engine: what it was asked with, and what the engine knows at this moment. */
export interface InHand<C extends Call = Call> {
  readonly state: EngineState;
  /** The seq of the request. */
  readonly seq: number;
  readonly call: C;
  readonly policy: EnginePolicy;
}

/** … once the router has given it to a capability. */
export type Routed = InHand<RoutedCall>;

export const isRoutedCall = (hand: InHand): hand is Routed => isRouted(hand.call);

/** Judges the result, closes the call and answers the caller after the engine's own time. */
export function finish(
  { state, seq, call, policy }: InHand,
  outcome: CallOutcome,
  facts: readonly number[] = [],
): Done {
  const nothing = outcome.ok && isNull(outcome.result, policy.ghosts);
  const judged: CallOutcome =
    nothing && policy.ghosts.nullIsFailure
      ? failed(`${call.capability} returned nothing`)
      : outcome;
  const closed: EngineState = {
    ...state,
    calls: state.calls.filter((one) => one.seq !== seq),
    lost: lostAfter(state.lost, call, outcome, nothing, policy),
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
  const because = [...factsOf(call), ...facts];
  const reply: Letter = { to: call.caller, event, re: seq, delayMs: policy.engine.callMs, because };
  const met = referencesOf(booked.state, call, { ...outcome, ...judged }, seq);
  const reports = callReports(call, seq, event, reply, policy);
  return { state: met.state, letters: [...booked.letters, ...met.letters, reply, ...reports] };
}

/** What the routing of a call rests on. */
export const factsOf = ({ routedBy }: Call): readonly number[] =>
  routedBy === undefined ? [] : [routedBy];

/** Ends a call that failed for this reason, which counts against its capability. */
export function failedWith(hand: Routed, reason: string, error: string, facts?: readonly number[]) {
  const { state, letters } = withFailure(hand.state, hand.call, reason, hand.policy.ghosts);
  return behind(letters, finish({ ...hand, state }, failed(error), facts));
}

/** What is done, with letters before its own. */
export const behind = (first: readonly Letter[], { state, letters }: Done): Done => ({
  state,
  letters: [...first, ...letters],
});

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
  { ok }: { readonly ok: boolean },
  nothing: boolean,
  { ghosts }: EnginePolicy,
): Done {
  if (!isRouted(call) || nothing === ok) return { state, letters: [] };
  return ok
    ? withoutRepaired(state, call.capability, ghosts)
    : withFailure(state, call, "returned nothing", ghosts);
}

/** Remembers which routing decision swallowed the last write to a path, until one succeeds. */
function lostAfter(
  lost: EngineState["lost"],
  call: Call,
  { unwritten, wrote }: CallOutcome,
  nothing: boolean,
  { folders }: EnginePolicy,
): EngineState["lost"] {
  const path = call.params["path"];
  if (typeof path !== "string" || !isVirtualPath(path, folders)) return lost;
  if (call.params["content"] === undefined) return lost;
  const isLost = nothing || unwritten !== undefined;
  if (isLost && call.routedBy !== undefined) return { ...lost, [path]: call.routedBy };
  if (lost[path] === undefined || !wrote?.includes(path)) return lost;
  const { [path]: _, ...others } = lost;
  return others;
}

/* Calls that wait for an answer. */

export const openCall = ({ calls }: EngineState, seq: number): Call | undefined =>
  calls.find((one) => one.seq === seq)?.call;

/** The call with this number, while it is open. */
export function inHand(state: EngineState, seq: number, policy: EnginePolicy): InHand | undefined {
  const call = openCall(state, seq);
  return call && { state, seq, call, policy };
}

/** What an answer does to the call that waits for it; one that has ended meanwhile it leaves alone. */
export const toOpenCall =
  <TReply extends { readonly at: At }>(receive: (open: InHand, reply: TReply) => Done) =>
  (state: EngineState, reply: TReply, policy: EnginePolicy): Done => {
    const open = inHand(state, callOf(reply.at), policy);
    return open === undefined ? { state, letters: [] } : receive(open, reply);
  };

/** The state in which the call is as it is now. */
export function withCall({
  state,
  seq,
  call,
}: Pick<InHand, "state" | "seq" | "call">): EngineState {
  const { calls } = state;
  const index = calls.findIndex((one) => one.seq === seq);
  const open: OpenCall = { seq, call };
  return { ...state, calls: index < 0 ? [...calls, open] : calls.with(index, open) };
}

/** Everyone else sees the open calls by the seq of their question, and what each agent suffers from by its name. */
export const engineKept = <TState extends EngineState>(): Kept<TState> => ({
  plain: (state) => ({
    ...state,
    calls: bySeq(state.calls),
    suffering: state.suffering.plain(),
  }),
  restored: (plain) => {
    const state = plain as PlainEngine<TState>; // What `plain` made.
    const calls = Object.entries(state.calls).map(([seq, call]) => ({ seq: Number(seq), call }));
    return { ...state, calls, suffering: Entries.of(state.suffering) } as unknown as TState;
  },
  apart: (before, after) => {
    const suffering = before.suffering.until(after.suffering);
    const callsOf = (one: TState, other: TState) =>
      bySeq(one.calls.filter((call) => !other.calls.includes(call)));
    return [
      { ...before, calls: callsOf(before, after), suffering: suffering[0] },
      { ...after, calls: callsOf(after, before), suffering: suffering[1] },
    ];
  },
});

/** The engine's state as everyone else sees it. */
export type PlainEngine<TState> = Omit<TState, "calls" | "suffering"> & {
  readonly calls: { readonly [seq: string]: Call };
  readonly suffering: ReturnType<EngineState["suffering"]["plain"]>;
};

const bySeq = (calls: readonly OpenCall[]): PlainEngine<EngineState>["calls"] =>
  Object.fromEntries(calls.map(({ seq, call }) => [seq, call]));
