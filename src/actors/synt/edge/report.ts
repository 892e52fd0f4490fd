/** What a report says of a pool that grows: in the words of requests, turns, money and executors. */

import { markdownTable } from "markdown-table";
import type { Columns } from "../../../contract/edge/edgePart.ts";
import type { Figures } from "../../../contract/figures.ts";
import type { Policy } from "../../../contract/policyTree.ts";
import { shortSpan } from "../../../edges/duration.ts";
import { shortClock } from "../../../edges/report/moments.ts";
import { clean } from "../../../edges/report/pictureLayout.ts";
import { tableCell } from "../../../edges/report/tableCell.ts";
import { groupedBy } from "../../../machines/grouped.ts";
import { ownValue } from "../../../machines/ownValue.ts";
import type { ProposalState } from "../../../machines/synt/contract.ts";
import type { SyntFigures } from "../figures.ts";
import { GRANTED } from "../fruitless.ts";
import { endName, isSameRefusal, type RequestStory, type TurnStory } from "../requestStory.ts";
import type { SyntStory } from "../story.ts";

/** Characters and rows; what is cut is in `requests`' audit and in `why`. */
const most = { wanted: 48, why: 140, rows: 100, moments: 60 };

/** Cents with as many digits as money has; nothing is 0. */
export const centsText = (cents: number): string =>
  cents === 0 ? "0 ct" : `${cents.toFixed(2)} ct`;
const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count === 0 ? "no" : count} ${count === 1 ? one : many}`;
/** The end of a reason says most: what was tried before comes first in it. */
function reasonCell(rationale: string): string {
  const line = tableCell(rationale, 2000);
  const characters = [...line];
  if (characters.length <= most.why) return line;
  const end = characters.slice(1 - most.why).join("");
  return `…${end.replace(/^\S{0,20} /, "")}`;
}

/** `2 born, 31 rejected; 30 of them were refused at once`, in the order of how good it is. */
export function endsText({ requests }: SyntStory): string {
  const refused = requests.filter(({ isRefused }) => isRefused).length;
  const ends = ENDS.map((state) => {
    const those = requests.filter((one) => one.states.at(-1)?.state === state);
    return { state, count: those.length };
  });
  const known = ends
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${endName(state)}`)
    .join(", ");
  const were = refused === 1 ? "1 of them was" : `${refused} of them were`;
  return refused === 0 ? known : `${known}; ${were} refused at once`;
}

const ENDS: readonly ProposalState[] = [
  ...GRANTED,
  "suspended",
  "rejected",
  "abandoned",
  "proposed",
  "composing",
  "composed",
  "generating",
];

/** What happened, in sentences. */
export function syntSummary(story: SyntStory, figures: SyntFigures, { synt }: Policy): string {
  const { requests, turns, nights, questions } = story;
  const { turnsDone, turnsDeclined, cents, visible, loaded } = figures;
  const open = turns.length - turnsDone - turnsDeclined;
  const ended = [
    ...(turnsDone > 0 ? [`${turnsDone} done`] : []),
    ...(turnsDeclined > 0 ? [`${turnsDeclined} declined`] : []),
    ...(open > 0 ? [`${open} open`] : []),
  ].join(", ");
  const asked = requests.length === 0 ? "" : `: ${endsText(story)}`;
  return [
    `${countText(turns.length, "turn")} of the user${ended && `: ${ended}`}; ${countText(nights.length, "night")}.`,
    `${capital(countText(requests.length, "request"))} to synt${asked}.`,
    moneyText(story, cents, synt.budget.dayCents),
    questionsText(questions),
    dueText(requests, synt.calibration.after),
    `At the end planners see ${countText(visible, "executor")} and ${loaded} can be called.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The weights of R are looked at again after `after` syntheses; see syntCalibration.ts. */
function dueText(requests: readonly RequestStory[], after: number): string {
  const ended = requests.filter(({ reward, endMs }) => reward !== null && endMs !== null).length;
  return ended < after
    ? ""
    : `After ${ended} syntheses the weights of R are due for a look: \`synt audit\` says what they tell.`;
}

function moneyText(story: SyntStory, cents: number, dayCents: number): string {
  const { money, runningCents, exceededCents } = story;
  const highest = Math.max(0, ...money.map((sample) => sample.cents));
  if (highest === 0) return "No money was spent.";
  const peak = `at most ${centsText(highest)} of a day's ${dayCents} ct were spent or set aside`;
  const runs = runningCents > 0 ? `, and ${centsText(runningCents)} for runs of executors` : "";
  const above =
    exceededCents > 0
      ? ` A finding: calls cost ${centsText(exceededCents)} more than was set aside for them.`
      : "";
  return `${centsText(cents)} were spent${runs}; ${peak}.${above}`;
}

function questionsText(questions: SyntStory["questions"]): string {
  if (questions.length === 0) return "The person was asked nothing.";
  const times = new Set(questions.map(({ asking }) => asking)).size;
  const decisions = groupedBy(questions, ({ decision }) => decision ?? "unanswered");
  const parts = [...decisions].map(
    ([decision, those]) => `${those.length} ${ownValue(DECIDED, decision) ?? decision}`,
  );
  return `The person was asked ${times === 1 ? "once" : `${times} times`}: ${parts.join(", ")}.`;
}

const DECIDED: { readonly [decision: string]: string } = {
  approve: "approved",
  amend: "amended",
  discard: "discarded",
};

/** What happened when; beyond the first rows it says how many more there were. */
export function syntTimeline(
  { moments }: SyntStory,
  others: readonly { readonly atMs: number; readonly label: string }[],
): string {
  if (moments.length + others.length === 0) return "";
  const all = [...moments, ...others].toSorted((a, b) => a.atMs - b.atMs);
  const rows = all
    .slice(0, most.moments)
    .map(({ atMs, label }) => [shortClock(atMs), tableCell(label, 100)]);
  const more = all.length - most.moments;
  const table = markdownTable([["Time", "Event"], ...rows]);
  const tail = more > 0 ? `\n\n${more} more moments; \`events\` shows all.` : "";
  return `## What happened when\n\n${table}${tail}`;
}

/** Every request with its states, R, cost and reason; refusals by the same lock share a row. */
export function requestsTable({ requests }: SyntStory, endMs: number): string {
  if (requests.length === 0) return "";
  const groups = grouped(requests);
  const rows = groups.slice(0, most.rows).map((those) => requestRow(those, endMs));
  const head = ["Request", "Asked by", "Wanted", "Strategy", "States", "R", "Cost", "Took", "Why"];
  const more = groups.length - most.rows;
  const tail = more > 0 ? `\n\n${more} more rows; the audit has all.` : "";
  return `## Requests\n\n${markdownTable([head, ...rows])}${tail}`;
}

/** Refusals by the same lock, night after night, are one. */
export function grouped(requests: readonly RequestStory[]): RequestStory[][] {
  const groups: RequestStory[][] = [];
  for (const request of requests) {
    const last = groups.at(-1)?.[0];
    const isSame = last !== undefined && isSameRefusal(last, request);
    if (isSame) groups.at(-1)?.push(request);
    else groups.push([request]);
  }
  return groups;
}

function requestRow(those: readonly RequestStory[], endMs: number): string[] {
  const [first, last] = [those[0], those.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { request, asker, intent, strategy, states, rationale } = first;
  const beganMs = states[0]?.atMs ?? 0;
  const took = (first.endMs ?? endMs) - beganMs;
  return [
    those.length === 1 ? request : `${request} to ${last.request}`,
    tableCell(asker, most.wanted),
    tableCell(intent, most.wanted),
    strategy ?? "",
    states.map(({ state }) => state).join(" → ") + (first.isRefused ? ", at once" : ""),
    scoresText(first),
    costText(first),
    first.endMs === null ? `${shortSpan(took)}, still open` : shortSpan(took),
    reasonCell(rationale),
  ];
}

/** R of every proposal in turn, rounded down; what is below the threshold is marked. */
const scoresText = ({ weighed }: RequestStory): string =>
  weighed
    .map(({ reward, passes }) => {
      const shown = (Math.floor(reward * 1000 + LAST_BIT) / 1000).toFixed(3);
      return passes ? shown : `${shown} ✗`;
    })
    .join(", ");

/** Decimals are shares rounded down to 12 digits; times 1000 they may lose one more. */
const LAST_BIT = 1e-9;

export const costText = ({ cap, spent }: RequestStory): string =>
  cap === null || spent === 0 ? centsText(spent) : `${spent.toFixed(2)} of ${cap} ct`;

/** The state it is in at the end, and of one that made something its name. */
export function stateText({ states, isRefused, made }: RequestStory): string {
  const state = endName(states.at(-1)?.state ?? "composing");
  return `${state}${isRefused ? " at once" : ""}${made === null ? "" : `: ${made}`}`;
}

/** What the user asked and got; the same with the same end is counted. */
export function turnsTable({ turns }: SyntStory): string {
  if (turns.length === 0) return "";
  const groups = [...groupedBy(turns, turnKey).values()];
  const rows = groups.slice(0, most.rows).map(turnRow);
  const more = groups.length - most.rows;
  const tail = more > 0 ? `\n\n${more} more rows.` : "";
  return `## Turns\n\n${markdownTable([["At", "The user said", "Ended", "Took"], ...rows])}${tail}`;
}

const turnKey = ({ says, ok, isReplayed, unasked, endMs, told }: TurnStory): string =>
  JSON.stringify([says, ok, isReplayed, unasked === null, endMs === null, ok ? told : ""]);

const replayedText = ({ isReplayed, unasked }: TurnStory): string =>
  unasked !== null ? " (replayed, nobody asked)" : isReplayed ? " (replayed)" : "";

function turnRow(those: readonly TurnStory[]): string[] {
  const [first] = those;
  if (first === undefined) return [];
  const { atMs, says, ok, endMs, told } = first;
  const times = those.length === 1 ? "" : ` (${those.length} times)`;
  const end = endMs === null ? "still open" : ok ? clean(told, 100) : "declined";
  return [
    shortClock(atMs),
    `${tableCell(says, most.wanted)}${times}`,
    tableCell(`${end}${replayedText(first)}`, 120),
    tookText(those),
  ];
}

function tookText(turns: readonly TurnStory[]): string {
  const took = turns.flatMap(({ atMs, endMs }) => (endMs === null ? [] : [endMs - atMs]));
  if (took.length === 0) return "";
  const [least, longest] = [shortSpan(Math.min(...took)), shortSpan(Math.max(...took))];
  return least === longest ? least : `${least} to ${longest}`;
}

export function executorsTable({ executors }: SyntStory): string {
  if (executors.length === 0) return "";
  const rows = executors.map(({ name, origin, state, sinceMs, runs, wellRuns }) => [
    tableCell(name, 80),
    origin,
    state,
    shortClock(sinceMs),
    runs === 0 ? "" : `${wellRuns} of ${runs}`,
  ]);
  const head = ["Executor", "Made by", "State", "Since", "Runs that went well"];
  return `## Executors at the end\n\n${markdownTable([head, ...rows])}`;
}

/** The columns in which variants of a world with synt are compared: what is 0 in all is omitted. */
export function syntColumns(worlds: readonly Figures[]): Columns {
  const columns = COLUMNS.filter(([, of]) => worlds.some(({ synt }) => synt && of(synt) !== 0));
  return {
    head: columns.map(([name]) => name),
    cells: ({ synt }) =>
      columns.map(([, of, text = String]) => (synt === undefined ? "" : text(of(synt)))),
  };
}

type Column = readonly [name: string, of: (one: SyntFigures) => number, text?: typeof centsText];

const COLUMNS: readonly Column[] = [
  ["Turns done", ({ turnsDone }) => turnsDone],
  ["Turns declined", ({ turnsDeclined }) => turnsDeclined],
  ...ENDS.map((state): Column => [capital(endName(state)), ({ requests }) => requests[state] ?? 0]),
  ["Of these refused at once", ({ refused }) => refused],
  ["Below the threshold", ({ belowGate }) => belowGate],
  ["Bad ones passed", ({ falsePasses }) => falsePasses],
  ["Good ones refused", ({ falseRefusals }) => falseRefusals],
  ["Spent", ({ cents }) => cents, centsText],
  ["Questions", ({ asked }) => asked],
  ["Executors seen", ({ visible }) => visible],
];
