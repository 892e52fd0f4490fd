/** What a page says where no script runs: the words of the report and its picture, made anew from the verified log. */

import { markdownTable } from "markdown-table";
import type { Explanation } from "../../run/why.ts";
import type { ViewHead } from "../../viewer/viewData.ts";
import { escapedText } from "../escapedText.ts";
import type { PartLists } from "../parts/partLists.ts";
import { drawPicture } from "../report/picture.ts";
import { explanationSection, reportText } from "../report/report.ts";
import { reportBody } from "../report/reportPage.ts";
import { tableCell } from "../report/tableCell.ts";
import { toldParts } from "../report/toldParts.ts";
import type { ViewedRun } from "./viewedRun.ts";

export function plainPage(
  lists: PartLists,
  run: ViewedRun,
  head: ViewHead,
  explanations: readonly Explanation[],
): string {
  const { title, startsAt, endMs } = head;
  const svgs = toldParts(lists, run).map(({ report }) =>
    drawPicture(report.picture(run), { title, startsAt, endMs }),
  );
  const markdown = [
    head.isImported ? importedText(head, explanations) : runText(lists, run, explanations),
    variantsText(head),
  ].join("\n\n");
  return reportBody({ title, markdown, svg: svgs.join("") });
}

function runText(lists: PartLists, run: ViewedRun, explanations: readonly Explanation[]): string {
  const { bundle } = run;
  return reportText(lists, {
    ...run,
    called: bundle.scenario.name,
    seed: bundle.manifest.seed,
    inputs: bundle.inputs,
    providers: bundle.manifest.providers,
    explanations,
    counterfactuals: [],
    bundle: null,
  });
}

const importedText = (head: ViewHead, explanations: readonly Explanation[]): string =>
  escapedText(
    [
      `# ${tableCell(head.title, 240)}`,
      ...[...head.notes, ...head.summary].map((text) => tableCell(text, 2_000)),
      ...explanations.map(explanationSection),
    ].join("\n\n"),
  );

function variantsText({ variants }: ViewHead): string {
  if (variants === null) return "";
  const rows = variants.rows.map(({ cells }) => cells.map((cell) => tableCell(cell, 240)));
  return escapedText(
    `## ${tableCell(variants.title, 240)}\n\n${markdownTable([variants.head.map((one) => tableCell(one, 60)), ...rows])}`,
  );
}
