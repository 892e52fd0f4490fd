/** What can be measured of macros, and its measuring from the log. */

import { type Gauge, metricsIn, WORLD } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";

const macros = metricsIn("macros");
const runs = metricsIn("runs", "agent");

export const macroMetrics = {
  "macros.kept": macros("Macros that there are, now."),
  "macros.learned": macros("Macros that came of what agents did again and again."),
  "macros.evicted": macros("Macros that gave their place to another.", { "macro.evicted": 1 }),
  "macros.retired": macros("Macros that agents retired.", { "macro.retired": 1 }),
  "macros.called": runs("Runs of macros that are over.", { "macro.ended": 1 }),
  "macros.failed": runs("Of these, those that failed.", { "macro.ended": ({ ok }) => !ok }),
  "macros.stepsRun": metricsIn("steps", "agent")("Steps of runs of macros.", {
    "macro.ended": ({ ran }) => ran,
  }),
} as const;

type MacroMetrics = typeof macroMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends MacroMetrics {}
}

/** Follows which macros there are, by what their keeper says to itself. */
export function macroMeter(given: readonly { readonly name: string }[], gauge: Gauge): Observer {
  const kept = { names: new Set(given.map(({ name }) => name)) };
  const setKept = (atMs: number): void => gauge.set("macros.kept", WORLD, atMs, kept.names.size);
  setKept(0);
  return {
    kept,
    observe: ({ event, dueMs, fate }) => {
      const { names } = kept;
      if (fate !== "handled") return;
      if (event.type === "macro.learned" && !names.has(event.macro.name)) {
        names.add(event.macro.name);
        gauge.add("macros.learned", WORLD, dueMs);
      } else if (event.type === "macro.evicted" || event.type === "macro.retired") {
        names.delete(event.name);
      } else return;
      setKept(dueMs);
    },
  };
}
