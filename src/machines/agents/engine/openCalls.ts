/** Calls that wait for an answer. */
import type { At } from "../../letter.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { type Call, callOf, type Done, type EngineState } from "./state.ts";

export interface OpenCall {
  readonly seq: number;
  readonly call: Call;
}

/** What an answer does to the call that waits for it; one that has ended meanwhile it leaves alone. */
export const toOpenCall =
  <TReply extends { readonly at: At }, TState extends EngineState>(
    receive: (state: TState, reply: TReply, open: OpenCall, policy: EnginePolicy) => Done,
  ) =>
  (state: TState, reply: TReply, policy: EnginePolicy): Done => {
    const seq = callOf(reply.at);
    const call = state.calls[seq];
    return call === undefined
      ? { state, letters: [] }
      : receive(state, reply, { seq, call }, policy);
  };

export const withCall = <TState extends EngineState>(
  state: TState,
  seq: number,
  call: Call,
): TState => ({
  ...state,
  calls: { ...state.calls, [seq]: call },
});
