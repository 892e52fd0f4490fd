/** The report of an imported log in Markdown: who spoke, which tools were called, what happened when, and why. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "markdown-table";
import { countOf } from "../../../contract/countOf.ts";
import { FILES } from "../../../edges/bundle/bundleWriter.ts";
import { notReadText } from "../../../edges/bundle/importedBundle.ts";
import { command, commandSaid } from "../../../edges/command.ts";
import { clock, shortSpan } from "../../../edges/duration.ts";
import { escapedLine, escapedText } from "../../../edges/escapedText.ts";
import { explanationSection } from "../../../edges/report/report.ts";
import { tableCell } from "../../../edges/report/tableCell.ts";
import { standsText } from "../../../findings/suspects.ts";
import type { Explanation } from "../../../run/why.ts";
import type { ToolUse } from "../story.ts";
import { countsText, logCounts } from "./logEntry.ts";
import type { WrittenLog } from "./logWriter.ts";
import { logHead, logPicture } from "./picture.ts";
import { placeText as sourceText } from "./unreadList.ts";

export interface ReportOf {
  readonly log: WrittenLog;
  /** Where its bundle lies, as the user would type it. */
  readonly folder: string;
}

/** Rows of a table, and characters of a cell. */
const most = { rows: 40, cell: 240, links: 40 } as const;

export function importedReport(of: ReportOf): string {
  const { explanation } = of.log;
  const sections = [
    head(of),
    suspects(of),
    found(of),
    speakers(of),
    tools(of),
    timeline(of),
    explanation === undefined ? "" : explanationSection(shortened(explanation)),
    transcript(of),
    links(of),
    unreadText(of),
    files(of),
    next(of),
  ];
  return escapedText(unlinked(`${sections.filter((section) => section !== "").join("\n\n")}\n`));
}

/** None of our own sections links to anywhere: what would be a link or a picture is a stranger's. */
const unlinked = (text: string): string =>
  text.replaceAll("](", "]\\(").replaceAll(/<(?=[a-z][a-z0-9+.-]*:|[^<>\s]+@)/gi, "\\<");

function head({ log }: ReportOf): string {
  const { head: of, imported, startsAt, endMs, outcome, records, story } = log;
  const { judged } = story.imported;
  const when =
    imported.clock === "steps"
      ? "The log has no times: each of its records counts one second, so 0:00:07 is its eighth."
      : `It took ${shortSpan(endMs)} from ${startsAt} on.`;
  return [
    `# ${tableCell(of.name, most.cell)}`,
    ...(imported.unread === undefined
      ? []
      : [`**${tableCell(notReadText(imported.unread), 3 * most.cell)}**`]),
    `An imported log (${of.format}) of ${countOf(records, "record")}: ` +
      `${countsText(story.imported, logCounts(log.meter, endMs))} ${when}`,
    ...(outcome === "ended"
      ? []
      : ["**The import was interrupted: the report tells what had been read by then.**"]),
    ...(judged === null ? [] : [judgedText(judged)]),
  ].join("\n\n");
}

function judgedText({
  reward,
  success,
  mistake,
}: NonNullable<WrittenLog["story"]["imported"]["judged"]>): string {
  const said = [
    ...(success === null ? [] : [success ? "a success" : "a failure"]),
    ...(reward === null ? [] : [`reward ${reward}`]),
  ];
  const verdict = said.length === 0 ? [] : [`Judged: ${said.join(", ")}.`];
  if (mistake === null) return verdict.join(" ");
  const { agent, step, reason } = mistake;
  const whose = agent === null ? "" : ` of ${agent}`;
  const why = reason === null ? "" : `: ${reason}`;
  const marked = `Marked as the mistake: step ${step ?? "unknown"}${whose}${why}`;
  return [...verdict, tableCell(marked, 2 * most.cell)].join(" ");
}

/** A ranking and no verdict: docs/suspects.md says how often it is right. */
function suspects({ log, folder }: ReportOf): string {
  const rows = log.reading.suspects.map((one) => [
    ...[standsText(one), tableCell(one.agent, 60), tableCell(one.reason, most.cell)],
  ]);
  if (rows.length === 0) return "";
  const more = `How often such a ranking is right: ${commandSaid`why ${folder} --suspects`}.`;
  return `## Where to look first\n\n${table(["Step", "Who", "Why"], rows)}\n\n${more}`;
}

function found({ log }: ReportOf): string {
  const rows = log.reading.found.map(({ finding, seq, step, says }) => [
    ...[finding, standsText({ seq, step }), tableCell(says, most.cell)],
  ]);
  if (rows.length === 0) return "";
  const title = "## What rules find, untested";
  return `${title}\n\n${table(["Finding", "Step", "What"], rows)}`;
}

function transcript({ log, folder }: ReportOf): string {
  const { transcript: lines } = log.reading;
  if (lines.length === 0) return "";
  const rows = lines.map(([atMs, words]) => [clock(atMs), tableCell(words, most.cell)]);
  const all = `All of it, in whole: ${commandSaid`events ${folder} --full`}.`;
  return `## Transcript\n\n${table(["Time", "What"], rows, lines.length)}\n\n${all}`;
}

function speakers({ log }: ReportOf): string {
  const { speakers: all, others } = log.story.imported;
  if (all.length === 0) return "";
  const rows = all.map(({ name, role, messages, calls, promptTokens, answerTokens }) => [
    ...[tableCell(name, 60), role, String(messages), String(calls)],
    promptTokens + answerTokens === 0 ? "" : `${promptTokens} + ${answerTokens}`,
  ]);
  const columns = ["Who", "Role", "Messages", "Calls", "Tokens"];
  const more = others === 0 ? "" : `\n\nRecords of speakers and tools beyond those: ${others}.`;
  return `## Who spoke\n\n${table(columns, rows)}${more}`;
}

function tools({ log }: ReportOf): string {
  const { tools: all, offered } = log.story.imported;
  if (all.length === 0) return offered === 0 ? "" : `Tools were offered (${offered}), none called.`;
  const busiest = all.toSorted((a, b) => b.calls - a.calls);
  const rows = busiest.map((tool) => [
    ...[tableCell(tool.name, 60), String(tool.calls), String(tool.errors), String(tool.empty)],
    median(tool),
  ]);
  return `## Tools\n\n${table(["Tool", "Calls", "Errors", "Empty", "Median latency"], rows)}`;
}

function median({ latencies }: ToolUse): string {
  if (latencies.length === 0) return "not in the log";
  const all = latencies.toSorted((a, b) => a - b);
  const middle = all[Math.floor((all.length - 1) / 2)] ?? 0;
  return `${Math.round(middle)} ms`;
}

function timeline({ log, folder }: ReportOf): string {
  const { moments, imported } = log.story;
  if (moments.length === 0) return "";
  const rows = moments.map(({ atMs, label }) => [clock(atMs), tableCell(label, most.cell)]);
  const beyond = imported.moreMoments;
  const more = beyond === 0 ? "" : `\n\n${beyond} more of them: ${commandSaid`events ${folder}`}.`;
  return `## What happened when\n\n${table(["Time", "Event"], rows)}${more}`;
}

/** A long conversation goes back to its first word; the middle of it explains nothing more. */
function shortened(explanation: Explanation): Explanation {
  const { chain } = explanation;
  if (chain.length <= most.links) return explanation;
  return { ...explanation, chain: chain.slice(0, most.links), origins: [] };
}

function links({ log }: ReportOf): string {
  const { stated, inferred } = log.links.told();
  const rows = (of: object, how: string): string[][] =>
    Object.entries(of).map(([rule, count]) => [rule, how, String(count)]);
  const all = [...rows(stated, "stated in the log"), ...rows(inferred, "inferred")];
  if (all.length === 0) return "";
  return `## How the records hang together\n\n${table(["Rule", "Whose word", "Links"], all)}`;
}

function unreadText({ log }: ReportOf): string {
  const { redacted, unread } = log.imported;
  const secrets =
    redacted === 0 ? [] : [`Secrets were replaced by marks in ${countOf(redacted, "text")}.`];
  const title = "## Not read, and redacted";
  if (unread === undefined) return secrets.length === 0 ? "" : [title, ...secrets].join("\n\n");
  const rows = unread.first.map(({ reason, ...place }) => [
    tableCell(sourceText(place), most.cell),
    tableCell(reason, most.cell),
  ]);
  const what = `Of this log and its files, ${countOf(unread.count, "piece")} could not be read.`;
  return [title, ...secrets, what, table(["Where", "Why"], rows)].join("\n\n");
}

function files({ log }: ReportOf): string {
  const rows = log.imported.files.map(({ file, bytes, sha256 }) => [
    ...[tableCell(file, most.cell), bytes === null ? "unknown" : String(bytes)],
    sha256 ?? "unknown",
  ]);
  return `## Read from\n\n${table(["File", "Bytes", "SHA-256"], rows)}`;
}

function next({ folder, log: { explanation } }: ReportOf): string {
  return [
    `The bundle lies in \`${escapedLine(folder)}\`; open \`${escapedLine(folder)}/report.html\` for the picture. Next:`,
    "```",
    command`why ${folder} ${explanation === undefined ? ["--list"] : explanation.question}`,
    command`events ${folder} --type log.called`,
    command`events ${folder} --type log.returned --full`,
    "```",
  ].join("\n");
}

function table(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  atMost: number = most.rows,
): string {
  const shown = rows.slice(0, atMost);
  const more = rows.length > shown.length ? `\n\n… and ${rows.length - shown.length} more.` : "";
  return `${markdownTable([columns, ...shown])}${more}`;
}

/** What a person reads first of an imported log: its report, as text and as a page with a picture. */
export const PICTURE = "picture.svg";

export async function writeTexts(log: WrittenLog, folder: string): Promise<void> {
  // Loaded only now, as by a run: the plotting library takes longer to load than a short log takes.
  const [{ reportPage }, { drawPicture }] = await Promise.all([
    import("../../../edges/report/reportPage.ts"),
    import("../../../edges/report/picture.ts"),
  ]);
  const markdown = importedReport({ log, folder });
  const svg = drawPicture(logPicture(log), logHead(log));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write(FILES.report, markdown);
  write(FILES.page, reportPage({ title: log.head.name, markdown, svg }));
  write(PICTURE, svg);
}
