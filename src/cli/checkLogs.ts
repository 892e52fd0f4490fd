/** `ghostlight check BUNDLE|DIR`: findings over one log, or over a folder of thousands. */
import { dirname } from "node:path";
import { markdownTable } from "markdown-table";
import { countOf } from "../contract/countOf.ts";
import type { TraceFact } from "../contract/trace.ts";
import { bundlesBelow } from "../edges/bundle/bundleFolders.ts";
import { notReadText } from "../edges/bundle/importedBundle.ts";
import {
  onwardCommand,
  soFarText,
  type UnfinishedImport,
  unfinishedImport,
} from "../edges/bundle/importJournal.ts";
import { command } from "../edges/command.ts";
import { clock } from "../edges/duration.ts";
import { type BadInput, badInput, oneOf, quoted } from "../edges/errors.ts";
import { escapedLine } from "../edges/escapedText.ts";
import { EXIT } from "../edges/exit.ts";
import { type FolderFindings, finder } from "../edges/pool/findWork.ts";
import { findAll } from "../edges/pool/pool.ts";
import { tableCell } from "../edges/report/tableCell.ts";
import type { Tally } from "../findings/findIn.ts";
import { isTested, type Occurrence } from "../findings/finding.ts";
import { findings } from "../findings/findings.ts";
import { type OutcomeRow, outcomeRows, type PlaceRow, placeRows } from "../findings/judgedLogs.ts";
import type { Estimate } from "../studies/statistics/intervals.ts";
import type { Hits, RiskRatio } from "../studies/statistics/riskRatio.ts";
import type { PartFlag } from "./chosenParts.ts";
import { clearProgress, note, print, printJsonList } from "./output.ts";
import { interruptible } from "./signals.ts";
import { studyProgress } from "./study/studyProgress.ts";

/** What is no finding of these users: one, or one with a certain tool. */
interface Allowed {
  readonly finding: string;
  readonly tool: string | null;
}

/** `--finding` of every finding, `--allow` of what an import could not read. */
const ALL = "all";
const UNREAD = "unread";

const untested = findings.filter((one) => !isTested(one)).map(({ id }) => id);
const marked = (id: string): string => (untested.includes(id) ? `${id} (untested)` : id);

/** Options that only worlds have. */
const WORLD_FLAGS = [
  ...["runs", "seed", "property", "set", "profile", "interpreter", "cache", "out", "assert"],
  "list",
] as const;

/** What can be asked of logs. */
export interface LogCheckFlags extends PartFlag {
  readonly finding?: readonly string[];
  readonly allow?: readonly string[];
  readonly workers?: number;
  readonly json?: true;
}

export async function checkLogsCommand(folder: string, flags: LogCheckFlags): Promise<number> {
  for (const name of WORLD_FLAGS)
    if (Reflect.get(flags, name) !== undefined) throw notHere(name, folder);
  const chosen = (flags.finding ?? []).map((id) => idOf(id, "--finding", [ALL]));
  const allowed = (flags.allow ?? []).map(allowedOf);
  const folders = bundlesBelow(folder);
  const ids = findings
    .filter((one) =>
      chosen.length === 0 ? isTested(one) : chosen.includes(ALL) || chosen.includes(one.id),
    )
    .map(({ id }) => id);
  const stop = interruptible("stopping; what was read so far is told");
  const all = await read(folders, ids, flags, stop.signal).finally(stop.dispose);
  clearProgress();
  const logs = withoutAllowed({ folder, asked: folders.length, ids, all }, allowed);
  const begun = unfinishedImports(folder, folders);
  if (flags.json) printJson(logs, begun);
  else print(foundText(logs));
  for (const one of begun) {
    note(`${escapedLine(one.folder)} is an import that has no end: ${soFarText(one)}.`);
    note(`It goes on with ${onwardCommand(one)}`);
  }
  for (const { unread } of logs.all) if (unread !== undefined) note(unread.says);
  if (stop.signal.aborted && all.length < folders.length) return EXIT.interrupted;
  if (begun.length > 0) return EXIT.badInput;
  return codeOf(logs.all, {
    untested,
    mayLack: allowed.some(({ finding }) => finding === UNREAD),
  });
}

/** What logs come to where each was reached; `mayLack` allows what an import could not read. */
export function codeOf(
  all: readonly FolderFindings[],
  rules: { readonly untested: readonly string[]; readonly mayLack: boolean },
): number {
  const unread = all.flatMap((one) => (one.unread === undefined ? [] : [one.unread.exitCode]));
  if (unread.length > 0) return Math.max(...unread);
  const isWell = all.every(
    (one) =>
      one.unread === undefined &&
      one.tallies.every(({ finding }) => rules.untested.includes(finding)) &&
      (rules.mayLack || !hasUnread(one)),
  );
  return isWell ? EXIT.ok : EXIT.failed;
}

/** In threads where there is more than one log; every number of them reads the same. */
async function read(
  folders: readonly string[],
  ids: readonly string[],
  flags: LogCheckFlags,
  signal: AbortSignal,
): Promise<readonly FolderFindings[]> {
  const ofEach = flags.json ? null : 1;
  const work = { folders, findings: ids, ofEach, partFiles: flags.part };
  const tell = studyProgress("check", undefined, "logs");
  if (folders.length === 1) return [await (await finder(work))(0)];
  tell(0, folders.length);
  const onDone = (done: number): void => tell(done, folders.length);
  const threads = flags.workers === undefined ? {} : { threads: flags.workers };
  return findAll(work, { ...threads, signal, onDone });
}

/** What is left to tell, and how many places were allowed. */
export function withoutAllowed(logs: FoundLogs, allowed: readonly Allowed[]): FoundLogs {
  if (allowed.length === 0) return logs;
  const isAllowed = (one: Pick<Occurrence, "finding" | "tool">): boolean =>
    allowed.some(
      ({ finding, tool }) => finding === one.finding && (tool === null || tool === one.tool),
    );
  const dropped = logs.all.flatMap((one) =>
    one.unread === undefined ? one.tallies.filter(isAllowed) : [],
  );
  return {
    ...logs,
    allowed: dropped.reduce((sum, { count }) => sum + count, 0),
    all: logs.all.map((one) =>
      one.unread === undefined
        ? {
            ...one,
            occurrences: one.occurrences.filter((each) => !isAllowed(each)),
            tallies: one.tallies.filter((each) => !isAllowed(each)),
          }
        : one,
    ),
  };
}

/** Imports among the bundles that lack their end: what they were to leave besides is not there. */
const unfinishedImports = (folder: string, folders: readonly string[]) =>
  [...new Set([folder, ...folders, ...folders.map((one) => dirname(one))])].flatMap(
    (one) => unfinishedImport(one) ?? [],
  );

function printJson(
  { folder, asked, ids, all, allowed = 0 }: FoundLogs,
  begun: readonly UnfinishedImport[],
): void {
  const unfinished = begun.map((one) => ({
    ...{ folder: one.folder, logs: one.lines.length, command: onwardCommand(one) },
    ...{ files: one.begun.files, bytes: one.begun.bytes },
    filesRead: one.lines.at(-1)?.filesRead ?? 0,
    bytesRead: one.lines.at(-1)?.bytesRead ?? 0,
  }));
  const head = {
    ...{ checked: folder, bundles: asked, findings: ids },
    ...{ untested: untested.filter((id) => ids.includes(id)), allowed, unfinished },
  };
  printJsonList(head, "logs", all.map(jsonOf));
}

function jsonOf(one: FolderFindings): object {
  if (one.unread !== undefined) {
    const { says: message, exitCode } = one.unread;
    return { bundle: one.folder, unread: { message, exitCode } };
  }
  const { folder: bundle, deliveries, partial, facts, judged, tallies, occurrences, notRead } = one;
  const found = tallies.reduce((sum, { count }) => sum + count, 0);
  const omitted = found - occurrences.length;
  return {
    ...{ bundle, deliveries, partial, ...(notRead && { notRead }) },
    ...{ facts, judged, found, omitted, tallies, occurrences },
  };
}

const idOf = (id: string, option: string, more: readonly string[]): string =>
  oneOf(
    option,
    id,
    [...findings.map((one) => one.id), ...more],
    "docs/findings.md says what each of them is.",
  );

function allowedOf(text: string): Allowed {
  const colon = text.indexOf(":");
  const finding = idOf(colon < 0 ? text : text.slice(0, colon), "--allow", [UNREAD]);
  return { finding, tool: colon < 0 ? null : text.slice(colon + 1) };
}

const notHere = (name: string, folder: string): BadInput =>
  badInput(
    `--${name}`,
    `an option for worlds, with ${quoted(folder)}, which is a folder of logs`,
    "--finding | --allow | --workers | --part | --json",
    `Leave --${name} out, or name a scenario.`,
  );

/* What findings say on the terminal. */

interface FoundLogs {
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

/** The text of a check of logs. */
export function foundText({ folder, asked, ids, all, allowed = 0 }: FoundLogs): string {
  const read = all.filter((one): one is Read => one.unread === undefined);
  if (read.length === 0 && all.length > 0) return nothingRead(folder, all);
  const parts = [headText(folder, asked, all.length, ids, read), ...tableText(read)];
  if (allowed > 0) parts.push(`Allowed, and not counted: ${countOf(allowed, "place")}.`);
  parts.push(...placesText(read), ...unseenText(ids, read), ...judgedText(ids, read));
  return parts.join("\n\n");
}

/** Why of each is told beside it: what was not read holds no findings and lacks none. */
const nothingRead = (folder: string, { length }: readonly unknown[]): string => {
  const what = length === 1 ? "its log could not" : `none of ${length} logs could`;
  return `${escapedLine(folder)}: ${what} be read, so that nothing was looked for.`;
};

function headText(
  folder: string,
  asked: number,
  done: number,
  ids: readonly string[],
  read: readonly Read[],
): string {
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
  const count = (is: TraceFact["is"], what: string): string =>
    countOf(
      sum(({ facts }) => facts[is]),
      what,
    );
  const facts = [
    ...[count("called", "call"), count("returned", "result"), count("said", "message")],
    `${count("offered", "tool")} offered`,
  ];
  const result =
    ids.length === 0
      ? `Nothing was looked for: of ${countOf(findings.length, "finding")} none is tested on enough logs. --finding all looks for each; what is untested decides no exit code.`
      : found === 0
        ? `Nothing was found${unread > 0 || read.some(hasUnread) ? " in what was read" : ""}.`
        : `Found in ${countOf(found, "place")} of ${countOf(read.filter(({ tallies }) => tallies.length > 0).length, "log")}.`;
  return `${notReadHead(read)}${escapedLine(folder)}: ${logs.join(", ")}: ${facts.join(", ")}.\n${result}`;
}

const hasUnread = (one: FolderFindings): boolean =>
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
          ...[marked(finding), cell(tool), cell(agent), String(count), String(logs)],
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
        `  ${marked(id)}, #${seq}, ${at}:`,
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

/* Tables of findings in logs that people judged. */

const align = ["l", "r", "r", "r", "r"] as const;

/** How much more often findings occur in failed logs. */
export function outcomeTable(rows: readonly OutcomeRow[]): string {
  const [{ failed, passed }] = rows as readonly [OutcomeRow, ...OutcomeRow[]]; // Never empty.
  return [
    `In ${countOf(failed.n, "failed log")} and ${countOf(passed.n, "other")}, how often each occurs, and the ratio (95 %, Koopman):`,
    markdownTable(
      [
        ["finding", "failed", "others", "ratio", "interval"],
        ...rows.map((row) => [
          row.finding,
          hitsText(row.failed),
          hitsText(row.passed),
          ...ratioTexts(row.ratio, row.failed.hits),
        ]),
      ],
      { align },
    ),
  ].join("\n");
}

const hitsText = ({ hits, n }: Hits): string => `${hits}/${n}`;

function ratioTexts({ ratio, low, high }: RiskRatio, hits: number): readonly string[] {
  if (low === null) return ["–", "–"];
  const middle = ratio === null ? (hits > 0 ? "∞" : "–") : ratio.toFixed(2);
  return [middle, `${low.toFixed(2)} … ${high === null ? "∞" : high.toFixed(2)}`];
}

/** How often the first place of findings is the annotated step. */
export function placeTable(rows: readonly PlaceRow[]): string {
  const [{ logs }] = rows as readonly [PlaceRow, ...PlaceRow[]]; // Never empty.
  return [
    `In ${countOf(logs, "log")} with an annotated step, how often the first finding stands there (95 %, Wilson):`,
    markdownTable(
      [
        ["finding", "occurs in", "same step", "within one"],
        ...rows.map(({ finding, told, same, withinOne }) => [
          ...[finding, `${told}/${logs}`, shareText(same), shareText(withinOne)],
        ]),
      ],
      { align: ["l", "r", "r", "r"] },
    ),
  ].join("\n");
}

function shareText({ estimate, low, high }: Estimate): string {
  const percent = (share: number | null): string => `${(100 * (share ?? 0)).toFixed(1)}`;
  return `${percent(estimate)} % (${percent(low)} … ${percent(high)})`;
}
