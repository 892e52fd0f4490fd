/** What a trial found, in sentences. */
import { countOf } from "../../../../contract/countOf.ts";
import { ownValue } from "../../../../machines/ownValue.ts";
import { MILLION } from "../../../../machines/units.ts";
import type { Setting } from "../../../../studies/study.ts";
import type { SweepRun, SweptPoint } from "../../../../studies/sweepSummary.ts";
import { TASKS_LEAST } from "../../../../studies/taskEstimates.ts";
import { sparedText } from "../wire/recordedTools.ts";
import { moneyFor, type Tokens } from "./budget.ts";
import { AGENT, FAULT, NONE, type Trial } from "./trialFile.ts";
import type { TrialToolCounts } from "./trialRuns.ts";

/** What a fault at a tool looks like, behind the name of the tool. */
const CAME: { readonly [fault: string]: string } = {
  nothing: "returned nothing",
  empty: "returned an empty text",
  stale: "returned its last result again",
  truncated: "returned the first half",
  "wrong-type": "returned a number",
  "told-as-success": "said ok in place of its result",
  "told-as-error": "was told to have failed",
};

function under(trial: Trial, { [FAULT]: name }: Setting): string {
  const fault = trial.faults[String(name)] ?? null;
  if (fault === null) return "without a fault";
  const came = ownValue(CAME, fault.name);
  if (came === undefined) return `that met ${name}`;
  const rate = fault.rate === MILLION ? "" : ` at a rate of ${fault.rate / MILLION}`;
  return `in which ${fault.where ?? "a tool"} ${came}${rate}`;
}

const percent = (share: number): string => (100 * share).toFixed(0);

/** `31 (62 %, 48 … 74)`; with many tasks the share is the mean of theirs, as its interval is. */
function hitsText(
  point: SweptPoint,
  runs: readonly SweepRun[],
  name: string,
  tasks: number,
): string {
  const values = valuesAt(point, runs, name);
  const hits = values.filter((value) => value === 1).length;
  const { estimate = 0, low = null, high = null } = point.outcomes[name]?.mean ?? {};
  const between = low === null || high === null ? "" : `, ${percent(low)} … ${percent(high)}`;
  return `${hits} (${percent(estimate)} %${tasks < TASKS_LEAST ? "" : " over tasks"}${between})`;
}

const valuesAt = (
  { index }: SweptPoint,
  runs: readonly SweepRun[],
  name: string,
): readonly number[] =>
  runs.flatMap((run) => (run.point === index ? (run.values[name] ?? []) : []));

/**
 * A sentence for each fault and outcome: of so many runs that met it, in how many. The first agent is `the agent`; of the others,
 * where their runs are as many, the number alone is told.
 */
export function trialSentences(
  trial: Trial,
  points: readonly SweptPoint[],
  runs: readonly SweepRun[],
): readonly string[] {
  const agents = Object.keys(trial.agents);
  return Object.keys(trial.faults).flatMap((fault) =>
    trial.study.outcomes.map(({ name, ...outcome }) => {
      const how = outcome.kind === "read" ? outcome.how : name;
      const at = (agent: string) =>
        points.find(({ values }) => values[AGENT] === agent && values[FAULT] === fault);
      const told = agents.flatMap((agent, place) => {
        const point = at(agent);
        if (point === undefined) return [];
        const n = valuesAt(point, runs, name).length;
        if (n === 0)
          return [
            place === 0
              ? `No run ${under(trial, point.values)} gave a value: ${how}`
              : `${agent}, none gave a value`,
          ];
        const hits = hitsText(point, runs, name, trial.tasks.length);
        if (place === 0)
          return [`Of ${countOf(n, "run")} ${under(trial, point.values)}, ${how} in ${hits}`];
        const of =
          n === valuesAt(at(agents[0] ?? "") ?? point, runs, name).length ? "" : ` of ${n}`;
        return [`${agent}, in ${hits.replace(" (", `${of} (`)}`];
      });
      return `${told.join("; ")}.`;
    }),
  );
}

/** Said before all else of a trial whose tools are answered by recordings. */
export const unknownSentences = (
  { recordings }: Trial,
  { unknown }: TrialToolCounts,
  runs: number,
): readonly string[] =>
  recordings.length === 0
    ? []
    : [
        `In ${unknown} of ${countOf(runs, "run")} (${percent(runs === 0 ? 0 : unknown / runs)} %) a tool was asked what none of the ${countOf(recordings.length, "recording")} has: what they come to is unknown, and they count for nothing below.`,
      ];

/** What is honest to say of how it was found. */
export function trialNotes(
  trial: Trial,
  runs: readonly SweepRun[],
  { spared }: TrialToolCounts,
): readonly string[] {
  const { tasks, isPaired } = trial;
  const unread = runs.filter(({ faults }) => faults.length > 0).length;
  return [
    ...(Object.keys(spared).length === 0 ? [] : [`The recordings spared ${sparedText(spared)}.`]),
    tasks.length < TASKS_LEAST
      ? `With ${countOf(tasks.length, "task")} the intervals speak of these tasks alone.`
      : `The intervals are over ${tasks.length} tasks: they speak of tasks like these.`,
    isPaired
      ? "A seed fixes what the model says, so runs of one seed are compared in pairs."
      : "A live model draws its own luck: runs have their task and the seed of their faults in common, and are not compared in pairs.",
    ...(Object.keys(trial.faults).some((one) => one !== NONE)
      ? ["Of a fault those runs count in which a call met it."]
      : []),
    ...(unread === 0 ? [] : [`${countOf(unread, "run")} gave no value of some outcome.`]),
  ];
}

export function spentText(tokens: Tokens, trial: Trial): string {
  const money = moneyFor(tokens, trial.budget);
  const cost = money === undefined ? "" : `, ${money.toFixed(2)} by its price`;
  return `${tokens.input + tokens.output} tokens (${tokens.input} asked, ${tokens.output} answered)${cost}`;
}
