/** The engine's state, followed through the changes in the event log. */
import type { PlainEngine } from "../../machines/agents/engine/finishing.ts";
import type { EngineState } from "../../machines/agents/engine/state.ts";
import { withChanges } from "../../substrate/changes.ts";
import { changesOfMembers } from "../../substrate/deliveryRecord.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";

/** The engine as the log tells of it, without its open calls, which are no list there. */
export type SeenEngine = Omit<PlainEngine<EngineState>, "calls">;

/** The engine after a delivery; `before` itself when nothing of it changed. */
export function engineAfter(
  before: SeenEngine | undefined,
  delivery: SeenDelivery,
): SeenEngine | undefined {
  const base = baseOf(before, delivery);
  return base === undefined ? before : (withChanges(base, delivery.changes) as SeenEngine);
}

/** What the changes of a delivery are changes of: nothing yet where an engine is born; undefined where they are not the engine's. */
const baseOf = <T extends object>(before: T | undefined, delivery: SeenDelivery) =>
  isBirth(delivery) ? {} : isToEngine(delivery) ? before : undefined;

const KEPT = ["entries", "implementations", "broken", "failures", "archived"] as const;

/** Of the engine, what is kept of its tools: its calls change a hundred times as often. */
export type SeenTools = Pick<EngineState, (typeof KEPT)[number]>;

/** The tools after a delivery; `before` itself when nothing of them changed. Null before there is an engine. */
export function toolsAfter(before: SeenTools | null, delivery: SeenDelivery): SeenTools | null {
  const base = baseOf(before ?? undefined, delivery);
  if (base === undefined) return before;
  const changes = changesOfMembers(delivery, KEPT);
  return changes.length === 0 ? before : (withChanges(base, changes) as SeenTools);
}

/** Registered capabilities without code, in registration order. */
export const ghostsIn = (tools: SeenTools | null): string[] =>
  (tools?.entries ?? []).map(({ name }) => name).filter((name) => isGhost(tools, name));

export const isGhost = (tools: SeenTools | null, name: string): boolean =>
  tools !== null && !Object.hasOwn(tools.implementations, name);

const isBirth = ({ to, event }: SeenDelivery): boolean =>
  to === "kernel" && event.type === "actor.start" && event.machine === "engine";

const isToEngine = ({ to }: SeenDelivery): boolean =>
  to.startsWith("engine") && /^engine(#\d+)?$/.test(to);
