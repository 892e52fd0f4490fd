/** The one table of what can be measured, composed from the parts. The meter in metrics.ts measures it. */

import type { Metric, MetricName } from "./actors/gauge.ts";
import type { Inhabited } from "./actors/scenario.ts";
import { partsBackwards } from "./parts.ts";

/**
 * For each metric its unit, whether each agent has one of its own, and what it says. The metrics of every
 * world come last.
 */
export const metricTable: { readonly [Name in MetricName]: Metric } = Object.assign(
  {},
  ...partsBackwards.map(({ metrics = {} }) => metrics),
);

/** The names of all metrics, in the order of the table. */
export const metricNames = Object.keys(metricTable) as readonly MetricName[];

/** Who has a series of the metric, besides the world. */
export const measuredOn = ({ perAgent, each }: Metric, world: Inhabited): readonly string[] =>
  perAgent ? world.agents : (each?.namesIn(world) ?? []);

/** What a scenario may name under `metric:`, and which of these also for one `actor:` that is an agent, or another. */
export const metricChecks = {
  metricNames,
  agentMetricNames: metricNames.filter((name) => metricTable[name].perAgent),
  otherMetricNames: metricNames.filter((name) => metricTable[name].each !== undefined),
};
