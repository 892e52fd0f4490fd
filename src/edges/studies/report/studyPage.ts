/** The report of a study: one page that opens from disk, loads nothing, and runs one script, named by its hash. */
import { createHash } from "node:crypto";
import type { StudyResult } from "../../../studies/result.ts";
import { shown } from "../shownValue.ts";
import { bars } from "./bars.ts";
import { byFactor } from "./byFactor.ts";
import { type Chart, Spots } from "./chart.ts";
import { heatMap } from "./heatMap.ts";
import { PAGE_SCRIPT } from "./pageScript.ts";
import { PAGE_STYLE } from "./pageStyle.ts";
import { parallel } from "./parallel.ts";
import { front, history } from "./search.ts";
import { estimateText, meanAt } from "./settings.ts";

/** Ours: charts of a kind, and rows of the table, that one page can show; the files have all. */
const CHARTS_MOST = 36;
const ROWS_MOST = 2_000;

/** The same bytes of the same result. */
export function studyPage(result: StudyResult): string {
  const { study, notes, opening, points } = result;
  const spots = new Spots();
  const outcomes = study.outcomes.map(({ name }) => name);
  const lines = parallel(result, spots);
  const sections = [
    section("All points", lines === undefined ? [] : [lines]),
    section(
      "What matters",
      outcomes.flatMap((outcome) => bars(result, outcome, spots) ?? []),
    ),
    section("Search", history(result, spots)),
    section("Pareto front", [front(result, spots) ?? []].flat()),
    section("Outcomes by factor", factorCharts(result, spots)),
    section("Outcomes over two factors", pairCharts(result, spots)),
  ];
  const byPoint = Object.fromEntries(points.map(({ index }, at) => [index, opening[at] ?? ""]));
  const data = { spots: spots.all, opening: byPoint, brush: lines?.brush ?? null };
  const title = escaped(study.name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${escaped(study.why)}</p>
<p class="quiet">Scenario ${escaped(study.scenario.name)}, ${points.length} points, ${result.runs.length} runs${
    study.design === null ? "" : `, design ${escaped(study.design.kind)}`
  }. Intervals are 95 %.${
    study.stop === null
      ? ""
      : " Replicates ended by a rule: coverage is claimed for a fixed number of them alone."
  } Point at a mark for its values; click it for the command that opens its run.</p>
${notes.map((note) => `<p class="quiet">${escaped(note)}</p>\n`).join("")}${sections.join("")}${table(result)}</main>
<aside id="chosen" hidden><div><pre id="said"></pre><pre id="command"></pre></div>
<div><button id="copy" type="button">Copy</button> <button id="close" type="button">Close</button></div></aside>
<pre id="tip" hidden></pre>
<script type="application/json" id="data">${json(data)}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

const hash = createHash("sha256").update(PAGE_SCRIPT).digest("base64");
const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;

const factorCharts = (result: StudyResult, spots: Spots): readonly Chart[] =>
  result.study.outcomes
    .flatMap(({ name }) => result.study.factors.map((factor) => ({ name, factor })))
    .slice(0, CHARTS_MOST)
    .flatMap(({ name, factor }) => byFactor(result, factor, name, spots) ?? []);

function pairCharts(result: StudyResult, spots: Spots): readonly Chart[] {
  const { factors, outcomes } = result.study;
  const pairs = factors.flatMap((across, at) =>
    factors.slice(at + 1).map((down) => [across, down] as const),
  );
  return outcomes
    .flatMap(({ name }) => pairs.map((pair) => ({ name, pair })))
    .slice(0, CHARTS_MOST)
    .flatMap(({ name, pair }) => heatMap(result, pair, name, spots) ?? []);
}

function section(title: string, charts: readonly Chart[]): string {
  if (charts.length === 0) return "";
  return `<h2>${escaped(title)}</h2>\n<div class="charts">\n${charts.map(figure).join("")}</div>\n`;
}

const BRUSH_BAR =
  '<p class="bar"><span id="brushed" role="status"></span> <button id="clear" type="button" hidden>Choose all</button></p>';

const figure = ({ title, caption, svg, brush }: Chart): string =>
  `<figure${brush === undefined ? "" : " data-brush"}><figcaption><b>${escaped(title)}</b><br>${escaped(caption)}</figcaption>${svg}${
    brush === undefined ? "" : BRUSH_BAR
  }</figure>\n`;

function table({ study, points, opening }: StudyResult): string {
  const head = ["point", ...study.factors.map(({ name }) => name), "n"];
  const outcomes = study.outcomes.map(({ name }) => name);
  const cell = (text: string): string => `<td>${escaped(text)}</td>`;
  const rows = points.slice(0, ROWS_MOST).map((point, at) => {
    const cells = [
      point.isBaseline ? `${point.index} (baseline)` : String(point.index),
      ...study.factors.map(({ name }) => String(shown(point.values[name]))),
      String(point.replicates),
      ...outcomes.map((name) => {
        const mean = meanAt(point, name);
        return mean === null ? "" : estimateText(mean);
      }),
    ];
    return `<tr data-point="${point.index}">${cells.map(cell).join("")}<td><code>${escaped(opening[at] ?? "")}</code></td></tr>\n`;
  });
  const hidden = points.length - rows.length;
  return `<h2>Points</h2>
<div class="table"><table><thead><tr>${[...head, ...outcomes, "opens it"]
    .map((text) => `<th>${escaped(text)}</th>`)
    .join("")}</tr></thead><tbody>
${rows.join("")}</tbody></table></div>
${hidden > 0 ? `<p>${hidden} more points are in points.csv.</p>\n` : ""}`;
}

const ESCAPES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

/** In a script element only `<` could end it. */
const json = (data: unknown): string => JSON.stringify(data).replaceAll("<", "\\u003c");
