/**
 * Which capability serves a call: the top match of the router, without what is blacklisted or
 * broken. No agent sees the decision. Source: rulings T11, T14.
 */

import type { MailOf } from "../../letter.ts";
import { failed } from "./builtin.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { finish } from "./finishing.ts";
import { withCall } from "./openCalls.ts";
import { type Scored, topMatch } from "./router.ts";
import type { Call, Done, EngineState } from "./state.ts";

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
    const passedOver = topMatch(scored)?.name;
    const error =
      `no capability matches the intent "${call.intent}"` +
      (passedOver === undefined ? "" : `, but ${passedOver}, which is broken or blacklisted`);
    return finish(state, seq, call, failed(error), policy);
  }
  const runnerUp = topMatch(scored, [top.name]);
  const event: MailOf<"call.routed"> = {
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
    state: withCall(state, seq, call),
    letters: [{ to: policy.self, event, because: [seq, ...because] }],
  };
}

function skipped(state: EngineState, call: Call, policy: EnginePolicy): string[] {
  if (!policy.router.skipBroken) return [];
  const list = state.blacklists[call.agent];
  const names = list !== undefined && list.cycle === call.cycle ? list.names : [];
  return [...names, ...state.broken.map(({ name }) => name)];
}
