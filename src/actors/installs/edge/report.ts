/** What a report says of installs: revisions, approvals, judgements, refusals, and what installed agents were kept from. */
import { markdownTable } from "markdown-table";
import { countOf } from "../../../contract/countOf.ts";
import type { Columns } from "../../../contract/edge/edgePart.ts";
import type { Figures } from "../../../contract/figures.ts";
import { shortClock } from "../../../edges/report/moments.ts";
import { tableCell } from "../../../edges/report/tableCell.ts";
import { groupedBy } from "../../../machines/grouped.ts";
import { reasonsText } from "../../../machines/installs/fault.ts";
import type { InstallsFigures } from "../figures.ts";
import type { Stretch } from "../installLives.ts";
import type { Beyond, InstallsStory } from "../story.ts";

/** Characters and rows; what is cut is in `events`. */
const most = { name: 60, about: 200, rows: 60 };

/** What happened, in sentences. */
export const installsSummary = (story: InstallsStory, figures: InstallsFigures): string =>
  [
    installSentence(figures),
    approvalSentence(figures),
    gateSentence(figures),
    livesSentence(story, figures),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");

function installSentence(of: InstallsFigures): string {
  const { wanted, created, activated, active, rolledBack, refused, held } = of;
  const facts = [
    `${countOf(created, "revision")} created`,
    `${activated} activated`,
    `${active} active at the end`,
    ...(rolledBack === 0 ? [] : [`${rolledBack} rolled back`]),
    ...(refused === 0 ? [] : [`${countOf(refused, "call")} refused`]),
    ...(held === 0 ? [] : [`${countOf(held, "step")} that a model wanted and a rule forbids`]),
  ];
  const are = wanted === 1 ? "was" : "were";
  return `${countOf(wanted, "install")} ${are} wanted; ${facts.join(", ")}.`;
}

function approvalSentence({ asked, approved, rejected, expired }: InstallsFigures): string {
  return asked === 0
    ? ""
    : `A person was asked for ${countOf(asked, "approval")}: ${approved} given, ${rejected} refused, ${expired} not decided in time.`;
}

function gateSentence({ passed, failed, gatesRefused }: InstallsFigures): string {
  if (passed + failed + gatesRefused === 0) return "";
  const shut = gatesRefused === 0 ? "" : `; ${countOf(gatesRefused, "promotion")} at a shut gate`;
  return `Judges recorded ${countOf(passed + failed, "verdict")}, ${passed} of them a pass${shut}.`;
}

function livesSentence({ lives }: InstallsStory, of: InstallsFigures): string {
  const { living, spawned, reachRefused, breached } = of;
  if (lives.length === 0) return "";
  const facts = [
    `${living} living at the end`,
    ...(spawned === 0 ? [] : [`${countOf(spawned, "agent")} spawned by them`]),
    ...(reachRefused === 0 ? [] : [`${countOf(reachRefused, "call")} beyond their reach refused`]),
    ...(breached === 0 ? [] : [`${countOf(breached, "write")} beyond it seen afterwards`]),
  ];
  return `Installed agents: ${countOf(lives.length, "birth")}, ${facts.join(", ")}.`;
}

/** A table for each thing that there is. */
export const installTables = (story: InstallsStory): string[] => [
  ...table(
    "Revisions",
    ["Revision", "Agent", "Artifact", "States"],
    story.revisions.map(({ id, agent, artifact, phases }) => [
      ...[id, agent, artifact ?? "none", statesText(phases)],
    ]),
  ),
  ...table(
    "Approvals",
    ["Approval", "Agent", "Because of", "States"],
    story.approvals.map(({ id, agent, factors, phases }) => [
      ...[id, agent, factors.join(", "), statesText(phases)],
    ]),
  ),
  ...table(
    "Promotion records",
    ["When", "Artifact", "Judge", "Verdict", "Findings"],
    story.judgements.map(({ atMs, artifact, role, by, pass, findings }) => [
      ...[shortClock(atMs), artifact, by === `${role}.default` ? by : `${by} as ${role}`],
      ...[pass ? "passes" : "fails", findings.join("; ")],
    ]),
  ),
  ...table(
    "Refused by the gateway",
    ["When", "Tool", "By", "Agent", "Why"],
    story.refusals.map(({ atMs, tool, by, agent, reasons }) => [
      ...[shortClock(atMs), tool, by, agent ?? "", reasonsText(reasons)],
    ]),
  ),
  ...table(
    "Kept from by a rule",
    ["When", "Who", "Its model wanted", "It did instead", "Why"],
    story.held.map(({ atMs, by, wanted, does, why }) => [
      ...[shortClock(atMs), by, wanted, does, why],
    ]),
  ),
  ...table(
    "Found by the gateway when it began",
    ["When", "What", "What it did", "Why"],
    story.found.map(({ atMs, what, did, why }) => [shortClock(atMs), what, did, why]),
  ),
  ...table(
    "Beyond the reach of installed agents",
    ["Agent", "Call", "Missing", "Times", "Kept from it", "First", "Why"],
    [...groupedBy(story.beyond, beyondKey).values()].map(beyondRow),
  ),
];

const beyondKey = ({ agent, call, missing, isBreach }: Beyond): string =>
  [agent, call, missing, isBreach].join("\n");

function beyondRow(those: readonly Beyond[]): string[] {
  const [first] = those;
  if (first === undefined) return [];
  const { agent, call, missing, isBreach, atMs, why } = first;
  return [
    ...[agent, call, missing, String(those.length), isBreach ? "no: seen afterwards" : "yes"],
    ...[shortClock(atMs), why],
  ];
}

function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - most.rows;
  const tail = more > 0 ? `\n\n${more} more rows; \`events\` shows all.` : "";
  const cells = rows
    .slice(0, most.rows)
    .map((row) => row.map((text, index) => tableCell(text, index < 2 ? most.name : most.about)));
  return [`## ${title}\n\n${markdownTable([[...head], ...cells])}${tail}`];
}

/** `draft 0:00:12 → gated 0:00:12 → active 0:01:03`. */
export const statesText = (phases: readonly Stretch<string>[]): string =>
  phases.map(({ phase, atMs }) => `${phase.replace("_", " ")} ${shortClock(atMs)}`).join(" → ");

type Column = readonly [name: string, of: keyof InstallsFigures];

const COLUMNS: readonly Column[] = [
  ["Revisions created", "created"],
  ["Activated", "activated"],
  ["Active at the end", "active"],
  ["Rolled back", "rolledBack"],
  ["Refused calls", "refused"],
  ["Steps held", "held"],
  ["Approvals asked", "asked"],
  ["Approved", "approved"],
  ["Rejected", "rejected"],
  ["Not decided", "expired"],
  ["Records that pass", "passed"],
  ["Records that fail", "failed"],
  ["Promotions at a shut gate", "gatesRefused"],
  ["Installed agents at the end", "living"],
  ["Spawned", "spawned"],
  ["Calls beyond reach", "reachRefused"],
  ["Writes beyond reach", "breached"],
];

/** The columns in which variants are compared: what is 0 in all is omitted. */
export function installsColumns(worlds: readonly Figures[]): Columns {
  const columns = COLUMNS.filter(([, of]) =>
    worlds.some(({ installs }) => installs && installs[of] !== 0),
  );
  return {
    head: columns.map(([name]) => name),
    cells: ({ installs }) =>
      columns.map(([, of]) => (installs === undefined ? "" : String(installs[of]))),
  };
}
