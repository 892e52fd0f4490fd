/** Which deliveries of installs are calls and results: what its actors ask the gateway, and what it answers. */

import type { ToolOffered, TraceFact, TraceReader } from "../../contract/trace.ts";
import { GATEWAY_TOOLS } from "../../machines/installs/gateway/gateway.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../substrate/isEvent.ts";

/** Questions without an answer that are remembered; ours: one waits for a person, and few installs run at once. */
const OPEN_MAX = 10_000;

/**
 * A fresh reader for one log. An actor of installs stands under its address; the gateway's tools are known to
 * whoever asks it, so they are offered with the first question.
 */
export function installsTrace(): TraceReader {
  let isOffered = false;
  const open = new Map<number, DeliveryOf<"gateway.asked", SeenDelivery>>();
  return (delivery): readonly TraceFact[] => {
    if (delivery.fate !== "handled") return [];
    const at = { seq: delivery.seq, atMs: delivery.dueMs, step: null };
    if (isEvent(delivery, "gateway.asked")) {
      const { tool, params: args } = delivery.event;
      open.set(delivery.seq, delivery);
      const [oldest] = open.keys();
      if (open.size > OPEN_MAX && oldest !== undefined) open.delete(oldest);
      const offered = isOffered ? [] : GATEWAY_TOOLS.map((name) => offer(at, name));
      isOffered = true;
      return [
        ...offered,
        { is: "called", ...at, agent: delivery.from, tool, intent: null, args, raw: null },
      ];
    }
    if (!isEvent(delivery, "gateway.answered") || delivery.re === undefined) return [];
    const asked = open.get(delivery.re);
    if (asked === undefined) return [];
    open.delete(asked.seq);
    const { ok, result = null, error, reasons = [], approvalRequired } = delivery.event;
    // What waits for a person has not failed, and returns what it waits for.
    const waits = approvalRequired === undefined ? result : { approvalRequired };
    const says = error === undefined ? reasons[0] : error.message;
    return [
      {
        ...{ is: "returned", ...at, agent: asked.from, tool: asked.event.tool, call: asked.seq },
        ...{ result: waits, ok: ok || approvalRequired !== undefined },
        error: ok || approvalRequired !== undefined ? null : (says ?? "refused"),
      },
    ];
  };
}

const offer = (at: Pick<ToolOffered, "seq" | "atMs" | "step">, tool: string): ToolOffered => ({
  ...{ is: "offered", ...at, tool, description: null, schema: null },
});
