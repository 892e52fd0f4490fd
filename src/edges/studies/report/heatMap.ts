/** An outcome over two factors. */
import * as Plot from "@observablehq/plot";
import type { StudyResult } from "../../../studies/result.ts";
import type { Factor } from "../../../studies/study.ts";
import { CHART, type Chart, named, plotted, type Spots, told } from "./chart.ts";
import { isAt, levelsOf, meanAt, pointSpot, valueText } from "./settings.ts";

/** Ours: more rows or columns are too narrow for their numbers. */
const LEVELS_MOST = 12;

/** Undefined where the two factors make no grid. */
export function heatMap(
  result: StudyResult,
  [across, down]: readonly [Factor, Factor],
  outcome: string,
  spots: Spots,
): Chart | undefined {
  const columns = levelsOf({ factor: across, result });
  const rows = levelsOf({ factor: down, result });
  const fits = (count: number): boolean => count > 1 && count <= LEVELS_MOST;
  if (!fits(columns.length) || !fits(rows.length)) return undefined;
  const cells = columns.flatMap((column) =>
    rows.flatMap((row) => {
      const own = result.points.filter(
        (point) => isAt(point, across, column) && isAt(point, down, row),
      );
      const means = own.flatMap((point) => meanAt(point, outcome)?.estimate ?? []);
      if (means.length === 0) return [];
      const mean = means.reduce((sum, value) => sum + value, 0) / means.length;
      return [{ x: valueText(column), y: valueText(row), mean, own }];
    }),
  );
  if (cells.length * 2 < columns.length * rows.length) return undefined;
  const all = cells.map(({ mean }) => mean);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const isDark = ({ mean }: { readonly mean: number }) => mean - least < (most - least) * 0.5;
  const svg = plotted("Outcome over two factors", {
    height: Math.max(CHART.height, 90 + 28 * rows.length),
    ...{ marginLeft: 110, marginBottom: 48, padding: 0.02 },
    x: { type: "band", domain: columns.map(valueText), label: named(across.name) },
    y: { type: "band", domain: rows.map(valueText).toReversed(), label: named(down.name) },
    // Cividis grows lighter with the value, to every eye and in grey.
    color: {
      type: "linear",
      scheme: "cividis",
      domain: [least, most === least ? least + 1 : most],
    },
    marks: [
      Plot.cell(cells, { x: "x", y: "y", fill: "mean", className: "cells" }),
      Plot.text(cells, {
        ...{ x: "x", y: "y", text: ({ mean }) => told(mean), pointerEvents: "none" },
        fill: (cell: (typeof cells)[number]) => (isDark(cell) ? "white" : "black"),
      }),
    ],
  });
  spots.mark(
    svg,
    "cells",
    cells.map(({ x, y, mean, own }) => {
      const [only] = own;
      if (only !== undefined && own.length === 1) return pointSpot(only, result, outcome);
      return {
        points: own.map(({ index }) => index),
        says: [
          `${named(across.name)} = ${x}`,
          `${named(down.name)} = ${y}`,
          `${named(outcome)}: ${told(mean)}, the mean of ${own.length} points`,
        ],
      };
    }),
  );
  return {
    title: `${named(outcome)} over ${named(across.name)} and ${named(down.name)}`,
    caption: "The lighter a cell, the larger its mean.",
    svg: svg.outerHTML,
  };
}
