/** Parallel coordinates: a line for each point through its factors and outcomes. Axes are brushed by the page. */
import * as Plot from "@observablehq/plot";
import type { StudyResult } from "../../../studies/result.ts";
import { ink } from "../../pictureFrame.ts";
import { type Brush, CHART, type Chart, named, plotted, type Spots, told } from "./chart.ts";
import { isNumeric, levelsOf, meanAt, pointSpot, valueText } from "./settings.ts";

/** Ours: what one picture holds. */
const AXES_MOST = 12;
const LINES_MOST = 1_000;
const SIDE = 90;
const TOP = 34;
const BOTTOM = 300;

interface Axis {
  readonly name: string;
  readonly kind: "factor" | "outcome";
  readonly ends: readonly [low: string, high: string];
  /** By point, from 0 to 1. */
  readonly at: readonly (number | null)[];
}

export function parallel(result: StudyResult, spots: Spots): Chart | undefined {
  const points = result.points.slice(0, LINES_MOST);
  const all = axesOf(result);
  const axes = all.slice(0, AXES_MOST);
  if (axes.length < 2 || points.length < 2) return undefined;
  const lines = points.flatMap((point, row) =>
    axes.map(({ at }, axis) => ({ row, x: axis, y: at[row] ?? null, point })),
  );
  const drawn = points.filter((_, row) => axes.some(({ at }) => (at[row] ?? null) !== null));
  const height = BOTTOM + 40;
  const label = (y: number, text: (axis: Axis) => string, dy: number): Plot.Markish =>
    Plot.text(axes, { x: (_, at) => at, y: () => y, text, dy, fill: ink.quiet });
  const svg = plotted("Parallel coordinates", {
    ...{ width: CHART.wide, height, marginLeft: SIDE, marginRight: SIDE },
    ...{ marginTop: TOP, marginBottom: height - BOTTOM },
    x: { domain: [0, axes.length - 1], axis: null },
    y: { domain: [0, 1], axis: null },
    marks: [
      Plot.ruleX(axes, { x: (_, at) => at, stroke: ink.axis, strokeWidth: 1.5 }),
      Plot.line(lines, {
        ...{ x: "x", y: "y", z: "row", className: "lines", strokeOpacity: 0.7 },
        stroke: ({ point }: (typeof lines)[number]) =>
          point.isBaseline ? ink.abandoned : ink.completed,
        strokeWidth: 1.6,
      }),
      Plot.text(axes, {
        ...{ x: (_, at) => at, y: () => 1, dy: -24, text: ({ name }) => named(name).slice(-24) },
        ...{
          fontWeight: 600,
          fill: ({ kind }: Axis) => (kind === "factor" ? ink.text : ink.bandText),
        },
      }),
      label(1, ({ ends }) => ends[1], -10),
      label(0, ({ ends }) => ends[0], 12),
    ],
  });
  spots.mark(
    svg,
    "lines",
    drawn.map((point) => pointSpot(point, result)),
  );
  const step = (CHART.wide - 2 * SIDE) / (axes.length - 1);
  const brush: Brush = {
    ...{ top: TOP, bottom: BOTTOM },
    axes: axes.map(({ name }, at) => ({ name: named(name), x: SIDE + at * step })),
    at: Object.fromEntries(
      points.map(({ index }, row) => [index, axes.map(({ at }) => at[row] ?? null)]),
    ),
  };
  const hidden = [
    all.length > axes.length ? `${all.length - axes.length} more axes` : [],
    result.points.length > points.length
      ? `${result.points.length - points.length} more points`
      : [],
  ].flat();
  return {
    title: "All points",
    caption: `A line is a point, the orange one the baseline. Draw up or down along an axis to choose points here and in all charts.${
      hidden.length === 0 ? "" : ` Not drawn: ${hidden.join(", ")}.`
    }`,
    svg: svg.outerHTML,
    brush,
  };
}

function axesOf(result: StudyResult): readonly Axis[] {
  const factors = result.study.factors.map((factor): Axis => {
    const levels = levelsOf({ factor, result });
    const keys = levels.map((value) => JSON.stringify(value));
    const isLine = isNumeric({ factor, result });
    const isLog = factor.kind === "number" && factor.isLog;
    const at = result.points.map(({ values }) => {
      const value = values[factor.name];
      if (isLine) return isLog ? Math.log(Number(value)) : Number(value);
      return keys.indexOf(JSON.stringify(value));
    });
    const ends = [valueText(levels[0]), valueText(levels.at(-1))] as const;
    return { name: factor.name, kind: "factor", ends, at: spread(at) };
  });
  const outcomes = result.study.outcomes.map(({ name }): Axis => {
    const at = result.points.map((point) => meanAt(point, name)?.estimate ?? null);
    const known = at.flatMap((value) => value ?? []);
    const ends =
      known.length === 0
        ? (["", ""] as const)
        : ([told(Math.min(...known)), told(Math.max(...known))] as const);
    return { name, kind: "outcome", ends, at: spread(at) };
  });
  return [...factors, ...outcomes];
}

/** What is all alike stands in the middle. */
function spread(values: readonly (number | null)[]): readonly (number | null)[] {
  const known = values.flatMap((value) => value ?? []);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return values.map((value) =>
    value === null ? null : high > low ? (value - low) / (high - low) : 0.5,
  );
}
