/**
 * What the engine asks actors of other parts before a call goes on: whether it may, and what it returns.
 * A question is open for so long and no longer. Ours.
 */
import { defined } from "../../defined.ts";
import { ask, type Letter, type MailOf } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { withCall } from "./openCalls.ts";
import { type Done, type EngineState, entryOf, type RoutedCall, type Waiting } from "./state.ts";

const RETIRE = "retire_capability";

/** The actor of another part that executes the call; undefined when the engine does. */
export function executorOf(state: EngineState, { capability, params }: RoutedCall) {
  const brought = entryOf(state, capability)?.brought;
  if (brought !== undefined || capability !== RETIRE) return brought?.by;
  // The keeper of a kind retires its entries; it lists for the engine afterwards what is left.
  const retired = entryOf(state, String(params["name"]))?.brought;
  return retired?.kind === undefined ? undefined : retired.by;
}

export function executorAsked(
  state: EngineState,
  seq: number,
  call: RoutedCall,
  to: string,
  policy: EnginePolicy,
): Done {
  const event: MailOf<"capability.called"> = { type: "capability.called", ...askedOf(call) };
  return asked(state, seq, call, { to, event, waitMs: policy.hooks.capabilityMs }, policy);
}

/** Asks the actors from this one on that have a say in the agent's calls; undefined when none is left. */
export function permissionAsked(
  state: EngineState,
  seq: number,
  call: RoutedCall,
  from: number,
  policy: EnginePolicy,
): Done | undefined {
  const { permissions } = policy.attached;
  const by = ownValue(state.born ?? {}, call.agent)?.by;
  const permission = permissions.findIndex(
    (one, index) =>
      index >= from &&
      (one.of === "every" || one.from === by) &&
      (one.before?.includes(call.capability) ?? true),
  );
  const to = permissions[permission]?.from;
  if (to === undefined) return undefined;
  const event: MailOf<"permission.asked"> = { type: "permission.asked", ...askedOf(call) };
  const question = { to, event, permission, waitMs: policy.hooks.permissionMs };
  return asked(state, seq, call, question, policy);
}

const askedOf = ({ agent, cycle, capability, intent, params }: RoutedCall) => ({
  agent,
  cycle,
  capability,
  intent,
  params,
});

function asked(
  state: EngineState,
  seq: number,
  call: RoutedCall,
  { to, event, permission, waitMs }: Pick<Waiting, "to" | "permission"> & Question,
  { self }: EnginePolicy,
): Done {
  const question = (call.questions ?? 0) + 1;
  const waits: Waiting = defined({ to, question, permission });
  const letters: Letter[] = [
    ask({
      to,
      key: `call:${seq}`,
      event,
      because: call.routedBy === undefined ? undefined : [call.routedBy],
    }),
    { to: self, event: { type: "call.overdue", call: seq, question }, delayMs: waitMs },
  ];
  return { state: withCall(state, seq, { ...call, waits, questions: question }), letters };
}

interface Question {
  readonly event: MailOf<"capability.called" | "permission.asked">;
  readonly waitMs: number;
}
