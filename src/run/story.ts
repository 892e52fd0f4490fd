/**
 * What a person wants to know of a run, gathered from the event log alone: what each part tells of it, and
 * the moments that mattered. Reports and pictures are made from it.
 */
import type { Part, Teller } from "../contract/part.ts";
import type { Sections } from "../contract/scenario.ts";
import type { Moment, Stories } from "../contract/story.ts";
import type { SeenDelivery } from "../substrate/envelope.ts";

export interface Story extends Stories {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor puts there what the parts tell.
export class Story {
  readonly moments: Moment[] = [];
  readonly #tellers: readonly Teller[];

  /** `sections` are those of the scenario. */
  constructor(parts: readonly Part[], sections: Partial<Sections> = {}) {
    this.#tellers = parts.flatMap(({ story }) => story?.(sections, this.moments) ?? []);
    Object.assign(this, ...this.#tellers.map(({ told }) => told));
  }

  observe(delivery: SeenDelivery): void {
    for (const one of this.#tellers) one.observe(delivery);
    this.#outside(delivery);
  }

  /** What comes from outside matters, unless it sets the stage. */
  #outside(delivery: SeenDelivery): void {
    const { from, cause, dueMs: atMs } = delivery;
    if (cause !== null || from === "outside/stage") return;
    if (this.#tellers.some((one) => one.tellsOf?.(delivery))) return;
    this.moments.push({ atMs, kind: "outside", label: from.slice("outside/".length) });
  }
}
