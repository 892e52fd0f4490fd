/** What a report says of agents: in the words of goals, ghosts and calls. */

import { markdownTable } from "markdown-table";
import type { Columns, Pictured } from "../../../contract/edge/edgePart.ts";
import type { Figures } from "../../../contract/figures.ts";
import { command } from "../../../edges/command.ts";
import { clock } from "../../../edges/duration.ts";
import { escapedLine } from "../../../edges/escapedText.ts";
import { minutes } from "../../../machines/units.ts";
import type { Observed } from "../../../run/compare.ts";

/** What happened, in sentences. */
export function goalsSummary(observed: Observed, figures: Figures): string {
  const { goalsCompleted, goalsFailed, callsLost } = figures;
  const held = observed.story.ghosts.length === 0 ? "" : ` ${ghostSentence(observed)}`;
  return (
    `${goalsCompleted} goals were completed and ${goalsFailed} failed; ` +
    `${callsLost} tool calls returned nothing.${held}`
  );
}

function ghostSentence({ story }: Observed): string {
  return story.ghosts
    .map(({ name, description, fromMs, toMs, callsByAgent }) => {
      const calls = Object.entries(callsByAgent)
        .map(([agent, count]) => `${agent} ${count}`)
        .join(", ");
      const end = toMs === null ? "to the end" : `to ${clock(toMs - (toMs % 1000))}`;
      const took =
        calls === "" ? "No call was given to it." : `It was given these calls: ${calls}.`;
      return `From ${clock(fromMs - (fromMs % 1000))} ${end} the registry held \`${name}\` ("${escapedLine(description)}"), a ghost: a tool without code. ${took}`;
    })
    .join(" ");
}

/** Goals by agent, before, during and after the time a ghost was registered. */
export function whoWasHit({ scenario, observed }: Pictured): string {
  const { story, meter, result } = observed;
  // Where ghosts come and go there is no single time before them, and none after.
  const [ghost, ...others] = story.ghosts;
  const spans: [string, number, number][] =
    ghost === undefined || others.length > 0
      ? [["in all", 0, result.virtualMs + 1]]
      : [
          ["before the ghost", 0, ghost.fromMs],
          ["while it stood", ghost.fromMs, ghost.toMs ?? result.virtualMs + 1],
          ["after it", ghost.toMs ?? result.virtualMs + 1, result.virtualMs + 1],
        ];
  const last = (metric: "calls.failed" | "calls.finished" | "calls.lost", agent: string): number =>
    meter.series(metric, agent).at(-1)?.value ?? 0;
  const rows = [...scenario.agents, ...story.born].map((agent) => [
    agent,
    ...spans.map(([, from, to]) => {
      const ended = story.goals.filter(
        (goal) =>
          goal.agent === agent && goal.endMs !== null && goal.endMs >= from && goal.endMs < to,
      );
      const failed = ended.filter(({ status }) => status === "abandoned").length;
      return `${failed} of ${ended.length}`;
    }),
    `${last("calls.failed", agent)} of ${last("calls.finished", agent)}`,
    String(last("calls.lost", agent)),
    highest(meter.series("load", agent).map(({ value }) => value)),
  ]);
  const head = [
    "Agent",
    ...spans.map(([name]) => `Goals failed ${name}`),
    "Calls failed",
    "Calls that returned nothing",
    "Highest load",
  ];
  return `## Who was hit\n\n${markdownTable([head, ...rows])}`;
}

const highest = (values: readonly number[]): string => Math.max(...values).toFixed(2);

/** Goals and ghosts; the ghost's column only where a world had one. */
export function goalColumns(worlds: readonly Figures[]): Columns {
  const isHaunted = worlds.some(({ minutesUntilFree }) => minutesUntilFree !== null);
  return {
    head: [
      "Goals failed",
      ...(isHaunted ? ["Minutes a ghost got calls"] : []),
      "Calls that returned nothing",
    ],
    cells: ({ goalsFailed, goalsCompleted, callsLost, minutesUntilFree }) => [
      `${goalsFailed} of ${goalsFailed + goalsCompleted}`,
      ...(isHaunted ? [minutesUntilFree === null ? "no ghost" : minutesUntilFree.toFixed(1)] : []),
      String(callsLost),
    ],
    wrong: ({ goalsFailed, goalsCompleted }) => {
      const ended = goalsFailed + goalsCompleted;
      return ended === 0 ? null : goalsFailed / ended;
    },
  };
}

/** One failed goal of an agent that itself called a ghost: the shortest story of the cause. */
export function laterFailures({ story }: Observed): string[] {
  const ghost = story.ghosts.find(({ callsByAgent }) => Object.keys(callsByAgent).length > 0);
  if (ghost === undefined) return [];
  const goal = story.goals.find(
    ({ agent, status, startMs }) =>
      status === "abandoned" && startMs >= ghost.fromMs && Object.hasOwn(ghost.callsByAgent, agent),
  );
  return goal === undefined ? [] : [`goal:${goal.agent}/${goal.n}`];
}

/** The calls that the router gave away around the time of the first ghost. */
export function ghostCommands({ story }: Observed, bundle: string): string[] {
  const [ghost] = story.ghosts;
  return ghost === undefined
    ? []
    : [command`events ${bundle} --type call.routed ${around(ghost.fromMs)}`];
}

/** Two minutes around a moment, as options of `events`. */
function around(ms: number): readonly string[] {
  const fromMinutes = Math.floor(ms / minutes(1));
  return ["--from", `${fromMinutes}m`, "--to", `${fromMinutes + 2}m`];
}
