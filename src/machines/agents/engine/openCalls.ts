/** Calls that wait for an answer. */
import type { At } from "../../letter.ts";
import type { Kept } from "../../service.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { type Call, callOf, type Done, type EngineState, type OpenCall } from "./state.ts";

export const openCall = ({ calls }: EngineState, seq: number): Call | undefined =>
  calls.find((one) => one.seq === seq)?.call;

/** What an answer does to the call that waits for it; one that has ended meanwhile it leaves alone. */
export const toOpenCall =
  <TReply extends { readonly at: At }, TState extends EngineState>(
    receive: (state: TState, reply: TReply, open: OpenCall, policy: EnginePolicy) => Done,
  ) =>
  (state: TState, reply: TReply, policy: EnginePolicy): Done => {
    const seq = callOf(reply.at);
    const call = openCall(state, seq);
    return call === undefined
      ? { state, letters: [] }
      : receive(state, reply, { seq, call }, policy);
  };

export function withCall<TState extends EngineState>(
  state: TState,
  seq: number,
  call: Call,
): TState {
  const { calls } = state;
  const index = calls.findIndex((one) => one.seq === seq);
  const open: OpenCall = { seq, call };
  return { ...state, calls: index < 0 ? [...calls, open] : calls.with(index, open) };
}

export const withoutCall = (calls: readonly OpenCall[], seq: number): readonly OpenCall[] =>
  calls.filter((one) => one.seq !== seq);

/** Everyone else sees the open calls by the seq of their question. */
export const engineKept = <TState extends EngineState>(): Kept<TState> => ({
  plain: (state) => ({ ...state, calls: bySeq(state.calls) }),
  restored: (plain) => {
    const state = plain as Plain<TState>; // What `plain` made.
    const calls = Object.entries(state.calls).map(([seq, call]) => ({ seq: Number(seq), call }));
    return { ...state, calls } as unknown as TState;
  },
  apart: (before, after) => [
    { ...before, calls: bySeq(before.calls.filter((one) => !after.calls.includes(one))) },
    { ...after, calls: bySeq(after.calls.filter((one) => !before.calls.includes(one))) },
  ],
});

type Plain<TState> = Omit<TState, "calls"> & { readonly calls: { readonly [seq: string]: Call } };

const bySeq = (calls: readonly OpenCall[]): Plain<EngineState>["calls"] =>
  Object.fromEntries(calls.map(({ seq, call }) => [seq, call]));
