/** One run with everything that was seen of it, and the counterfactuals beside it. */

import { type MetricName, WORLD } from "./actors/gauge.ts";
import { type Scenario, variantOf } from "./actors/scenario.ts";
import { judge, type Verdict } from "./expect.ts";
import { Meter } from "./metrics.ts";
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
export const meterOf = (scenario: Scenario): Meter => new Meter(scenario.agents, scenario);

/** The meter measures this run alone. */
export function startObserved(
  scenario: Scenario,
  options: SimulateOptions = {},
  meter: Meter = meterOf(scenario),
): ObservedRun {
  const story = new Story();
  const run = startRun(scenario, {
    ...options,
    onDelivery: (delivery) => {
      meter.observe(delivery);
      story.observe(delivery);
      options.onDelivery?.(delivery);
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
  scenario: Scenario,
  options: SimulateOptions = {},
  meter: Meter = meterOf(scenario),
): Observed {
  const { run, finish } = startObserved(scenario, options, meter);
  return finish(runToEnd(run));
}

/** The figures by which counterfactuals are compared. */
export interface Figures {
  readonly goalsCompleted: number;
  readonly goalsFailed: number;
  readonly callsLost: number;
  readonly ghostCalls: number;
  /** Virtual minutes from the ghost's registration to the last call routed to it; null without one. */
  readonly minutesUntilFree: number | null;
  /** Of a world with synt. */
  readonly synt?: SyntFigures;
}

/** Of a world with synt: requests, turns, money in whole cents, executors. */
export interface SyntFigures {
  /** Requests by the state they are in at the end, and how many of them were refused at once. */
  readonly requests: { readonly [state: string]: number };
  readonly refused: number;
  readonly turnsDone: number;
  readonly turnsDeclined: number;
  readonly cents: number;
  /** Proposals that the gate refused; and by the scenario's labels, where it was wrong. */
  readonly belowGate: number;
  readonly falsePasses: number;
  readonly falseRefusals: number;
  /** Questions to the person at the gate. */
  readonly asked: number;
  /** Executors that planners are shown, and that can be called, at the end. */
  readonly visible: number;
  readonly loaded: number;
}

export function figuresOf({ meter, story }: Pick<Observed, "meter" | "story">): Figures {
  const last = (metric: MetricName): number => meter.series(metric, WORLD).at(-1)?.value ?? 0;
  const held = story.ghosts.map(({ fromMs, lastCallMs }) => (lastCallMs ?? fromMs) - fromMs);
  return {
    goalsCompleted: last("goals.completed"),
    goalsFailed: last("goals.abandoned"),
    callsLost: last("calls.lost"),
    ghostCalls: last("ghost.calls"),
    minutesUntilFree: held.length === 0 ? null : Math.max(...held) / 60_000,
    ...(story.synt.isThere && { synt: syntFiguresOf(story, last) }),
  };
}

function syntFiguresOf({ synt }: Story, last: (metric: MetricName) => number): SyntFigures {
  const { requests, turns, questions, pool } = synt;
  const states: { [state: string]: number } = {};
  for (const { states: passed } of requests) {
    const state = passed.at(-1)?.state ?? "composing";
    states[state] = (states[state] ?? 0) + 1;
  }
  const closed = turns.filter(({ endMs }) => endMs !== null);
  return {
    requests: states,
    refused: requests.filter(({ isRefused }) => isRefused).length,
    turnsDone: closed.filter(({ ok }) => ok).length,
    turnsDeclined: closed.filter(({ ok }) => !ok).length,
    cents: requests.reduce((sum, { spent }) => sum + spent, 0),
    belowGate: last("synt.belowGate"),
    falsePasses: last("synt.falsePasses"),
    falseRefusals: last("synt.falseRefusals"),
    asked: new Set(questions.map(({ asking }) => asking)).size,
    visible: pool.at(-1)?.visible ?? 0,
    loaded: pool.at(-1)?.loaded ?? 0,
  };
}
