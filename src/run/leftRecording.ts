/** What a run comes to is unknown once an agent that stands in for a recorded one has left its recording. */
import type { MetricName } from "../contract/gauge.ts";
import { metricNames, metricTable } from "../contract/metricTable.ts";
import type { Part } from "../contract/part.ts";
import type { Meter } from "./meter.ts";

export interface LeftRecording {
  /** Virtual milliseconds at which the first of them left it. */
  readonly atMs: number;
  readonly agents: readonly string[];
}

/** Null where nobody left one. */
export function leftRecording(parts: readonly Part[], meter: Meter): LeftRecording | null {
  const table = metricTable(parts);
  const isLeft = (name: MetricName): boolean =>
    table[name].isUnknown === true && (meter.series(name).at(-1)?.value ?? 0) > 0;
  const [name] = metricNames(parts).filter(isLeft);
  if (name === undefined) return null;
  const first = meter.series(name).find(({ value }) => value > 0);
  const agents = Object.entries(meter.finals()[name] ?? {}).filter(
    ([actor, value]) => actor !== "world" && value > 0,
  );
  return { atMs: first?.atMs ?? 0, agents: agents.map(([agent]) => agent) };
}
