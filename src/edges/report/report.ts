/** What a person reads first: what happened, who was hit, why, and what would have prevented it. */

import { markdownTable } from "markdown-table";
import { countOf } from "../../contract/countOf.ts";
import type { EdgePart } from "../../contract/edge/edgePart.ts";
import { noneAsked } from "../../run/expect.ts";
import { type Explanation, type Origin, originText } from "../../run/why.ts";
import { command } from "../command.ts";
import { escapedLine, escapedText } from "../escapedText.ts";
import type { PartLists } from "../parts/partLists.ts";
import { merged, shortClock } from "./moments.ts";
import { reportHead } from "./reportHead.ts";
import type { ReportInput } from "./reportInput.ts";
import { tableCell } from "./tableCell.ts";
import { toldParts } from "./toldParts.ts";
import { variantsTable } from "./variantsTable.ts";

/** Characters of a moment. */
const LABEL_MAX = 240;

export function reportText(lists: PartLists, input: ReportInput): string {
  const told = toldParts(lists, input);
  const sections = [
    reportHead(lists, input),
    timeline(told, input),
    ...told.flatMap(({ report }) => report.before?.(input) ?? []),
    ...input.explanations.map(explanationSection),
    variantsTable(lists, input),
    expectations(input),
    nextSteps(lists, input),
    ...lists.edgeParts.flatMap(({ report }) => report.after?.(input) ?? []),
  ];
  // Whatever a section quotes from models and strangers: nothing in it steers a terminal.
  return escapedText(`${sections.filter((section) => section !== "").join("\n\n")}\n`);
}

function timeline(told: readonly EdgePart[], input: ReportInput): string {
  const moments = merged(input.observed.story.moments);
  const own = told.find(({ report }) => report.timeline !== undefined)?.report;
  if (own?.timeline) return own.timeline(input.observed, moments);
  const rows = moments.map(({ atMs, label }) => [shortClock(atMs), tableCell(label, LABEL_MAX)]);
  if (rows.length === 0) return "";
  return `## What happened when\n\n${markdownTable([["Time", "Event"], ...rows])}`;
}

export function explanationSection(explanation: Explanation): string {
  const { question, chain, origins, alike, first, failures } = explanation;
  const steps = chain.map(
    ({ atMs, says }, index) => `${index + 1}. ${shortClock(atMs)} ${escapedLine(says)}`,
  );
  const ends = origins.map(ending);
  return [
    first === undefined || failures === undefined
      ? `## Why: ${escapedLine(chain[0]?.says ?? question)}`
      : `## What went wrong first: ${escapedLine(first.says)}`,
    failuresText(failures),
    `Read downwards: each line rests on the next. (\`why ${question}\`)`,
    steps.join("\n"),
    ends.length === 0 ? "" : `It goes back to ${ends.join(", ")}.`,
    alike === 0 ? "" : `The first line rests on ${countOf(alike, "more fact")} of the same kind.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const ending = (origin: Origin): string => escapedLine(originText(origin, (id) => `\`${id}\``));

function failuresText({ all = 0, alike = 0, origin }: Explanation["failures"] = NONE): string {
  if (all < 2 || origin === undefined) return "";
  return `Of ${all} failures, ${alike} ${alike === 1 ? "goes" : "go"} back to ${ending(origin)}.`;
}

const NONE = { all: 0, alike: 0 };

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

function nextSteps(
  { edgeParts, own = [] }: PartLists,
  { bundle, called, explanations, scenario, observed }: ReportInput,
): string {
  if (bundle === null) return "";
  const question = explanations.at(-1)?.question;
  const other = Object.keys(scenario.variants).findLast((name) => name !== observed.variant);
  // Each needs the file of its own; which one that is, a report does not know.
  const part = own.flatMap((name) => ["--part", `${name.toUpperCase()}_FILE`]);
  const lines = [
    `The bundle lies in \`${bundle}\`; open \`${bundle}/report.html\` for the picture. Next:`,
    "```",
    command`view ${bundle} ${part}`,
    command`replay ${bundle} ${part}`,
    command`why ${bundle} ${question} ${part}`,
    ...edgeParts.flatMap(({ report }) => report.next?.(observed, bundle) ?? []),
    ...(other === undefined ? [] : [command`run ${called} --variant ${other} ${part}`]),
    "```",
  ];
  return lines.join("\n");
}
