/** How mail of the agents' world could be otherwise: a call goes to the router's second, a tool never reaches the registry. */

import type { Due, Otherwise } from "../../contract/otherwise.ts";
import { startOf } from "../../contract/startOf.ts";
import { toolName } from "../../machines/agents/engine/registry.ts";
import type { MailOf } from "../../machines/letter.ts";

export function otherwise({ to, event }: Due): Otherwise | null | undefined {
  if (event.type === "call.routed") return second(event);
  if (event.type === "folder.changed" && to.startsWith("engine") && event.text !== null) {
    const tool = toolName(event.path, ".json");
    return tool === undefined ? undefined : { id: `registration:${tool}`, event: null };
  }
  const synthesis = startOf(event, "capabilitySynthesis");
  if (synthesis !== undefined) return { id: `birth:synthesis/${synthesis.name}`, event: null };
  // Its address has the number of a delivery.
  return to.startsWith("synthesis/") ? null : undefined;
}

/** A call by name, and one that nothing else fits, has no second. */
function second(event: MailOf<"call.routed">): Otherwise | undefined {
  const { capability, runnerUp: next, runnerUpScore: score } = event;
  if (next === null) return undefined;
  const other = { ...event, capability: next, score, runnerUp: null, runnerUpScore: 0 };
  return { id: `route:${capability}`, event: other };
}
