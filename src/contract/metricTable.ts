/** The one table of what can be measured, composed from the parts. The meter in meter.ts measures it. */

import { onceFor } from "../machines/onceFor.ts";
import type { Metric, MetricName } from "./gauge.ts";
import type { Part } from "./part.ts";
import type { Inhabited } from "./scenario.ts";

/** Those of the parts that measure. Logs that were read in place of a run have metrics of their own, which no run has. */
export const measuring = onceFor((parts: readonly Part[]): readonly Part[] =>
  parts.every(({ ofLogs }) => ofLogs) ? parts : parts.filter(({ ofLogs }) => !ofLogs),
);

/**
 * For each metric its unit, whether each agent has one of its own, and what it says. The metrics of every
 * world come last.
 */
export const metricTable = onceFor(
  (parts: readonly Part[]): { readonly [Name in MetricName]: Metric } =>
    Object.assign(
      {},
      ...measuring(parts)
        .toReversed()
        .map(({ metrics = {} }) => metrics),
    ),
);

/** The names of all metrics, in the order of the table. */
export const metricNames = onceFor(
  // The table has these keys and no other.
  (parts: readonly Part[]) => Object.keys(metricTable(parts)) as readonly MetricName[],
);

/** Who has a series of the metric, besides the world. */
export const measuredOn = ({ perAgent, each }: Metric, world: Inhabited): readonly string[] =>
  perAgent ? world.agents : (each?.namesIn(world) ?? []);

/** Units of what lies within 0 … 1. */
export const SHARES: readonly string[] = ["share", "load", "severity"];

/** What a scenario may name under `metric:`, and which of these also for one `actor:` that is an agent, or another. */
export const metricChecks = onceFor((parts: readonly Part[]) => {
  const names = metricNames(parts);
  const table = metricTable(parts);
  return {
    metricNames: names,
    agentMetricNames: names.filter((name) => table[name].perAgent),
    otherMetricNames: names.filter((name) => table[name].each !== undefined),
    shareMetricNames: names.filter((name) => SHARES.includes(table[name].unit)),
  };
});
