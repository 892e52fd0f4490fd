/** One run with everything that was seen of it, and the counterfactuals beside it. */

import type { Figures } from "../contract/figures.ts";
import type { MetricName } from "../contract/gauge.ts";
import type { Part } from "../contract/part.ts";
import { type Scenario, variantOf } from "../contract/scenario.ts";
import { judge, type Verdict } from "./expect.ts";
import { Meter } from "./meter.ts";
import { type Run, type RunResult, runToEnd, type SimulateOptions, startRun } from "./simulate.ts";
import { Story } from "./story.ts";

/** One run that is over, with what was measured, told and judged of it. Times are virtual milliseconds. */
export interface Observed {
  readonly variant: string | null;
  readonly result: RunResult;
  readonly meter: Meter;
  readonly story: Story;
  readonly verdicts: readonly Verdict[];
}

/** A run with its observers; `finish` judges once it is over. */
export interface ObservedRun {
  readonly run: Run;
  finish(result: RunResult): Observed;
}

/** What measures one run of a scenario. */
export const meterOf = (parts: readonly Part[], scenario: Scenario, only?: MetricName): Meter =>
  new Meter(parts, scenario.agents, scenario, only);

/** The meter measures this run alone. */
export function startObserved(
  parts: readonly Part[],
  scenario: Scenario,
  options: SimulateOptions = {},
  meter: Meter = meterOf(parts, scenario),
): ObservedRun {
  const story = new Story(parts, scenario);
  const run = startRun(parts, scenario, {
    ...options,
    onSeen: (delivery) => {
      meter.observe(delivery);
      story.observe(delivery);
      options.onSeen?.(delivery);
    },
  });
  const variant = options.variant ?? null;
  const { expect } = variantOf(scenario, variant);
  return {
    run,
    finish: (result) => ({
      variant,
      result,
      meter,
      story,
      verdicts: expect.map((one) => judge(one, meter, result.virtualMs)),
    }),
  };
}

export function observe(
  parts: readonly Part[],
  scenario: Scenario,
  options: SimulateOptions = {},
  meter: Meter = meterOf(parts, scenario),
): Observed {
  const { run, finish } = startObserved(parts, scenario, options, meter);
  return finish(runToEnd(run));
}

export const figuresOf = ({ meter, story }: Pick<Observed, "meter" | "story">): Figures =>
  meter.figures(story);
