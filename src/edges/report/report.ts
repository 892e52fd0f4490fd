/** What a person reads first: what happened, who was hit, why, and what would have prevented it. */

import { markdownTable } from "markdown-table";
import { countOf } from "../../contract/countOf.ts";
import type { EdgePart } from "../../contract/edge/edgePart.ts";
import type { Part } from "../../contract/part.ts";
import { figuresOf, type Observed } from "../../run/compare.ts";
import { noneAsked } from "../../run/expect.ts";
import { type FaultMet, faultsMet } from "../../run/faultsMet.ts";
import { fruitless } from "../../run/fruitless.ts";
import { modelUse } from "../../run/modelUse.ts";
import { runChanges } from "../../run/runChanges.ts";
import { type Explanation, type Origin, originText } from "../../run/why.ts";
import { command } from "../command.ts";
import { clock } from "../duration.ts";
import { escapedLine, escapedText } from "../escapedText.ts";
import type { PartLists } from "../parts/partLists.ts";
import { modelText } from "../play/modelText.ts";
import { merged, shortClock } from "./moments.ts";
import { clean } from "./pictureLayout.ts";
import type { ReportInput } from "./reportInput.ts";
import { tableCell } from "./tableCell.ts";
import { toldParts } from "./toldParts.ts";
import { unknownNotes } from "./unknownNotes.ts";
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

/** Ours: many times as many as any shipped scenario has. */
const MOMENTS_MAX = 200;

function timeline(told: readonly EdgePart[], input: ReportInput): string {
  const moments = merged(input.observed.story.moments);
  const own = told.find(({ report }) => report.timeline !== undefined)?.report;
  if (own?.timeline) return own.timeline(input.observed, moments);
  const rows = moments
    .slice(0, MOMENTS_MAX)
    .map(({ atMs, label }) => [shortClock(atMs), tableCell(label, LABEL_MAX)]);
  if (rows.length === 0) return "";
  const table = markdownTable([["Time", "Event"], ...rows]);
  const more = moments.length - MOMENTS_MAX;
  const tail = more > 0 ? `\n\n${countOf(more, "more moment")}; \`events\` shows all.` : "";
  return `## What happened when\n\n${table}${tail}`;
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

/** Each needs the file of its own; which one that is, a report does not know. */
export const partWords = (own: PartLists["own"] = []): readonly string[] =>
  own.flatMap((name) => ["--part", `${name.toUpperCase()}_FILE`]);

function nextSteps(
  { edgeParts, own }: PartLists,
  { bundle, called, explanations, scenario, observed }: ReportInput,
): string {
  if (bundle === null) return "";
  const question = explanations.at(-1)?.question;
  const other = Object.keys(scenario.variants).findLast((name) => name !== observed.variant);
  const part = partWords(own);
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

/* The head of a report: what a person must know before everything else. */

/** Characters and items. */
const most = { reason: 240, changes: 6, unmet: 4 };

export function reportHead(lists: PartLists, input: ReportInput): string {
  const { parts } = lists;
  const { scenario, observed, seed, deliveries, inputs, lead } = input;
  const { result, variant } = observed;
  const title = variant === null ? scenario.name : `${scenario.name}, variant ${variant}`;
  return [
    ...(lead === undefined ? [] : [lead]),
    ...unknownNotes(parts, input).map((text) => `**${escapedLine(text)}**`),
    ...fruitlessText(parts, input),
    `# ${title}`,
    `${clock(result.virtualMs)} of virtual time, ${populationText(lists, input)}seed ${seed}: ${summary(lists, input)}`,
    modelText(modelUse(parts, deliveries, inputs)),
    faultsText(faultsMet(scenario, variant, inputs)),
    intentionText(parts, input),
    ...endText(result),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Before everything else, even the title: that nothing came of it, and why. */
function fruitlessText(
  parts: readonly Part[],
  { observed, deliveries, inputs }: ReportInput,
): string[] {
  const found = fruitless(parts, observed, deliveries, modelUse(parts, deliveries, inputs));
  return found.map(({ what, reasons }) =>
    [`**${what}**`, ...reasons.map((reason) => `- ${clean(reason, most.reason)}`)].join("\n"),
  );
}

/** Why there is such a scenario is no account of this run; what this run makes of it follows. */
function intentionText(parts: readonly Part[], input: ReportInput): string {
  const { scenario, observed } = input;
  const { variant, verdicts, result } = observed;
  const own = variant === null ? undefined : scenario.variants[variant];
  const who = variant === null ? "this scenario" : "this variant";
  const changes = runChanges(parts, scenario, { ...input, variant, result });
  const unmet = verdicts.filter(({ ok }) => !ok).map(({ name }) => name);
  const change =
    changes.length === 0
      ? []
      : [`This run was changed, its own values in brackets: ${few(changes, most.changes)}.`];
  const judged =
    result.outcome !== "ended"
      ? "This run did not come to its end, so it shows a part of that at most."
      : verdicts.length === 0
        ? "It has no expectations, so nothing says whether this run shows it."
        : unmet.length === 0
          ? `In this run ${verdicts.length === 1 ? "its one expectation was" : `all of its ${verdicts.length} expectations were`} met.`
          : `This run went otherwise. Expectations not met, ${unmet.length} of ${verdicts.length}: ${few(unmet, most.unmet)}.`;
  const why = (own?.why ?? scenario.why).replaceAll(/\s+/g, " ").trim();
  return [`What ${who} sets out to show:`, `> ${why}`, [...change, judged].join(" ")].join("\n\n");
}

/** A fault that no call met is most likely a name that is misspelt. */
function faultsText(faults: readonly FaultMet[]): string {
  if (faults.length === 0) return "";
  const told = faults.map(({ id, tool, says, calls }) => {
    const who = tool === null ? "of any tool" : `of ${escapedLine(tool)}`;
    const met = calls === 0 ? "**no call met it**" : `${countOf(calls, "call")} met it`;
    return `\`${id}\` ${who} (${says}): ${met}`;
  });
  return `Faults: ${told.join("; ")}.`;
}

function few(texts: readonly string[], count: number): string {
  const more = texts.length > count ? `, and ${texts.length - count} more` : "";
  return `${texts.slice(0, count).join(", ")}${more}`;
}

function endText({ outcome, error }: Observed["result"]): string[] {
  if (outcome === "ended") return [];
  return outcome === "waiting"
    ? ["**The run waits for a person's decision. What comes after it has not been played.**"]
    : [
        `**The run did not end as planned: ${`${outcome}. ${escapedLine(error?.message ?? "")}`.trim()}**`,
      ];
}

/** Who lives there, followed by a comma; empty where no agent or other actor does. */
const populationText = (lists: PartLists, input: ReportInput): string =>
  toldParts(lists, input)
    .flatMap(({ report }) => report.population?.(input.scenario) ?? [])
    .map((text) => `${text}, `)
    .join("");

function summary(lists: PartLists, input: ReportInput): string {
  const { observed } = input;
  const figures = figuresOf(observed);
  return toldParts(lists, input)
    .map(({ report }) => report.summary(observed, figures))
    .filter((text) => text !== "")
    .join(" ");
}
