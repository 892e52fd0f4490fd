/** What findings say on the terminal. */

import { markdownTable } from "markdown-table";
import { countOf } from "../contract/countOf.ts";
import type { TraceFact } from "../contract/trace.ts";
import { notReadText } from "../edges/bundle/importedBundle.ts";
import { command } from "../edges/command.ts";
import { clock } from "../edges/duration.ts";
import { escapedLine } from "../edges/escapedText.ts";
import type { FolderFindings } from "../edges/pool/findWork.ts";
import { tableCell } from "../edges/report/tableCell.ts";
import type { Tally } from "../findings/findIn.ts";
import { findings } from "../findings/findings.ts";
import { outcomeRows, placeRows } from "../findings/judgedLogs.ts";
import { outcomeTable, placeTable } from "./judgedText.ts";

export interface FoundLogs {
  /** As the user named it. */
  readonly folder: string;
  /** How many bundles there are. */
  readonly asked: number;
  /** The findings that were looked for. */
  readonly ids: readonly string[];
  /** Fewer than were asked for when it was interrupted. */
  readonly all: readonly FolderFindings[];
  /** Places that were found and are allowed. */
  readonly allowed?: number;
}

type Read = Extract<FolderFindings, { readonly unread?: never }>;

/** Ours: what a person reads. `--json` has all. */
const ROWS_MAX = 40;
const PLACES_MAX = 10;
const CELL_CHARS_MAX = 60;

export function foundText({ folder, asked, ids, all, allowed = 0 }: FoundLogs): string {
  const read = all.filter((one): one is Read => one.unread === undefined);
  if (read.length === 0 && all.length > 0) return nothingRead(folder, all);
  const parts = [headText(folder, asked, all.length, read), ...tableText(read)];
  if (allowed > 0) parts.push(`Allowed, and not counted: ${countOf(allowed, "place")}.`);
  parts.push(...placesText(read), ...unseenText(ids, read), ...judgedText(ids, read));
  return parts.join("\n\n");
}

/** Why of each is told beside it: what was not read holds no findings and lacks none. */
const nothingRead = (folder: string, { length }: readonly unknown[]): string => {
  const what = length === 1 ? "its log could not" : `none of ${length} logs could`;
  return `${escapedLine(folder)}: ${what} be read, so that nothing was looked for.`;
};

function headText(folder: string, asked: number, done: number, read: readonly Read[]): string {
  const sum = (of: (one: Read) => number): number =>
    read.reduce((total, one) => total + of(one), 0);
  const found = sum(({ tallies }) => tallies.reduce((total, { count }) => total + count, 0));
  const unread = done - read.length;
  const partial = read.filter((one) => one.partial).length;
  const newer = read.filter((one) => one.isNewer).length;
  const logs = [
    `${countOf(read.length, "log")} read`,
    ...(unread > 0 ? [`${unread} not readable`] : []),
    ...(partial > 0 ? [`${partial} without ${partial === 1 ? "its" : "their"} end`] : []),
    ...(newer > 0
      ? [`${newer} recorded under newer rules, which this version may tell otherwise`]
      : []),
    ...(done < asked ? [`${asked - done} not reached`] : []),
  ];
  const facts = [
    countOf(
      sum(({ facts: { called } }) => called),
      "call",
    ),
    countOf(
      sum(({ facts: { returned } }) => returned),
      "result",
    ),
    countOf(
      sum(({ facts: { said } }) => said),
      "message",
    ),
    `${countOf(
      sum(({ facts: { offered } }) => offered),
      "tool",
    )} offered`,
  ];
  const result =
    found === 0
      ? `Nothing was found${unread > 0 || read.some(hasUnread) ? " in what was read" : ""}.`
      : `Found in ${countOf(found, "place")} of ${countOf(read.filter(({ tallies }) => tallies.length > 0).length, "log")}.`;
  return `${notReadHead(read)}${escapedLine(folder)}: ${logs.join(", ")}: ${facts.join(", ")}.\n${result}`;
}

export const hasUnread = (one: FolderFindings): boolean =>
  one.unread === undefined && one.notRead !== undefined;

/** Before all else: in what an import could not read nothing was looked for. */
function notReadHead(read: readonly Read[]): string {
  const lacking = read.filter(hasUnread);
  const [first] = lacking;
  if (first?.notRead === undefined) return "";
  if (lacking.length === 1) {
    const whose = read.length === 1 ? "" : `${escapedLine(first.folder)}: `;
    return `${whose}${escapedLine(notReadText(first.notRead))}\n`;
  }
  const pieces = lacking.reduce((sum, { notRead }) => sum + (notRead?.count ?? 0), 0);
  const logs = countOf(lacking.length, "log");
  return `NOT READ: ${countOf(pieces, "piece")} of ${logs} could not be read by their import, so that nothing was looked for there. The first: ${escapedLine(first.folder)}.\n`;
}

interface Row extends Tally {
  readonly logs: number;
}

function rowsOf(read: readonly Read[]): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const { tallies } of read) {
    for (const { finding, tool, agent, count } of tallies) {
      const key = JSON.stringify([finding, tool, agent]);
      const before = rows.get(key);
      const logs = (before?.logs ?? 0) + 1;
      rows.set(key, { finding, tool, agent, count: (before?.count ?? 0) + count, logs });
    }
  }
  const order = findings.map(({ id }) => id);
  return [...rows.values()].sort(
    (a, b) => order.indexOf(a.finding) - order.indexOf(b.finding) || b.count - a.count,
  );
}

function tableText(read: readonly Read[]): readonly string[] {
  const rows = rowsOf(read);
  if (rows.length === 0) return [];
  const cell = (text: string | null): string => tableCell(text ?? "", CELL_CHARS_MAX);
  const table = markdownTable(
    [
      ["finding", "tool", "agent", "places", "logs"],
      ...rows
        .slice(0, ROWS_MAX)
        .map(({ finding, tool, agent, count, logs }) => [
          ...[finding, cell(tool), cell(agent), String(count), String(logs)],
        ]),
    ],
    { align: ["l", "l", "l", "r", "r"] },
  );
  const more = rows.length - ROWS_MAX;
  return [more > 0 ? `${table}\n… and ${countOf(more, "row")} more; --json has all.` : table];
}

/** The first place of each finding, from the log in which it comes first. */
function placesText(read: readonly Read[]): readonly string[] {
  const told = findings.flatMap(({ id }) => {
    const log = read.find(({ occurrences }) => occurrences.some((one) => one.finding === id));
    const first = log?.occurrences.find(({ finding }) => finding === id);
    if (log === undefined || first === undefined) return [];
    const { seq, step, atMs, says } = first;
    const at = step === null ? clock(atMs) : `step ${step}`;
    return [
      [
        `  ${id}, #${seq}, ${at}:`,
        `    ${escapedLine(says)}`,
        `    ${command`why ${log.folder} ${seq}`}`,
      ].join("\n"),
    ];
  });
  return told.length === 0 ? [] : [["First places:", ...told.slice(0, PLACES_MAX)].join("\n")];
}

const SAID: { readonly [is in TraceFact["is"]]: string } = {
  offered: "tools offered",
  called: "calls",
  returned: "results",
  said: "messages",
  judged: "judgements",
};

/** Findings that could not occur: no log holds what they look at. */
function unseenText(ids: readonly string[], read: readonly Read[]): readonly string[] {
  const lines = findings
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ id, looksAt }) => {
      const missing = looksAt.filter((is) => read.every(({ facts }) => facts[is] === 0));
      return missing.length === 0
        ? []
        : [`  ${id}: no ${missing.map((is) => SAID[is]).join(", no ")}`];
    });
  if (lines.length === 0 || read.length === 0) return [];
  return [["Looked for with less than it takes:", ...lines].join("\n")];
}

function judgedText(ids: readonly string[], read: readonly Read[]): readonly string[] {
  const outcomes = outcomeRows(ids, read);
  const places = placeRows(ids, read);
  return [
    ...(outcomes.length === 0 ? [] : [outcomeTable(outcomes)]),
    ...(places.length === 0 ? [] : [placeTable(places)]),
  ];
}
