/** The engine's state, followed through the changes in the event log. */
import type { EngineState } from "../../machines/agents/engine/state.ts";
import { withChanges } from "../../substrate/changes.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";

/** The engine as the log tells of it, without its open calls, which are no list there. */
export type SeenEngine = Omit<EngineState, "calls">;

/** The engine after a delivery; `before` itself when nothing of it changed. */
export function engineAfter(
  before: SeenEngine | undefined,
  delivery: SeenDelivery,
): SeenEngine | undefined {
  if (isBirth(delivery)) return withChanges({}, delivery.changes) as SeenEngine;
  if (before === undefined || !isToEngine(delivery)) return before;
  return withChanges(before, delivery.changes) as SeenEngine;
}

const KEPT = ["entries", "implementations", "broken", "failures", "archived"] as const;

type Kept = Pick<EngineState, (typeof KEPT)[number]>;

/** Of the engine, what is kept of its tools: its calls change a hundred times as often. */
export class EngineMirror {
  #state: Kept | undefined;

  /** Takes in one delivery; true when it changed what is kept. */
  observe(delivery: SeenDelivery): boolean {
    const before = isBirth(delivery) ? {} : isToEngine(delivery) ? this.#state : undefined;
    if (before === undefined) return false;
    const changes = delivery.changes.filter(({ path: [key] }) => KEPT.some((kept) => kept === key));
    if (changes.length === 0) return false;
    this.#state = withChanges(before, changes) as Kept;
    return true;
  }

  get state(): Kept | undefined {
    return this.#state;
  }

  /** Registered capabilities without code, in registration order. */
  ghosts(): string[] {
    return (this.#state?.entries ?? [])
      .map(({ name }) => name)
      .filter((name) => this.isGhost(name));
  }

  isGhost(name: string): boolean {
    return this.#state !== undefined && !Object.hasOwn(this.#state.implementations, name);
  }

  broken(): EngineState["broken"] {
    return this.#state?.broken ?? [];
  }
}

const isBirth = ({ to, event }: SeenDelivery): boolean =>
  to === "kernel" && event.type === "actor.start" && event.machine === "engine";

const isToEngine = ({ to }: SeenDelivery): boolean => /^engine(#\d+)?$/.test(to);
