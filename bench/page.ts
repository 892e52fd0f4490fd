/** The result as Markdown, ready for the README. */
import { markdownTable } from "markdown-table";
import { clock } from "../src/edges/duration.ts";
import type { Times } from "./incident.ts";
import type { Cost } from "./lengths.ts";
import type { Cell, Result } from "./result.ts";
import type { Against } from "./sides.ts";

/** An envelope of a run ten times as long, at most. */
const TIMES_WANTED = 1.3;

export function pageOf(result: Result): string {
  const { cpu, cores, node, platform } = result.machine;
  return [
    `${cpu}, ${cores} cores, ${platform}, Node ${node}. Medians of ${counted(result.rounds, "round")}`,
    `(the incident: ${result.incident.rounds}) in one run; every variant did the same, event for event.`,
    "Ghostlight's envelopes carry a cause, bounds and a SHA-256 chain; a heap loop and XState's actors do not.",
    "",
    speedTable(result),
    "",
    ratioTable(result),
    "",
    goalTable(result),
    ...(result.reached.some(({ sizes }) => sizes.some(({ median }) => Number.isNaN(median)))
      ? ["", "There is no SimPy here, with which to compare: Debian's python3-simpy has it."]
      : []),
    "",
    incidentTable(result),
    "",
    lengthText(result),
    ...(result.against === null ? [] : ["", ...againstText(result.against)]),
  ].join("\n");
}

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

const speedTable = (result: Result): string =>
  sizedTable(result, [
    ["envelopes/s", ({ envelopesPerSecond }) => rough(envelopesPerSecond)],
    ["bytes/actor", ({ bytesPerActor }) => rough(bytesPerActor)],
  ]);

const ratioTable = (result: Result): string =>
  sizedTable(result, [
    ["time ÷ heap loop's", ({ timesHeapLoop }) => rough(timesHeapLoop)],
    ["speed ÷ XState's on `SimulatedClock`", ({ timesXstate }) => rough(timesXstate)],
  ]);

/** Median, least and most of the rounds, and what is wanted. */
function goalTable({ plan, reached }: Result): string {
  const body = reached.map(({ title, sizes }) => [
    title,
    ...sizes.map(({ median, least, most, goal, isReached }) =>
      Number.isNaN(median)
        ? "–"
        : spread({ median, least, most }) +
          (goal === null ? "" : `, goal ${goal}${isReached ? "" : ": missed"}`),
    ),
  ]);
  return aligned(["", ...plan.sizes.map((actors) => `${grouped(actors)} actors`)], body);
}

/** A row for each variant; for each column a cell at each size. */
function sizedTable(
  { plan, rows }: Result,
  columns: readonly (readonly [title: string, text: (cell: Cell) => string])[],
): string {
  const heads = columns.flatMap(([title]) =>
    plan.sizes.map((actors, index) =>
      index === 0 ? `${title}, ${grouped(actors)} actors` : grouped(actors),
    ),
  );
  const body = rows.map(({ title, sizes }) => [
    title,
    ...columns.flatMap(([, text]) => sizes.map(text)),
  ]);
  return aligned(["", ...heads], body);
}

function incidentTable({ incident }: Result): string {
  const { scenario, virtualMs, envelopes, ghost, ms, timesBare } = incident;
  const row = (what: string, kind: keyof Times, virtual = virtualMs) => [
    what,
    clock(virtual),
    `${grouped(Number(ms[kind].toPrecision(2)))} ms`,
    rough(virtual / ms[kind]),
    rough(timesBare[kind]),
  ];
  const body = [
    row("run, bare", "bare"),
    row(
      `… the ghost's time in it (${grouped(ghost.envelopes)})`,
      "ghost",
      ghost.toMs - ghost.fromMs,
    ),
    row("run, with digests", "recorded"),
    row("run, log and inputs in memory", "memory"),
    row("run, log and inputs on disk", "disk"),
    row("replay from the inputs", "replay"),
  ];
  const head = `\`${scenario}\` (${grouped(envelopes)} envelopes)`;
  return aligned([head, "virtual", "processor", "virtual ÷ processor", "÷ bare run"], body);
}

/** The mean over the whole run, and its end, where what grows shows most. */
function lengthText({ length: { scenario, short, long, stretches, times } }: Result): string {
  const hours = (one: Cost): string => `${rough(one.untilMs / 3_600_000)} h`;
  return [
    `\`${scenario}\`, bare: an envelope costs ${rough(short.each)} µs in ${hours(short)} and ${rough(long.each)} µs in`,
    `${hours(long)} (${grouped(long.envelopes)} envelopes; ${rough(stretches.at(-1)?.each ?? Number.NaN)} µs at its end),`,
    `${spread(times)} times as much, goal ${TIMES_WANTED}${times.median <= TIMES_WANTED ? "" : ": missed"}.`,
  ].join(" ");
}

function againstText({ name, hasLevels, subjects }: Against): readonly string[] {
  const unlike = subjects.filter(({ isAlike }) => !isAlike).map(({ title }) => title);
  const body = subjects.map(({ title, envelopes, hereMs, thereMs, goal, isReached, ...times }) => [
    title,
    grouped(envelopes),
    ...[hereMs, thereMs].map((ms) => `${grouped(Number(ms.toPrecision(2)))} ms`),
    `${spread(times)}, goal ${goal}${isReached ? "" : ": missed"}`,
  ]);
  const barely = hasLevels
    ? "bare in both"
    : "bare here; there with digests and nothing kept, since it has no bare runs";
  return [
    `Against ${name} (\`--against DIR\`), each in processes of its own, in turns. "Bare" is ${barely}.`,
    ...(unlike.length === 0
      ? ["Both did the same, delivery for delivery."]
      : [`The two did not do the same, so the ratio says less: ${unlike.join(", ")}.`]),
    "",
    aligned(["", "envelopes", "here", "there", "there ÷ here"], body),
  ];
}

interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

const spread = ({ median, least, most }: Spread): string =>
  `${rough(median)} (${rough(least)}–${rough(most)})`;

const aligned = (head: readonly string[], body: readonly (readonly string[])[]): string =>
  markdownTable([head, ...body], { align: ["l", ...head.slice(1).map(() => "r")] });

/** Two digits; more would claim more than such a measurement can. */
function rough(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value >= 1_000_000) return `${rough(value / 1_000_000)} M`;
  if (value >= 10_000) return `${rough(value / 1_000)} k`;
  return grouped(Number(value.toPrecision(2)));
}

/** Thousands by commas in a whole number; others are below a thousand and stay. */
const grouped = (value: number): string => String(value).replace(/(?<=^\d+)(?=(\d{3})+$)/g, ",");
