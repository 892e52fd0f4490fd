/** The report of a study: one page that opens from disk, loads nothing, and runs one script, named by its hash. */
import type { StudyResult } from "../../../studies/result.ts";
import { settingText } from "../../../studies/study.ts";
import type { SweptPoint } from "../../../studies/sweepSummary.ts";
import { bars } from "./bars.ts";
import { byFactor } from "./byFactor.ts";
import type { Chart } from "./chart.ts";
import { frontierCharts } from "./frontierChart.ts";
import { heatMap } from "./heatMap.ts";
import { escaped, json } from "./html.ts";
import { PAGE_SCRIPT, studyPolicy } from "./pageScript.ts";
import { PAGE_STYLE } from "./pageStyle.ts";
import { parallel } from "./parallel.ts";
import { front, history } from "./search.ts";
import { meanAt, View } from "./view.ts";

/** Ours: charts of a kind that one page can show; the files have all. */
const CHARTS_MOST = 36;
/** Ours: marks of a kind with which a page still opens at once, and charts that it has even so. */
const MARKS_MOST = 36_000;
const CHARTS_LEAST = 6;

// Tables on the page of a study: its points, and what held-out seeds say of what a search chose.

/** Ours: rows that a page can show; the files have all. */
const ROWS_MOST = 2_000;

const row = (cells: readonly string[], attributes = ""): string =>
  `<tr${attributes}>${cells.map((text) => `<td>${text}</td>`).join("")}</tr>\n`;

const tableOf = (head: readonly string[], rows: readonly string[]): string =>
  `<div class="table"><table><thead><tr>${head.map((text) => `<th>${breakable(text)}</th>`).join("")}</tr></thead><tbody>
${rows.join("")}</tbody></table></div>\n`;

/** A path may be broken after its dots. */
const breakable = (text: string): string => escaped(text).replaceAll(".", ".<wbr>");

const code = (command: string): string => `<code>${escaped(command)}</code>`;

function pointsTable(view: View): string {
  const { study, points, opening } = view.result;
  const rows = points.slice(0, ROWS_MOST).map((point, at) => {
    const cells = [
      point.isBaseline ? `${point.index} (baseline)` : String(point.index),
      ...valueTexts(view, point),
      String(point.replicates),
      ...view.outcomes.map((name) => meanText(view, point, name)),
    ];
    return row([...cells.map(escaped), code(opening[at] ?? "")], ` data-point="${point.index}"`);
  });
  const hidden = points.length - rows.length;
  const head = ["point", ...study.factors.map(({ name }) => name), "n"];
  return `<h2>Points</h2>
${tableOf([...head, ...view.outcomes.map((name) => view.headOf(name)), "opens it"], rows)}${hidden > 0 ? `<p>${hidden} more points are in points.csv.</p>\n` : ""}`;
}

const valueTexts = (view: View, { values }: SweptPoint): readonly string[] =>
  view.result.study.factors.map(({ name }) => view.valueText(name, values[name]));

function meanText(view: View, point: SweptPoint, outcome: string): string {
  const mean = meanAt(point, outcome);
  if (mean === null) return "";
  const { censored = 0 } = point.outcomes[outcome] ?? {};
  return `${view.estimateText(outcome, mean)}${censored > 0 ? `; ${censored} only a bound` : ""}`;
}

/** The headline of a search. Nothing where nothing was replayed. */
function heldOutTable(view: View): string {
  const { study, trials, points, heldOut } = view.result;
  const goal = study.goal;
  if (trials.length === 0 || goal === null) return "";
  const held = new Set(heldOut);
  const finalists = points.filter(({ index, isBaseline }) => held.has(index) && !isBaseline);
  if (finalists.length === 0) {
    return "<h2>On held-out seeds</h2>\n<p>No trial is feasible and has a value: there is no best.</p>\n";
  }
  const goals = goal.objectives.map(({ outcome }) => outcome);
  const rows = finalists.map((point) => {
    const setting = settingText(study, point.values);
    const trial = trials.find(({ params }) => settingText(study, params) === setting);
    const said = goals.flatMap((name) => {
      const difference = point.outcomes[name]?.difference ?? null;
      const text = difference && view.estimateText(name, difference);
      return [text ?? "nothing is claimed", meanText(view, point, name)];
    });
    return row([`${trial?.number ?? ""}`, ...valueTexts(view, point), ...said].map(escaped));
  });
  const head = [
    ...["trial", ...study.factors.map(({ name }) => name)],
    ...goals.flatMap((name) => [`Δ ${name}`, name]),
  ];
  return `<h2>On held-out seeds</h2>
<p>What the search chose, on ${goal.heldOut} seeds that no trial had: Δ is the paired difference from the baseline, with its 95 % interval. Only this is free of having been chosen for it.</p>
${tableOf(head, rows)}`;
}

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
    some("Outcomes by factor", factorCharts(view), chartsMost(view.points.length)),
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
<meta http-equiv="Content-Security-Policy" content="${studyPolicy()}">
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

/** How many charts show every point. */
export const chartsMost = (points: number): number =>
  Math.min(CHARTS_MOST, Math.max(CHARTS_LEAST, Math.floor(MARKS_MOST / points)));

/** What is not drawn is said. */
function some(title: string, all: readonly Drawing[], most: number): string {
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
