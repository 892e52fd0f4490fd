/** Parallel coordinates: a line for each point through its factors and outcomes. Axes are brushed by the page. */
import * as Plot from "@observablehq/plot";
import {
  type Brush,
  CHARACTER,
  CHART,
  type Chart,
  ink,
  nameText,
  type Spot,
  shortened,
} from "./chart.ts";
import { isNumeric, levelsOf, meanAt, type View } from "./view.ts";

/** Ours: what one picture holds. */
const AXES_MOST = 12;
const LINES_MOST = 1_000;
/** Ours: with more lines each is drawn fainter. */
const LINES_MANY = 80;
const SIDE = 90;
const TALL = 266;
/** Ours: characters of a name above its axis. */
const NAME_MOST = 26;

interface Axis {
  readonly name: string;
  readonly kind: "factor" | "outcome";
  readonly ends: readonly [low: string, high: string];
  /** By point, from 0 to 1. */
  readonly at: readonly (number | null)[];
}

export function parallel(view: View): Chart | undefined {
  const points = view.points.slice(0, LINES_MOST);
  const all = axesOf(view);
  const axes = all.slice(0, AXES_MOST);
  if (axes.length < 2 || points.length < 2) return undefined;
  const lines = points.flatMap((point, row) =>
    axes.map(({ at }, axis) => ({ row, x: axis, y: at[row] ?? null, point })),
  );
  const drawn = points.filter((_, row) => axes.some(({ at }) => (at[row] ?? null) !== null));
  const names = axes.map(({ name }) => shortened(name, NAME_MOST));
  const longest = Math.max(...names.map((name) => name.length)) * CHARACTER * 1.08;
  // Names that would meet are turned, and stand above their axes.
  const even = (CHART.wide - 2 * SIDE) / (axes.length - 1);
  const isTurned = longest > even - 8;
  const right = isTurned ? Math.max(SIDE, (names.at(-1) ?? "").length * CHARACTER * 0.95) : SIDE;
  const step = (CHART.wide - SIDE - right) / (axes.length - 1);
  const top = isTurned ? 40 + longest * 0.5 : 34;
  const bottom = top + TALL;
  const height = bottom + 24;
  const faint = Math.max(0.08, Math.min(0.75, LINES_MANY / (2 * drawn.length)));
  const endsMost = Math.max(4, Math.floor(step / CHARACTER) - 1);
  const end = (y: number, text: (axis: Axis) => string, dy: number): Plot.Markish =>
    Plot.text(axes, {
      ...{ x: (_, at) => at, y: () => y, dy, fill: ink.quiet },
      text: (axis: Axis) => shortened(text(axis), endsMost),
    });
  const options: Plot.PlotOptions = {
    ...{ width: CHART.wide, height, marginLeft: SIDE, marginRight: right },
    ...{ marginTop: top, marginBottom: height - bottom },
    x: { domain: [0, axes.length - 1], axis: null },
    y: { domain: [0, 1], axis: null },
    marks: [
      Plot.ruleX(axes, { x: (_, at) => at, stroke: ink.axis, strokeWidth: 1.5 }),
      Plot.line(lines, {
        ...{ x: "x", y: "y", z: "row", className: "lines" },
        strokeOpacity: ({ point }: (typeof lines)[number]) => (point.isBaseline ? 1 : faint),
        stroke: ({ point }: (typeof lines)[number]) => (point.isBaseline ? ink.orange : ink.blue),
        strokeWidth: ({ point }: (typeof lines)[number]) => (point.isBaseline ? 2.4 : 1.5),
      }),
      Plot.text(axes, {
        ...{ x: (_, at) => at, y: () => 1, text: (_, at) => names[at] ?? "", className: "names" },
        ...(isTurned
          ? { rotate: -30, dy: -22, dx: -6, textAnchor: "start" as const }
          : { dy: -24 }),
        fontWeight: 600,
        fill: ({ kind }: Axis) => (kind === "factor" ? ink.text : ink.outcome),
      }),
      end(1, ({ ends }) => ends[1], -10),
      end(0, ({ ends }) => ends[0], 12),
    ],
  };
  const whole = axes.map(
    ({ name, kind, ends }): Spot => ({
      points: [],
      says: [`${kind} ${name}`, ends[0] === "" ? "no values" : `from ${ends[0]} to ${ends[1]}`],
    }),
  );
  const svg = view.drawn("Parallel coordinates", options, {
    lines: drawn.map(({ index }) => ({ point: index })),
    names: whole,
  });
  const brush: Brush = {
    ...{ top, bottom },
    axes: axes.map(({ name }, at) => ({ name: nameText(name), x: SIDE + at * step })),
    at: Object.fromEntries(
      points.map(({ index }, row) => [index, axes.map(({ at }) => at[row] ?? null)]),
    ),
  };
  const hidden = [
    all.length > axes.length
      ? `axes of ${all
          .slice(axes.length)
          .map(({ name }) => nameText(name))
          .join(", ")}`
      : [],
    view.points.length > points.length ? `${view.points.length - points.length} more points` : [],
  ].flat();
  const isCompared = drawn.some(({ isBaseline }) => isBaseline);
  return {
    title: "All points",
    caption: `A line is a point${isCompared ? ", the orange one the baseline" : ""}. Draw up or down along an axis to choose points here and in all charts.${
      hidden.length === 0 ? "" : ` Not drawn: ${hidden.join("; ")}.`
    }`,
    svg,
    isWide: true,
    brush,
  };
}

function axesOf(view: View): readonly Axis[] {
  const factors = view.result.study.factors.map((factor): Axis => {
    const levels = levelsOf(view, factor);
    const keys = new Map(levels.map((value, at) => [JSON.stringify(value), at]));
    const isLine = isNumeric(view, factor);
    const isLog = factor.kind === "number" && factor.isLog;
    const at = view.points.map(({ values }) => {
      const value = values[factor.name];
      if (isLine) return isLog ? Math.log(Number(value)) : Number(value);
      return keys.get(JSON.stringify(value)) ?? null;
    });
    const text = (value: (typeof levels)[number] | undefined) => view.valueText(factor.name, value);
    const ends = [text(levels[0]), text(levels.at(-1))] as const;
    return { name: factor.name, kind: "factor", ends, at: spread(at) };
  });
  const outcomes = view.outcomes.map((name): Axis => {
    const { text } = view.outcome(name);
    const at = view.points.map((point) => meanAt(point, name)?.estimate ?? null);
    const known = at.flatMap((value) => value ?? []);
    const ends =
      known.length === 0
        ? (["", ""] as const)
        : ([text(Math.min(...known)), text(Math.max(...known))] as const);
    return { name: view.headOf(name), kind: "outcome", ends, at: spread(at) };
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
