/** What a million runs cost, and the page that says so: all of it follows from measured figures. */
import { markdownTable } from "markdown-table";

/** A way of playing runs, in the median of the rounds. */
export interface Way {
  readonly name: string;
  readonly runsPerSecond: number;
  /** Runs a second, with those of the in-process loop of the same round as 1. */
  readonly timesLoop: number;
  /** Of the processor, in all threads and processes that play; null where it is not known. */
  readonly msPerRun: number | null;
}

export interface StudyFigures {
  readonly scenario: string;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string };
  /** Processes that wanted a processor, in the mean of the minute before and the minute after. */
  readonly load: readonly [before: number, after: number];
  readonly rounds: number;
  readonly runsPerRound: number;
  readonly ways: readonly Way[];
  /** Runs a second that a study puts into the queue and gathers, where playing takes no time; null without a server. */
  readonly queueAlone: number | null;
  /** The grid of 12 points × 100 seeds with two threads, begun to end; null where it was not asked for. */
  readonly grid: {
    readonly runs: number;
    readonly seconds: number;
    readonly processorSeconds: number;
  } | null;
}

export const RUNS = 1_000_000;
/** Ours: cores of a machine that is rented. */
export const MACHINE_CORES = 8;
/** An example: a core-hour, in US dollars. */
export const PRICE = 0.05;
const MACHINES = [1, 4, 16, 64];

export interface Cost {
  readonly machines: number;
  readonly hours: number;
  readonly coreHours: number;
  readonly dollars: number;
  /** The study's own process, not its workers, sets the pace. */
  readonly isBound: boolean;
}

/** Of so many machines with `MACHINE_CORES` workers each. */
export function costOf(
  { msPerRun, queueAlone }: { readonly msPerRun: number; readonly queueAlone: number },
  machines: number,
): Cost {
  const wanted = (machines * MACHINE_CORES * 1_000) / msPerRun;
  const hours = RUNS / Math.min(wanted, queueAlone) / 3_600;
  const coreHours = hours * machines * MACHINE_CORES;
  return { machines, hours, coreHours, dollars: coreHours * PRICE, isBound: wanted > queueAlone };
}

const significant = (value: number): string => String(Number(value.toPrecision(3)));

export function costsPage(figures: StudyFigures): string {
  const { machine, load, rounds, runsPerRound, ways, scenario } = figures;
  return [
    "# What studies cost",
    "",
    "<!-- Made by `npm run bench:studies -- --grid --page docs/studies-costs.md`. -->",
    "",
    `${scenario}, whole, at the bare level, on ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}. Medians of`,
    `${rounds} ${rounds === 1 ? "round" : "rounds"} of ${runsPerRound} runs each, begun threads and processes not counted. While it was measured,`,
    `${load.map((one) => one.toFixed(1)).join(" to ")} processes wanted a processor: on a busy machine fewer runs are played in a second, and each takes more of the processor.`,
    "",
    waysTable(ways),
    "",
    ...gridLines(figures),
    ...costLines(figures),
    "The figures, as `--json` prints them:",
    "",
    "```json",
    JSON.stringify(figures, null, 2),
    "```",
    "",
  ].join("\n");
}

const waysTable = (ways: readonly Way[]): string =>
  markdownTable(
    [
      ["played by", "runs/s", "times the loop", "processor ms a run"],
      ...ways.map(({ name, runsPerSecond, timesLoop, msPerRun }) => [
        ...[name, significant(runsPerSecond), significant(timesLoop)],
        msPerRun === null ? "" : significant(msPerRun),
      ]),
    ],
    { align: ["l", "r", "r", "r"] },
  );

const gridLines = ({ grid }: StudyFigures): readonly string[] =>
  grid === null
    ? []
    : [
        `A grid of 12 points × 100 seeds, ${grid.runs} runs, took ${significant(grid.seconds)} s with two threads, from the first moment to the last,`,
        `and ${significant(grid.processorSeconds)} s of the processor.`,
        "",
      ];

/** Of workers by a queue, since no other way has machines. */
function costLines({ ways, queueAlone }: StudyFigures): readonly string[] {
  const msPerRun = ways.findLast(({ name }) => name.startsWith("queue"))?.msPerRun ?? null;
  if (msPerRun === null || queueAlone === null) return [];
  const costs = MACHINES.map((machines) => costOf({ msPerRun, queueAlone }, machines));
  const rows = costs.map(({ machines, hours, coreHours, dollars, isBound }) => [
    ...[String(machines), `${significant(hours)}${isBound ? " *" : ""}`],
    ...[significant(coreHours), significant(dollars)],
  ]);
  return [
    `## A million runs`,
    "",
    `Hours = ${RUNS} runs × ${significant(msPerRun)} ms ÷ (machines × ${MACHINE_CORES} cores); the money is core-hours × ${PRICE} dollars, an example of a price. A study`,
    `puts in and gathers ${significant(queueAlone)} runs/s on this machine, database included: where more machines want more than that (*), that is the pace.`,
    "",
    markdownTable([["machines", "hours", "core-hours", "dollars"], ...rows], {
      align: ["r", "r", "r", "r"],
    }),
    "",
  ];
}
