/** What can be measured of macros, and its measuring from the log. */

import { type Gauge, WORLD } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import { MACROS } from "../../machines/skills/macroKeeper.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";

const macros = { unit: "macros", perAgent: false };
const runs = { unit: "runs", perAgent: true };

export const macroMetrics = {
  "macros.kept": { ...macros, says: "Macros that there are, now." },
  "macros.learned": { ...macros, says: "Macros that came of what agents did again and again." },
  "macros.evicted": { ...macros, says: "Macros that gave their place to another." },
  "macros.retired": { ...macros, says: "Macros that agents retired." },
  "macros.called": { ...runs, says: "Runs of macros that are over." },
  "macros.failed": { ...runs, says: "Of these, those that failed." },
  "macros.stepsRun": { unit: "steps", perAgent: true, says: "Steps of runs of macros." },
} as const;

type MacroMetrics = typeof macroMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends MacroMetrics {}
}

const LEFT = { "macro.evicted": "macros.evicted", "macro.retired": "macros.retired" } as const;

/** Counts what the keeper of macros says to itself. */
export class MacroMeter implements Observer {
  readonly #gauge: Gauge;
  readonly #names: Set<string>;

  constructor(given: readonly { readonly name: string }[], gauge: Gauge) {
    this.#gauge = gauge;
    this.#names = new Set(given.map(({ name }) => name));
    if (given.length > 0) gauge.set("macros.kept", WORLD, 0, given.length);
  }

  observe({ event, to, from, dueMs, fate }: SeenDelivery): void {
    if (to !== MACROS || from !== MACROS || fate !== "handled") return;
    switch (event.type) {
      case "macro.learned":
        if (this.#names.has(event.macro.name)) return;
        this.#names.add(event.macro.name);
        this.#gauge.add("macros.learned", WORLD, dueMs);
        break;
      case "macro.evicted":
      case "macro.retired":
        this.#names.delete(event.name);
        this.#gauge.add(LEFT[event.type], WORLD, dueMs);
        break;
      case "macro.ended":
        this.#gauge.add("macros.called", event.agent, dueMs);
        if (!event.ok) this.#gauge.add("macros.failed", event.agent, dueMs);
        for (let step = 0; step < event.ran; step++) {
          this.#gauge.add("macros.stepsRun", event.agent, dueMs);
        }
        return;
      default:
        return;
    }
    this.#gauge.set("macros.kept", WORLD, dueMs, this.#names.size);
  }
}
