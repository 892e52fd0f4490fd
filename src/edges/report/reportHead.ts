/** The head of a report: what a person must know before everything else. */

import type { Part } from "../../contract/part.ts";
import { figuresOf, type Observed } from "../../run/compare.ts";
import { fruitless } from "../../run/fruitless.ts";
import { modelUse } from "../../run/modelUse.ts";
import { runChanges } from "../../run/runChanges.ts";
import { clock } from "../duration.ts";
import { escapedLine } from "../escapedText.ts";
import type { PartLists } from "../parts/partLists.ts";
import { modelText } from "../play/modelText.ts";
import { clean } from "./pictureLayout.ts";
import type { ReportInput } from "./reportInput.ts";
import { toldParts } from "./toldParts.ts";

/** Characters and items. */
const most = { reason: 240, changes: 6, unmet: 4 };

export function reportHead(lists: PartLists, input: ReportInput): string {
  const { parts } = lists;
  const { scenario, observed, seed, deliveries, inputs, lead } = input;
  const { result, variant } = observed;
  const title = variant === null ? scenario.name : `${scenario.name}, variant ${variant}`;
  return [
    ...(lead === undefined ? [] : [lead]),
    ...fruitlessText(parts, input),
    `# ${title}`,
    `${clock(result.virtualMs)} of virtual time, ${populationText(lists, input)}seed ${seed}: ${summary(lists, input)}`,
    modelText(modelUse(parts, deliveries, inputs)),
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
