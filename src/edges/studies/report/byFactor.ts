/** An outcome by a factor: every point with its interval, and the mean at each of the factor's values. */
import * as Plot from "@observablehq/plot";
import type { PolicyValue } from "../../../contract/policyTree.ts";
import { acrossIn } from "../../../studies/outcomes/outcome.ts";
import { type Estimate, meanInterval } from "../../../studies/statistics/intervals.ts";
import type { Factor } from "../../../studies/study.ts";
import type { SweptPoint } from "../../../studies/sweepSummary.ts";
import { CHARACTER, CHART, type Chart, ink, nameText, type Spot, shortened } from "./chart.ts";
import { isAt, isNumeric, levelsOf, meanAt, type View } from "./view.ts";

/** Ours: more values than this are points of a line, not levels of their own. */
const LEVELS_MOST = 20;
/** Ours: with more points their intervals cover one another. */
const INTERVALS_MOST = 300;
/** Ours: characters of a value below the axis. */
const TICK_MOST = 18;
const LEFT = 64;

interface Level {
  readonly x: number | string;
  readonly of: Estimate;
  readonly spot: Spot;
}

/** Undefined where fewer than two points have a value: the table says it. */
export function byFactor(view: View, factor: Factor, outcome: string): Chart | undefined {
  const isLine = isNumeric(view, factor);
  const across = view.factor(factor);
  const up = view.outcome(outcome);
  const x = (value: PolicyValue | undefined): number | string =>
    isLine ? across.at(Number(value)) : shortened(view.valueText(factor.name, value), TICK_MOST);
  const points = view.points.flatMap((point) => {
    const of = meanAt(point, outcome);
    return of === null ? [] : [{ x: x(point.values[factor.name]), of, point }];
  });
  if (points.length < 2) return undefined;
  const values = levelsOf(view, factor);
  // What a search or a bisection looked at has other settings beside each value.
  const isDesigned = view.result.frontier === null && view.result.study.design !== null;
  // Where no two points share a value, a level says no more than its point.
  const isShared = values.length < points.length || view.result.study.factors.length === 1;
  const head = nameText(view.headOf(outcome));
  const isMean = acrossIn(view.result.study.outcomes, outcome) === null;
  const hasLevels = isDesigned && isShared && values.length <= LEVELS_MOST;
  const levels = hasLevels ? values.flatMap((value) => levelAt(value)) : [];

  function levelAt(value: PolicyValue): readonly Level[] {
    const own = view.points.filter((point) => isAt(point, factor, value));
    // Of several points no quantile and no worst is known, only of each.
    const of = isMean || own.length === 1 ? levelMean(view, own, outcome) : null;
    if (of === null) return [];
    const [only] = own;
    const says = [
      view.settingText(factor.name, value),
      `${head}: ${view.estimateText(outcome, of)}`,
      own.length === 1 ? `point ${only?.index}` : `over ${own.length} points`,
    ];
    return [{ x: x(value), of, spot: { says, points: own.map(({ index }) => index) } }];
  }

  const isLog = factor.kind === "number" && factor.isLog;
  const place = { x: "x", y: (one: { readonly of: Estimate }) => up.at(one.of.estimate) };
  const ranged = <T extends { readonly of: Estimate }>(all: readonly T[]) =>
    all.filter(({ of }) => of.low !== null && of.high !== null);
  const ends = {
    ...{ x: "x", y1: ({ of }: { readonly of: Estimate }) => up.at(of.low ?? 0) },
    y2: ({ of }: { readonly of: Estimate }) => up.at(of.high ?? 0),
  };
  const ticks = isLine ? [] : [...new Set(values.map(x))];
  const isTight =
    ticks.reduce<number>((sum, tick) => sum + (String(tick).length + 1) * CHARACTER, 0) >
    CHART.width - LEFT;
  const longest = Math.max(0, ...ticks.map((tick) => String(tick).length));
  const isFew = points.length <= INTERVALS_MOST;
  const options: Plot.PlotOptions = {
    ...{ marginLeft: LEFT, marginBottom: isTight ? 44 + longest * 4 : 44 },
    x: {
      label: across.label,
      ...(isLine
        ? { type: isLog ? ("log" as const) : ("linear" as const), ticks: 5, inset: 12 }
        : { type: "point" as const, domain: ticks, ...(isTight && { tickRotate: -35 }) }),
    },
    y: { label: up.label, grid: true, nice: true, ticks: 5 },
    marks: [
      Plot.ruleX(isFew ? ranged(points) : [], { ...ends, stroke: ink.axis, strokeWidth: 1 }),
      Plot.dot(points, {
        ...{ ...place, r: isFew ? 2.5 : 1.8, fill: ink.paper },
        ...{ stroke: ink.quiet, className: "points" },
      }),
      ...(isLine && levels.length > 1
        ? [Plot.line(levels, { ...place, stroke: ink.blue, strokeWidth: 1.5 })]
        : []),
      Plot.ruleX(ranged(levels), { ...ends, stroke: ink.blue, strokeWidth: 2.5 }),
      Plot.dot(levels, { ...place, r: 4.5, fill: ink.blue, className: "levels" }),
    ],
  };
  const which = view.outcomes.indexOf(outcome);
  const svg = view.drawn("Outcome by factor", options, {
    points: points.map(({ point }) => ({ point: point.index, outcome: which })),
    levels: levels.map(({ spot }) => spot),
  });
  const isRanged = (all: readonly { readonly of: Estimate }[]) => ranged(all).length > 0;
  const rings = isFew
    ? `Rings: the points${isRanged(points) ? ", with 95 % intervals" : ""}.`
    : "Rings: the points, without their intervals, which points.csv has.";
  const what = isMean ? "mean over all points with" : `${head} at`;
  const dots = `Full dots: the ${what} that value${
    isRanged(levels) ? ", with its 95 % interval" : ""
  }.`;
  return {
    title: `${head} by ${nameText(factor.name)}`,
    caption: levels.length > 0 ? `${dots} ${rings}` : rings,
    svg,
  };
}

/** Over the points of a level, replicate by replicate, so that seeds in common are no false sample. */
function levelMean(view: View, points: readonly SweptPoint[], outcome: string): Estimate | null {
  const [only] = points;
  if (only !== undefined && points.length === 1) return meanAt(only, outcome);
  const sums = new Map<number, { n: number; sum: number }>();
  for (const { index } of points) {
    for (const { replicate, values } of view.runsOf(index)) {
      const value = values[outcome] ?? null;
      if (value === null) continue;
      const own = sums.get(replicate) ?? { n: 0, sum: 0 };
      sums.set(replicate, { n: own.n + 1, sum: own.sum + value });
    }
  }
  const whole = [...sums.values()].filter(({ n }) => n === points.length);
  return whole.length === 0 ? null : meanInterval(whole.map(({ n, sum }) => sum / n));
}
