/** An outcome over two factors. */
import * as Plot from "@observablehq/plot";
import type { Factor } from "../../../studies/study.ts";
import { number } from "../studyNumbers.ts";
import { CHARACTER, CHART, type Chart, nameText, shortened } from "./chart.ts";
import { isAt, levelsOf, meanAt, type View } from "./view.ts";

/** Ours: more rows or columns are too narrow for their numbers. */
const LEVELS_MOST = 12;
/** Ours: characters of a value beside its row or column. */
const TICK_MOST = 18;

/** Undefined where the two factors make no grid. */
export function heatMap(
  view: View,
  [across, down]: readonly [Factor, Factor],
  outcome: string,
): Chart | undefined {
  const columns = levelsOf(view, across);
  const rows = levelsOf(view, down);
  const fits = (count: number): boolean => count > 1 && count <= LEVELS_MOST;
  if (!fits(columns.length) || !fits(rows.length)) return undefined;
  const { at, label } = view.outcome(outcome);
  const cells = columns.flatMap((column, x) =>
    rows.flatMap((row, y) => {
      const own = view.points.filter(
        (point) => isAt(point, across, column) && isAt(point, down, row),
      );
      const means = own.flatMap((point) => meanAt(point, outcome)?.estimate ?? []);
      if (means.length === 0) return [];
      const mean = means.reduce((sum, value) => sum + value, 0) / means.length;
      return [{ x, y, mean, own, text: number(at(mean)) }];
    }),
  );
  if (cells.length * 2 < columns.length * rows.length) return undefined;
  const all = cells.map(({ mean }) => mean);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const isDark = ({ mean }: { readonly mean: number }) =>
    most === least || mean - least < (most - least) * 0.5;
  const [xs, ys] = [columns.map((_, x) => x), rows.map((_, y) => y).toReversed()];
  const columnText = (x: number) => shortened(view.valueText(across.name, columns[x]), TICK_MOST);
  const rowText = (y: number) => shortened(view.valueText(down.name, rows[y]), TICK_MOST);
  const left = 24 + Math.max(...ys.map((y) => rowText(y).length)) * CHARACTER;
  const room = (CHART.width - left) / columns.length;
  const widest = Math.max(...xs.map((x) => columnText(x).length)) * CHARACTER;
  const isTight = widest > room - 4;
  const options: Plot.PlotOptions = {
    height: Math.max(CHART.height, 90 + 28 * rows.length),
    ...{ marginLeft: left, marginBottom: isTight ? 48 + widest * 0.6 : 48, padding: 0.02 },
    x: {
      ...{ type: "band", domain: xs, label: view.factor(across).label, tickSize: 0 },
      ...{ tickFormat: columnText, ...(isTight && { tickRotate: -35 }) },
    },
    y: {
      type: "band",
      domain: ys,
      label: view.factor(down).label,
      tickFormat: rowText,
      tickSize: 0,
    },
    // Cividis grows lighter with the value, to every eye and in grey.
    color: {
      ...{ type: "linear", scheme: "cividis" },
      domain: [least, most === least ? least + 1 : most],
    },
    marks: [
      Plot.cell(cells, { x: "x", y: "y", fill: "mean", className: "cells" }),
      Plot.text(cells, {
        ...{ x: "x", y: "y", text: "text", pointerEvents: "none" },
        fontSize: Math.max(7, Math.min(11, (room - 4) / 5.5)),
        fill: (cell: (typeof cells)[number]) => (isDark(cell) ? "white" : "black"),
      }),
    ],
  };
  const which = view.outcomes.indexOf(outcome);
  const spots = cells.map(({ x, y, mean, own }) => {
    const [only] = own;
    if (only !== undefined && own.length === 1) return { point: only.index, outcome: which };
    return {
      points: own.map(({ index }) => index),
      says: [
        view.settingText(across.name, columns[x]),
        view.settingText(down.name, rows[y]),
        `${nameText(view.headOf(outcome))}: ${view.outcome(outcome).text(mean)}, the mean of ${own.length} points`,
      ],
    };
  });
  return {
    title: `${label} over ${nameText(across.name)} and ${nameText(down.name)}`,
    caption: "The lighter a cell, the larger its mean.",
    svg: view.drawn("Outcome over two factors", options, { cells: spots }),
  };
}
