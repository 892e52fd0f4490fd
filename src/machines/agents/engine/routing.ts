/**
 * Which capability serves a call: the one that it names, else the top match of the router, without what is
 * blacklisted or broken. No agent sees the decision. Source: rulings T11, T14; by name is ours.
 */

import { defined } from "../../defined.ts";
import type { MailOf } from "../../letter.ts";
import { nearest } from "../../nearest.ts";
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
  return given(state, seq, call, policy, {
    capability: top.name,
    score: top.score,
    runnerUp: runnerUp?.name ?? null,
    runnerUpScore: runnerUp?.score ?? 0,
  });
}

/** A call by name reaches that capability or none: nothing that is like it takes its place. */
export function routeByName(
  state: EngineState,
  seq: number,
  call: Call & { readonly tool: string },
  policy: EnginePolicy,
): Done {
  const { tool } = call;
  const names = state.entries.map(({ name }) => name);
  const error = names.includes(tool)
    ? skipped(state, call, policy).includes(tool)
      ? `the tool ${tool} is broken or blacklisted`
      : undefined
    : `there is no tool called "${tool}"${meant(nearest(tool, names))}`;
  if (error !== undefined) return finish(state, seq, call, failed(error), policy);
  const found = { capability: tool, score: 0, runnerUp: null, runnerUpScore: 0 } as const;
  return given(state, seq, call, policy, { ...found, byName: true });
}

const meant = (name: string | undefined): string =>
  name === undefined ? "" : `; did you mean ${name}?`;

/** Where every call is by name, words reach nothing. */
export function routeNameless(
  state: EngineState,
  seq: number,
  call: Call,
  policy: EnginePolicy,
): Done {
  const error = `the step "${call.intent}" names no tool, and here tools are called by name`;
  return finish(state, seq, call, failed(error), policy);
}

type Found = Pick<
  MailOf<"call.routed">,
  "capability" | "score" | "runnerUp" | "runnerUpScore" | "byName"
>;

function given(
  state: EngineState,
  seq: number,
  call: Call,
  policy: EnginePolicy,
  found: Found,
): Done {
  const event: MailOf<"call.routed"> = defined({
    ...{ type: "call.routed", call: seq, agent: call.agent, intent: call.intent },
    ...found,
  });
  const entry = state.entries.find(({ name }) => name === found.capability);
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
