/** An outcome by a factor: every point with its interval, and the mean at each of the factor's values. */
import * as Plot from "@observablehq/plot";
import type { PolicyValue } from "../../../policy.ts";
import type { StudyResult } from "../../../studies/result.ts";
import { type Estimate, meanInterval } from "../../../studies/statistics/intervals.ts";
import type { Factor } from "../../../studies/study.ts";
import type { SweptPoint } from "../../../studies/sweepSummary.ts";
import { ink } from "../../pictureFrame.ts";
import { type Chart, named, plotted, type Spot, type Spots } from "./chart.ts";
import {
  estimateText,
  isAt,
  isNumeric,
  levelsOf,
  meanAt,
  pointSpot,
  valueText,
} from "./settings.ts";

/** Ours: more values than this are points of a line, not levels of their own. */
const LEVELS_MOST = 20;

interface Level {
  readonly x: number | string;
  readonly of: Estimate;
  readonly spot: Spot;
}

/** Undefined where no point has a value. */
export function byFactor(
  result: StudyResult,
  factor: Factor,
  outcome: string,
  spots: Spots,
): Chart | undefined {
  const at = { factor, result };
  const isLine = isNumeric(at);
  const x = (value: PolicyValue | undefined): number | string =>
    isLine ? Number(value) : valueText(value);
  const points = result.points.flatMap((point) => {
    const of = meanAt(point, outcome);
    return of === null ? [] : [{ x: x(point.values[factor.name]), of, point }];
  });
  if (points.length === 0) return undefined;
  const values = levelsOf(at);
  const levels = values.length > LEVELS_MOST ? [] : values.flatMap((value) => levelAt(value));

  function levelAt(value: PolicyValue): readonly Level[] {
    const own = result.points.filter((point) => isAt(point, factor, value));
    const of = levelMean(result, own, outcome);
    if (of === null) return [];
    const says = [
      `${named(factor.name)} = ${valueText(value)}`,
      `${named(outcome)}: ${estimateText(of)}`,
      `over ${own.length} points`,
    ];
    return [{ x: x(value), of, spot: { says, points: own.map(({ index }) => index) } }];
  }

  const isLog = factor.kind === "number" && factor.isLog;
  const place = { x: "x", y: (one: Level) => one.of.estimate };
  const ranged = <T extends { readonly of: Estimate }>(all: readonly T[]) =>
    all.filter(({ of }) => of.low !== null && of.high !== null);
  const low = ({ of }: { readonly of: Estimate }) => of.low;
  const high = ({ of }: { readonly of: Estimate }) => of.high;
  const quiet = { stroke: ink.axis, strokeWidth: 1 };
  const svg = plotted("Outcome by factor", {
    marginLeft: 64,
    marginBottom: 44,
    x: {
      label: named(factor.name),
      ...(isLine
        ? { type: isLog ? ("log" as const) : ("linear" as const), ticks: 5, inset: 12 }
        : { type: "point" as const, domain: values.map(valueText) }),
    },
    y: { label: named(outcome), grid: true, nice: true, ticks: 5 },
    marks: [
      Plot.ruleX(ranged(points), { x: "x", y1: low, y2: high, ...quiet }),
      Plot.dot(points, {
        ...{ x: "x", y: (one: (typeof points)[number]) => one.of.estimate, r: 2.5 },
        ...{ fill: "white", stroke: ink.quiet, className: "points" },
      }),
      ...(isLine && levels.length > 1
        ? [Plot.line(levels, { ...place, stroke: ink.completed, strokeWidth: 1.5 })]
        : []),
      Plot.ruleX(ranged(levels), {
        x: "x",
        y1: low,
        y2: high,
        stroke: ink.completed,
        strokeWidth: 2.5,
      }),
      Plot.dot(levels, { ...place, r: 4.5, fill: ink.completed, className: "levels" }),
    ],
  });
  spots.mark(
    svg,
    "points",
    points.map(({ point }) => pointSpot(point, result, outcome)),
  );
  spots.mark(
    svg,
    "levels",
    levels.map(({ spot }) => spot),
  );
  return {
    title: `${named(outcome)} by ${named(factor.name)}`,
    caption:
      levels.length > 0
        ? "Full dots: the mean over all points with that value, with its 95 % interval. Rings: the points."
        : "Rings: the points, with 95 % intervals.",
    svg: svg.outerHTML,
  };
}

/** Over the points of a level, replicate by replicate, so that seeds in common are no false sample. */
function levelMean(
  { runs }: StudyResult,
  points: readonly SweptPoint[],
  outcome: string,
): Estimate | null {
  const [only] = points;
  if (only !== undefined && points.length === 1) return meanAt(only, outcome);
  const indices = new Set(points.map(({ index }) => index));
  const sums = new Map<number, { n: number; sum: number }>();
  for (const { point, replicate, values } of runs) {
    const value = values[outcome] ?? null;
    if (!indices.has(point) || value === null) continue;
    const own = sums.get(replicate) ?? { n: 0, sum: 0 };
    sums.set(replicate, { n: own.n + 1, sum: own.sum + value });
  }
  const whole = [...sums.values()].filter(({ n }) => n === points.length);
  return whole.length === 0 ? null : meanInterval(whole.map(({ n, sum }) => sum / n));
}
