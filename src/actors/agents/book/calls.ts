/** Calls of tools, from their request by way of the router to their end. */

import type { MailOf } from "../../../machines/letter.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../../substrate/isEvent.ts";
import type { AgentBook, OpenCalls } from "./facts.ts";

type Finished = Pick<MailOf<"call.finished">, "ok" | "nothing">;

/** Ours: an agent makes one at a time, so these are calls that their agents gave up. */
const OPEN_MAX = 10_000;

export const calls: AgentBook<"calls"> = {
  reads: ["call.requested", "call.routed", "call.finished"],
  start: () => ({ count: 0, open: {} }),
  step(own, delivery, news) {
    if (delivery.fate !== "handled") return;
    if (isEvent(delivery, "call.requested")) return begin(own, delivery);
    if (isEvent(delivery, "call.routed")) {
      const { event } = delivery;
      const call = own.open[event.call];
      news.push({ is: "routed", event, call, isFirst: call?.tool === null });
      if (call !== undefined) call.tool ??= event.capability;
    } else if (isEvent(delivery, "call.finished")) {
      const { event, re = -1 } = delivery;
      news.push({ is: "finished", event, call: own.open[re] });
      end(own, re);
    }
  },
};

function begin(own: OpenCalls, { seq, dueMs, event }: DeliveryOf<"call.requested", SeenDelivery>) {
  const { agent, intent, params } = event;
  own.open[seq] = { seq, atMs: dueMs, agent, intent, params, tool: null };
  own.count += 1;
  if (own.count <= OPEN_MAX) return;
  for (const oldest in own.open) return end(own, Number(oldest));
}

function end(own: OpenCalls, seq: number): void {
  if (own.open[seq] === undefined) return;
  delete own.open[seq];
  own.count -= 1;
}

/** A call that failed, or looked like success and returned nothing. */
export const isFruitless = ({ event: { ok, nothing } }: { readonly event: Finished }): boolean =>
  !ok || nothing;
