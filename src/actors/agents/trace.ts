/** Which deliveries of the agents' world are tools offered, calls, results and words. */

import type {
  ToolCalled,
  ToolOffered,
  TraceFact,
  TraceReader,
  WordSaid,
} from "../../contract/trace.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../substrate/isEvent.ts";

/** Calls without an end that are remembered; ours: an agent makes one at a time. */
const OPEN_MAX = 10_000;

interface OpenCall {
  readonly request: DeliveryOf<"call.requested", SeenDelivery>;
  /** Null until it is routed. */
  readonly fact: ToolCalled | null;
}

/**
 * A fresh reader for one log. A call bears the number of its request; a tool is told of when it is new or described
 * otherwise than before.
 */
export function agentsTrace(): TraceReader {
  const descriptions = new Map<string, string>();
  const open = new Map<number, OpenCall>();
  return (delivery): readonly TraceFact[] => {
    if (delivery.fate !== "handled") return [];
    if (isEvent(delivery, "tools.answered")) return offeredIn(delivery, descriptions);
    if (isEvent(delivery, "call.requested")) {
      open.set(delivery.seq, { request: delivery, fact: null });
      const [oldest] = open.keys();
      if (open.size > OPEN_MAX && oldest !== undefined) open.delete(oldest);
      return [];
    }
    if (isEvent(delivery, "call.routed")) {
      const { call, capability } = delivery.event;
      const asked = open.get(call);
      // A call that is routed again is still one call.
      if (asked === undefined || asked.fact !== null) return [];
      const fact = callOf(asked, capability);
      open.set(call, { ...asked, fact });
      return [fact];
    }
    if (isEvent(delivery, "call.finished") && delivery.re !== undefined) {
      const asked = open.get(delivery.re);
      open.delete(delivery.re);
      return asked === undefined ? [] : endedIn(delivery, asked);
    }
    return saidIn(delivery);
  };
}

const placeOf = ({ seq, dueMs: atMs }: SeenDelivery) => ({ seq, atMs, step: null });

function offeredIn(
  delivery: DeliveryOf<"tools.answered", SeenDelivery>,
  descriptions: Map<string, string>,
): readonly ToolOffered[] {
  return delivery.event.capabilities.flatMap(({ name: tool, description }): ToolOffered[] => {
    if (descriptions.get(tool) === description) return [];
    descriptions.set(tool, description);
    return [{ is: "offered", ...placeOf(delivery), tool, description, schema: null }];
  });
}

function callOf({ request }: OpenCall, tool: string | null): ToolCalled {
  const { agent, intent, params: args } = request.event;
  return { is: "called", ...placeOf(request), agent, tool, intent, args, raw: null };
}

function endedIn(
  delivery: DeliveryOf<"call.finished", SeenDelivery>,
  asked: OpenCall,
): readonly TraceFact[] {
  const { capability, result, ok, error = null } = delivery.event;
  const { fact, request } = asked;
  const tool = capability ?? fact?.tool ?? null;
  const { agent } = request.event;
  const call = request.seq;
  return [
    // It was refused before it was routed.
    ...(fact === null ? [callOf(asked, tool)] : []),
    { is: "returned", ...placeOf(delivery), agent, tool, call, result, ok, error },
  ];
}

/** What people, peers and the agent's own model said; what other actors asked models is nobody's word. */
function saidIn(delivery: SeenDelivery): readonly WordSaid[] {
  const [kind, name = ""] = delivery.to.split("/");
  const agent = name.replace(/#\d+$/, "");
  const said = (
    speaker: string,
    role: WordSaid["role"],
    { text }: MailOf<"host.message" | "peer.message" | "outside.signal" | "llm.replied">,
    to: string | null,
  ): readonly WordSaid[] => [{ is: "said", ...placeOf(delivery), speaker, role, to, text }];
  if (isEvent(delivery, "llm.replied")) {
    return kind === "agent" || kind === "goal" ? said(agent, "agent", delivery.event, null) : [];
  }
  if (kind !== "agent") return [];
  if (isEvent(delivery, "host.message")) return said("host", "user", delivery.event, agent);
  if (isEvent(delivery, "outside.signal")) return said("outside", "user", delivery.event, agent);
  return isEvent(delivery, "peer.message")
    ? said(delivery.event.from, "agent", delivery.event, agent)
    : [];
}
