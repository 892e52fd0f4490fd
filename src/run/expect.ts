/** Whether a run showed what its scenario says must be seen. */

import { type MetricName, WORLD } from "../contract/gauge.ts";
import type { Expectation } from "../contract/scenario.ts";
import type { Meter } from "./meter.ts";

/** Whether an expectation was met, and what was found. */
export interface Verdict {
  readonly name: string;
  readonly ok: boolean;
  /**
   * The value at the moment asked for; with `ever`, the one that came nearest to `value`. At a moment
   * that the run did not reach nothing holds, and this is the last value.
   */
  readonly found: number;
  /** When it was found, in virtual milliseconds. */
  readonly atMs: number;
}

export function judge(expectation: Expectation, meter: Meter, endMs: number): Verdict {
  const { name, at, op, value } = expectation;
  const metric = expectation.metric as MetricName;
  const actor = expectation.actor ?? WORLD;
  if (at !== "ever") {
    const askedMs = at === "end" ? endMs : at;
    const atMs = Math.min(askedMs, endMs);
    const found = meter.valueAt(metric, actor, atMs);
    return { name, ok: askedMs <= endMs && holds(found, op, value), found, atMs };
  }
  const samples = meter.series(metric, actor);
  const nearest = samples.reduce((best, sample) =>
    Math.abs(sample.value - value) < Math.abs(best.value - value) ? sample : best,
  );
  const { value: found, atMs } = samples.find((one) => holds(one.value, op, value)) ?? nearest;
  return { name, ok: holds(found, op, value), found, atMs };
}

/** What a run without expectations says, so that it is not taken for one that met them all. */
export const noneAsked = (variant: string | null): string =>
  variant === null
    ? "Nothing was expected: the scenario has no `expect`."
    : `Nothing was expected: the variant ${variant} has no \`expect\`; \`expect: inherit\` takes the scenario's.`;

function holds(found: number, op: Expectation["op"], value: number): boolean {
  switch (op) {
    case "=":
      return found === value;
    case "!=":
      return found !== value;
    case "<":
      return found < value;
    case "<=":
      return found <= value;
    case ">":
      return found > value;
    case ">=":
      return found >= value;
  }
}
