/** Tables on the page of a study: its points, and what held-out seeds say of what a search chose. */
import { settingText } from "../../../studies/study.ts";
import type { SweptPoint } from "../../../studies/sweepSummary.ts";
import { escaped } from "./html.ts";
import { meanAt, type View } from "./view.ts";

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

export function pointsTable(view: View): string {
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
${tableOf([...head, ...view.outcomes, "opens it"], rows)}${hidden > 0 ? `<p>${hidden} more points are in points.csv.</p>\n` : ""}`;
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
export function heldOutTable(view: View): string {
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
