/** The report of a study: one page that opens from disk, loads nothing, and runs one script, named by its hash. */
import { createHash } from "node:crypto";
import type { StudyResult } from "../../../studies/result.ts";
import { bars } from "./bars.ts";
import { byFactor } from "./byFactor.ts";
import type { Chart } from "./chart.ts";
import { frontierCharts } from "./frontierChart.ts";
import { heatMap } from "./heatMap.ts";
import { escaped, json } from "./html.ts";
import { PAGE_SCRIPT } from "./pageScript.ts";
import { PAGE_STYLE } from "./pageStyle.ts";
import { heldOutTable, pointsTable } from "./pageTables.ts";
import { parallel } from "./parallel.ts";
import { front, history } from "./search.ts";
import { View } from "./view.ts";

/** Ours: charts of a kind that one page can show; the files have all. */
const CHARTS_MOST = 36;
/** Ours: marks of a kind with which a page still opens at once, and charts that it has even so. */
const MARKS_MOST = 36_000;
const CHARTS_LEAST = 6;

/** The same bytes of the same result. */
export function studyPage(result: StudyResult): string {
  const { study, notes, opening, points } = result;
  const view = new View(result);
  const lines = parallel(view);
  const sections = [
    heldOutTable(view),
    section("Frontier", frontierCharts(view)),
    section("All points", lines === undefined ? [] : [lines]),
    section(
      "What matters",
      view.outcomes.flatMap((outcome) => bars(view, outcome) ?? []),
    ),
    section("Search", history(view)),
    section("Pareto front", [front(view) ?? []].flat()),
    some("Outcomes by factor", factorCharts(view), Math.floor(MARKS_MOST / view.points.length)),
    // What a bisection looked at makes no grid of means.
    some(
      "Outcomes over two factors",
      result.frontier === null ? pairCharts(view) : [],
      CHARTS_MOST,
    ),
  ];
  const data = {
    spots: view.spots.all,
    points: Object.fromEntries(points.map((point) => [point.index, view.says(point)])),
    opening: Object.fromEntries(points.map(({ index }, at) => [index, opening[at] ?? ""])),
    brush: lines?.brush ?? null,
  };
  const title = escaped(study.name);
  const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${escaped(study.why)}</p>
<p class="quiet">${study.scenario.isTrial ? "Trial" : "Scenario"} ${escaped(study.scenario.name)}, ${many(points.length, "point")}, ${many(result.runs.length, "run")}${
    study.design === null ? "" : `, design ${escaped(study.design.kind)}`
  }. Intervals are 95 %.${
    study.stop === null
      ? ""
      : " Replicates ended by a rule: coverage is claimed for a fixed number of them alone."
  } <span class="screen">Point at a mark for its values; click it for the command that opens its run.</span></p>
${notes.map((note) => `<p class="quiet">${escaped(note)}</p>\n`).join("")}${sections.join("")}${pointsTable(view)}</main>
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

/** What it takes to draw a chart, where there is one. */
type Drawing = () => Chart | undefined;

const factorCharts = (view: View): readonly Drawing[] =>
  view.outcomes.flatMap((name) =>
    view.result.study.factors.map((factor) => () => byFactor(view, factor, name)),
  );

function pairCharts(view: View): readonly Drawing[] {
  const { factors } = view.result.study;
  const pairs = factors.flatMap((across, at) =>
    factors.slice(at + 1).map((down) => [across, down] as const),
  );
  return view.outcomes.flatMap((name) => pairs.map((pair) => () => heatMap(view, pair, name)));
}

/** What is not drawn is said. */
function some(title: string, all: readonly Drawing[], affordable: number): string {
  const most = Math.min(CHARTS_MOST, Math.max(CHARTS_LEAST, affordable));
  const charts: Chart[] = [];
  let tried = 0;
  for (const draw of all) {
    if (charts.length === most) break;
    tried += 1;
    const chart = draw();
    if (chart !== undefined) charts.push(chart);
  }
  const left = all.length - tried;
  const said = `A page holds ${most} of these charts; ${left} more combinations are not drawn. points.csv has all values.`;
  return section(title, charts, left === 0 ? "" : said);
}

function section(title: string, charts: readonly Chart[], more = ""): string {
  if (charts.length === 0) return "";
  const said = more === "" ? "" : `<p class="quiet">${escaped(more)}</p>\n`;
  return `<h2>${escaped(title)}</h2>\n<div class="charts">\n${charts.map(figure).join("")}</div>\n${said}`;
}

const BRUSH_BAR =
  '<p class="bar"><span id="brushed" role="status"></span> <button id="clear" type="button" hidden>Choose all</button></p>';

function figure({ title, caption, legend = [], svg, isWide, brush }: Chart): string {
  const colors = legend.map(
    ({ color, text }) => `<li><i style="background:${color}"></i>${escaped(text)}</li>`,
  );
  return [
    `<figure${isWide ? ' class="wide"' : ""}${brush === undefined ? "" : " data-brush"}>`,
    `<figcaption><b>${escaped(title)}</b><br>${escaped(caption)}</figcaption>`,
    colors.length === 0 ? "" : `<ul class="legend">${colors.join("")}</ul>`,
    `<div class="chart-box">${svg}</div>${brush === undefined ? "" : BRUSH_BAR}</figure>\n`,
  ].join("");
}
