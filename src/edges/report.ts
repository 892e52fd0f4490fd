/** What a person reads first: what happened, who was hit, why, and what would have prevented it. */
import { markdownTable } from "markdown-table";
import { toolsTable } from "../actors/agents/edge/toolsTable.ts";
import { toolStories } from "../actors/agents/toolStory.ts";
import type { Scenario } from "../actors/scenario.ts";
import type { Moment } from "../actors/story.ts";
import type { SyntPicture } from "../actors/synt/edge/picture.ts";
import { pictureOfSynt } from "../actors/synt/edge/pictureOf.ts";
import {
  executorsTable,
  requestsTable,
  syntTimeline,
  turnsTable,
} from "../actors/synt/edge/report.ts";
import type { Observed } from "../compare.ts";
import { noneAsked } from "../expect.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Input } from "../substrate/port.ts";
import { type Explanation, originText } from "../why.ts";
import { clock } from "./duration.ts";
import { escapedLine, escapedText } from "./escapedText.ts";
import type { RunPicture } from "./picture.ts";
import type { Played } from "./playWorker.ts";
import { reportHead } from "./reportHead.ts";
import { tableCell } from "./tableCell.ts";
import { variantsTable } from "./variantsTable.ts";

export interface ReportInput {
  readonly scenario: Scenario;
  /** The scenario as the user named it: a name or a path. */
  readonly called: string;
  readonly seed: number;
  readonly observed: Observed;
  /** What was delivered, and the recording: models and tools are told from them. */
  readonly deliveries: readonly Delivery[];
  readonly inputs: readonly Input[];
  /** Who answered at each port. */
  readonly providers: { readonly [port: string]: string };
  /** What goes before everything else. */
  readonly lead?: string;
  /** The whole story first, then others worth reading. */
  readonly explanations: readonly Explanation[];
  /** The same world in the scenario's variants; empty when they were not run. */
  readonly counterfactuals: readonly Pick<Played, "variant" | "figures" | "verdicts">[];
  /** Where the bundle lies, as the user would type it; null when none was written. */
  readonly bundle: string | null;
}

/** Characters of a moment. */
const LABEL_MAX = 240;

type Pictured = Pick<ReportInput, "scenario" | "observed">;

export function reportText(input: ReportInput): string {
  const sections = [
    reportHead(input),
    timeline(input),
    whoWasHit(input),
    ...syntSections(input),
    ...input.explanations.map(explanationSection),
    variantsTable(input),
    expectations(input),
    nextSteps(input),
    toolsTable(toolStories(input.deliveries)),
    executorsTable(input.observed.story.synt),
  ];
  // Whatever a section quotes, of models and strangers: nothing in it steers a terminal.
  return escapedText(`${sections.filter((section) => section !== "").join("\n\n")}\n`);
}

/** Turns and requests of a world with synt. */
function syntSections({ observed }: ReportInput): string[] {
  const { story, result } = observed;
  return story.synt.isThere
    ? [turnsTable(story.synt), requestsTable(story.synt, result.virtualMs)]
    : [];
}

function timeline({ observed }: ReportInput): string {
  const { story } = observed;
  const rows = merged(story.moments).map(({ atMs, label }) => [
    shortClock(atMs),
    tableCell(label, LABEL_MAX),
  ]);
  if (story.synt.isThere) return syntTimeline(story.synt, merged(story.moments));
  if (rows.length === 0) return "";
  return `## What happened when\n\n${markdownTable([["Time", "Event"], ...rows])}`;
}

/** The same thing at the same instant to several agents is one line. */
function merged(moments: readonly Moment[]): { atMs: number; label: string }[] {
  const lines: { atMs: number; label: string; whos: string[] }[] = [];
  for (const { atMs, label, who } of moments) {
    const last = lines.at(-1);
    const whos = who === undefined ? [] : [who];
    if (last?.atMs === atMs && last.label === label) last.whos.push(...whos);
    else lines.push({ atMs, label, whos });
  }
  return lines.map(({ atMs, label, whos }) => ({
    atMs,
    label: whos.length === 0 ? label : `${label}: ${whos.join(", ")}`,
  }));
}

const shortClock = (ms: number): string => clock(ms - (ms % 1000));

/** Goals by agent, before, during and after the time a ghost was registered. */
function whoWasHit({ scenario, observed }: ReportInput): string {
  if (scenario.agents.length === 0 && observed.story.synt.isThere) return "";
  const { story, meter, result } = observed;
  // Where ghosts come and go there is no one time before them and no one after.
  const [ghost, ...others] = story.ghosts;
  const spans: [string, number, number][] =
    ghost === undefined || others.length > 0
      ? [["in all", 0, result.virtualMs + 1]]
      : [
          ["before the ghost", 0, ghost.fromMs],
          ["while it stood", ghost.fromMs, ghost.toMs ?? result.virtualMs + 1],
          ["after it", ghost.toMs ?? result.virtualMs + 1, result.virtualMs + 1],
        ];
  const rows = scenario.agents.map((agent) => [
    agent,
    ...spans.map(([, from, to]) => {
      const ended = story.goals.filter(
        (goal) =>
          goal.agent === agent && goal.endMs !== null && goal.endMs >= from && goal.endMs < to,
      );
      const failed = ended.filter(({ status }) => status === "abandoned").length;
      return `${failed} of ${ended.length}`;
    }),
    String(meter.series("calls.lost", agent).at(-1)?.value ?? 0),
    highest(meter.series("load", agent).map(({ value }) => value)),
  ]);
  const head = [
    "Agent",
    ...spans.map(([name]) => `Goals failed ${name}`),
    "Calls lost",
    "Highest load",
  ];
  return `## Who was hit\n\n${markdownTable([head, ...rows])}`;
}

const highest = (values: readonly number[]): string => Math.max(...values).toFixed(2);

function explanationSection({ question, chain, origins, alike }: Explanation): string {
  const steps = chain.map(
    ({ atMs, says }, index) => `${index + 1}. ${shortClock(atMs)} ${escapedLine(says)}`,
  );
  const ends = origins.map((origin) => escapedLine(originText(origin, (id) => `\`${id}\``)));
  return [
    `## Why: ${escapedLine(chain[0]?.says ?? question)}`,
    `Read downwards: each line rests on the next. (\`why ${question}\`)`,
    steps.join("\n"),
    ends.length === 0 ? "" : `It goes back to ${ends.join(", ")}.`,
    alike === 0 ? "" : `The first line rests on ${alike} more facts of the same kind.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function expectations({ observed }: ReportInput): string {
  const title = "## Expectations";
  if (observed.verdicts.length === 0) return `${title}\n\n${noneAsked(observed.variant)}`;
  const missed = observed.result.outcome === "waiting" ? "not yet" : "NO";
  const rows = observed.verdicts.map(({ name, ok, found, atMs }) => [
    ok ? "yes" : missed,
    name,
    String(Math.round(found * 1000) / 1000),
    shortClock(atMs),
  ]);
  return `${title}\n\n${markdownTable([["Seen", "Expectation", "Found", "At"], ...rows])}`;
}

function nextSteps({ bundle, called, explanations, scenario, observed }: ReportInput): string {
  if (bundle === null) return "";
  const ghost = observed.story.ghosts[0];
  const question = explanations.at(-1)?.question;
  const lines = [
    `The bundle lies in \`${bundle}\`; open \`${bundle}/report.html\` for the picture. Next:`,
    "```",
    `npx ghostlight replay ${bundle}`,
    `npx ghostlight why ${bundle}${question === undefined ? "" : ` ${question}`}`,
    ...(ghost === undefined
      ? []
      : [`npx ghostlight events ${bundle} --type call.routed --from ${around(ghost.fromMs)}`]),
    ...(Object.keys(scenario.variants).length === 0
      ? []
      : [`npx ghostlight run ${called} --variant ${Object.keys(scenario.variants).at(-1)}`]),
    "```",
  ];
  return lines.join("\n");
}

/** Two minutes around a moment, as options of `events`. */
function around(ms: number): string {
  const fromMinutes = Math.floor(ms / 60_000);
  return `${fromMinutes}m --to ${fromMinutes + 2}m`;
}

/** The picture of a world with synt and without agents. */
export function syntPictureOf({ scenario, observed }: Pictured): SyntPicture {
  const { result, story, variant } = observed;
  return pictureOfSynt(story.synt, {
    title: variant === null ? scenario.name : `${scenario.name}: ${variant}`,
    startsAt: scenario.startsAt,
    endMs: result.virtualMs,
    dayCents: result.policy.synt.budget.dayCents,
    outside: merged(story.moments),
  });
}

/** The picture of a run: goals and load of each agent, ghosts, and the moments that mattered. */
export function pictureOf({ scenario, observed }: Pictured): RunPicture {
  const { result, story, meter, variant } = observed;
  return {
    title: variant === null ? scenario.name : `${scenario.name}: ${variant}`,
    startsAt: scenario.startsAt,
    endMs: result.virtualMs,
    agents: scenario.agents.map((name) => ({
      name,
      goals: story.goals
        .filter(({ agent }) => agent === name)
        .map(({ startMs, endMs, status, n }) => ({
          startMs,
          endMs: endMs ?? result.virtualMs,
          status,
          label: `goal ${n}`,
        })),
      load: meter.series("load", name).map(({ atMs, value: load }) => ({ atMs, load })),
    })),
    intervals: story.ghosts.map(({ name, fromMs, toMs }) => ({
      label: `ghost ${name}`,
      fromMs,
      toMs: toMs ?? result.virtualMs,
    })),
    marks: merged(story.moments.filter(({ kind }) => kind !== "ghost")),
  };
}
