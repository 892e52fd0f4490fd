// The counts of a run that a report says and a metric measures, side by side.

import { type ToolStory, toolStories } from "../src/actors/agents/book/toolLives.ts";
import { syntSummary } from "../src/actors/synt/edge/report.ts";
import type { MetricName } from "../src/contract/gauge.ts";
import type { Scenario } from "../src/contract/scenario.ts";
import { builtins } from "../src/machines/agents/engine/builtins.ts";
import { isTerminal, type ProposalState } from "../src/machines/synt/contract.ts";
import type { Observed } from "../src/run/compare.ts";
import { figuresOf } from "../src/run/compare.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import type { Input } from "../src/substrate/port.ts";
import { type Meter, modelUse, type Story } from "./builtIn.ts";

interface Run {
  readonly scenario: Scenario;
  readonly policy: Observed["result"]["policy"];
  readonly deliveries: readonly Delivery[];
  readonly inputs: readonly Input[];
  /** Both have seen the whole run. */
  readonly meter: Meter;
  readonly story: Story;
}

/** `metric: what the metric is, what the report says`, for each that is not alike. */
export function unlikeCounts(run: Run): string[] {
  const { meter } = run;
  const pairs = [...ofAgents(run), ...ofSynt(run)];
  return pairs
    .map(([metric, said]) => ({ metric, said, is: last(meter, metric) }))
    .filter(({ said, is }) => said !== is)
    .map(({ metric, said, is }) => `${metric}: ${is}, told as ${said}`);
}

type Pair = readonly [MetricName, number];

const last = (meter: Meter, metric: MetricName): number => meter.series(metric).at(-1)?.value ?? 0;

const figures = (meter: Meter, story: Story) => figuresOf({ meter, story } as Observed);

function ofAgents({ deliveries, inputs, meter, story }: Run): Pair[] {
  const { goalsCompleted, goalsFailed, ghostCalls } = figures(meter, story);
  const ended = (status: string) => story.goals.filter((one) => one.status === status).length;
  const tools = toolStories(story.tools, deliveries);
  const sum = (of: (tool: ToolStory) => number) => tools.reduce((all, one) => all + of(one), 0);
  const own = tools.filter(({ name }) => !builtins.some((one) => one.name === name));
  const { answered, late } = modelUse(deliveries, inputs);
  return [
    ["goals.completed", goalsCompleted],
    ["goals.completed", ended("completed")],
    ["goals.abandoned", goalsFailed],
    ["goals.abandoned", ended("abandoned")],
    ["ghost.calls", ghostCalls],
    [
      "ghost.calls",
      story.ghosts.reduce(
        (all, { callsByAgent }) => all + Object.values(callsByAgent).reduce((a, b) => a + b, 0),
        0,
      ),
    ],
    [
      "ran.tools" as MetricName,
      own.reduce((all, { calls }) => all + calls.worked + calls.unwritten, 0),
    ],
    ["synthesis.deployed", sum(({ deployed }) => deployed)],
    ["synthesis.alreadyDeployed", sum(({ deduplicated }) => deduplicated)],
    [
      "synthesis.rejected",
      sum(({ rejected }) => Object.values(rejected).reduce((all, { count }) => all + count, 0)),
    ],
    ["synthesis.execFailed", sum(({ rejected }) => rejected[8]?.count ?? 0)],
    ["synthesis.nullStubs", sum(({ rejected }) => rejected[9]?.count ?? 0)],
    ["model.calls", answered - late],
  ];
}

function ofSynt({ policy, meter, story }: Run): Pair[] {
  const { synt } = figures(meter, story);
  if (synt === undefined) return [];
  const said = syntSummary(story.synt, synt, policy);
  const saidOf = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(said)?.[1] ?? 0);
  const states = Object.keys(synt.requests).filter((state) => isTerminal(state as ProposalState));
  return [
    ...states.flatMap((state): Pair[] => [
      [`synt.${state as ProposalState}`, synt.requests[state] ?? 0],
      [`synt.${state as ProposalState}`, saidOf(state)],
    ]),
    ["synt.locked", synt.refused],
    ["synt.locked", saidOf("of them w[a-z]+ refused at once")],
    ["synt.cents", synt.cents],
    ["synt.asked", synt.asked],
    ["synt.executors", synt.visible],
    ["synt.loaded", synt.loaded],
    ["synt.answered", synt.turnsDone],
    ["synt.answered", saidOf("done")],
    ["synt.declined", synt.turnsDeclined],
    ["synt.declined", saidOf("declined")],
    ["synt.replayed", story.synt.turns.filter(({ isReplayed }) => isReplayed).length],
    [
      "synt.quarantined",
      story.synt.executors.filter(({ state }) => state === "quarantined").length,
    ],
  ];
}
