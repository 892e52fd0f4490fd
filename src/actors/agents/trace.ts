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
import { agentFacts, agentNews } from "./book/agentsBook.ts";
import type { OpenCall } from "./book/facts.ts";

/**
 * A fresh reader for one log. A call bears the number of its request; a tool is told of when it is new or described
 * otherwise than before.
 */
export function agentsTrace(): TraceReader {
  const descriptions = new Map<string, string>();
  const facts = agentFacts("calls");
  return (delivery): readonly TraceFact[] => {
    if (delivery.fate !== "handled") return [];
    if (isEvent(delivery, "tools.answered")) return offeredIn(delivery, descriptions);
    const [news] = agentNews(facts, delivery);
    if (news?.is === "routed") {
      return news.call && news.isFirst ? [callOf(news.call, news.event.capability)] : [];
    }
    if (news?.is === "finished") return news.call ? endedIn(delivery, news.call, news.event) : [];
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

function callOf(call: OpenCall, tool: string | null): ToolCalled {
  const { seq, atMs, agent, intent, params: args } = call;
  return { is: "called", seq, atMs, step: null, agent, tool, intent, args, raw: null };
}

function endedIn(
  delivery: SeenDelivery,
  open: OpenCall,
  event: MailOf<"call.finished">,
): readonly TraceFact[] {
  const { capability, result, ok, error = null } = event;
  const { agent, seq: call } = open;
  const tool = capability ?? open.tool;
  return [
    // It was refused before it was routed.
    ...(open.tool === null ? [callOf(open, tool)] : []),
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
