/** The engine's state, followed through the changes in the event log. */
import type { EngineState } from "./machines/engine/state.ts";
import { withChanges } from "./substrate/changes.ts";
import type { Delivery } from "./substrate/envelope.ts";

export class EngineMirror {
  #state: EngineState | undefined;

  /** Takes in one delivery; true when it changed what the engine holds. */
  observe({ to, event, changes }: Delivery): boolean {
    if (to === "kernel" && event.type === "actor.start" && event["machine"] === "engine") {
      this.#state = withChanges({}, changes) as EngineState;
      return true;
    }
    if (this.#state === undefined || !/^engine(#\d+)?$/.test(to) || changes.length === 0)
      return false;
    this.#state = withChanges(this.#state, changes) as EngineState;
    return true;
  }

  get state(): EngineState | undefined {
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
