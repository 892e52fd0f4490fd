/** What the agents feel, followed through the event log. */
import {
  loadAt,
  type Suffering,
  severityAt,
  sufferingAfter,
} from "../../machines/agents/suffering/severity.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { isEvent } from "../../substrate/isEvent.ts";

export class SufferingMirror {
  readonly #active = new Map<string, readonly Suffering[]>();

  /** Takes in one delivery; the agent whose suffering it changed, if any. */
  observe(delivery: SeenDelivery): string | undefined {
    const agent = feltBy(delivery);
    if (agent === undefined || !isEvent(delivery, "stressor.changed")) return undefined;
    const before = this.#active.get(agent) ?? [];
    this.#active.set(agent, sufferingAfter(before, delivery.event));
    return agent;
  }

  /** Whether it ever felt anything. */
  knows(agent: string): boolean {
    return this.#active.has(agent);
  }

  severityAt(agent: string, stressor: string, atMs: number): number {
    const found = this.#active.get(agent)?.find(({ type }) => type === stressor);
    return found === undefined ? 0 : severityAt(found, atMs);
  }

  loadAt(agent: string, atMs: number): number {
    return loadAt(this.#active.get(agent) ?? [], atMs);
  }
}

/** The agent that a change of a stressor reaches; others get copies of the same letter. */
export const feltBy = ({ event, to, fate }: SeenDelivery): string | undefined =>
  event.type === "stressor.changed" && to.startsWith("agent/") && fate === "handled"
    ? to.split(/[/#]/)[1]
    : undefined;
