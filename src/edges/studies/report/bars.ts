/** How much each factor matters to an outcome: indices of sensitivity, or a tornado of differences from the baseline. */
import * as Plot from "@observablehq/plot";
import type { Indices, StudyResult } from "../../../studies/result.ts";
import { ink } from "../../pictureFrame.ts";
import { type Chart, named, plotted, type Spot, type Spots, told } from "./chart.ts";
import { pointSpot } from "./settings.ts";

interface Bar {
  readonly factor: string;
  readonly which: string;
  readonly from: number;
  readonly to: number;
  /** The ends of the interval. */
  readonly low: number | null;
  readonly high: number | null;
  readonly spot: Spot;
}

/** Undefined where there is nothing to compare. */
export function bars(result: StudyResult, outcome: string, spots: Spots): Chart | undefined {
  if (result.indices === null) return tornado(result, outcome, spots);
  const found = indexBars(result, result.indices, outcome);
  if (found.length === 0) return undefined;
  const isSobol = result.indices.kind === "sobol";
  const noise = result.indices.kind === "sobol" ? result.indices.of[outcome]?.noise : null;
  return {
    title: `What ${named(outcome)} depends on`,
    caption: isSobol
      ? `Sobol indices with 95 % intervals: S1 is the share of the variance that a factor makes alone, ST with all others.${
          noise == null ? "" : ` Of the variance of the means, ${told(noise)} is chance.`
        }`
      : "Morris's mu_star, the mean size of a factor's effect over its range, with 95 % intervals.",
    svg: barsSvg(found, isSobol ? "share of the variance" : "mu_star", spots),
  };
}

function indexBars({ study }: StudyResult, indices: Indices, outcome: string): readonly Bar[] {
  return study.factors.flatMap(({ name }, at) => {
    const one = (which: string, value = 0, half = 0, more: readonly string[] = []): Bar => ({
      ...{ factor: named(name), which, from: 0, to: value },
      ...{ low: value - half, high: value + half },
      spot: {
        points: [],
        says: [named(name), `${which} = ${told(value)} ± ${told(half)}`, ...more],
      },
    });
    if (indices.kind === "sobol") {
      const of = indices.of[outcome];
      if (of === undefined) return [];
      return [one("S1", of.S1[at], of.S1_conf[at]), one("ST", of.ST[at], of.ST_conf[at])];
    }
    const of = indices.of[outcome];
    if (of === undefined) return [];
    const more = [`mu = ${told(of.mu[at] ?? 0)}`, `sigma = ${told(of.sigma[at] ?? 0)}`];
    return [one("mu_star", of.mu_star[at], of.mu_star_conf[at], more)];
  });
}

/** Of points that differ from the baseline in one factor alone. */
function tornado(result: StudyResult, outcome: string, spots: Spots): Chart | undefined {
  const { study, points } = result;
  const baseline = points.find(({ isBaseline }) => isBaseline);
  if (baseline === undefined) return undefined;
  const found = points.flatMap((point): Bar[] => {
    const moved = study.factors.filter(
      ({ name }) => JSON.stringify(point.values[name]) !== JSON.stringify(baseline.values[name]),
    );
    const difference = point.outcomes[outcome]?.difference ?? null;
    const [only] = moved;
    if (only === undefined || moved.length !== 1 || difference === null) return [];
    const { estimate, low, high } = difference;
    const spot = pointSpot(point, result, outcome);
    return [{ factor: named(only.name), which: "", from: 0, to: estimate, low, high, spot }];
  });
  if (found.length === 0) return undefined;
  return {
    title: `${named(outcome)}: what moving one factor does`,
    caption:
      "Differences from the baseline, with 95 % intervals, of points that differ in one factor.",
    svg: barsSvg(found, `difference of ${named(outcome)}`, spots),
  };
}

function barsSvg(all: readonly Bar[], label: string, spots: Spots): string {
  const reach = (factor: string): number =>
    Math.max(...all.filter((bar) => bar.factor === factor).map(({ to }) => Math.abs(to)));
  const factors = [...new Set(all.map(({ factor }) => factor))].sort((a, b) => reach(b) - reach(a));
  const kinds = [...new Set(all.map(({ which }) => which))];
  const isSplit = kinds.length > 1;
  const row = (bar: Bar): string => (isSplit ? `${bar.factor} ${bar.which}` : bar.factor);
  const rows = isSplit
    ? factors.flatMap((factor) => kinds.map((which) => `${factor} ${which}`))
    : factors;
  const fills = [ink.completed, "#9ecae8"];
  const ranged = all.filter(({ low, high }) => low !== null && high !== null);
  const svg = plotted("Factors by how much they matter", {
    ...{ height: 70 + 24 * rows.length, marginLeft: 200, marginBottom: 40 },
    x: { label, grid: true, nice: true, ticks: 5 },
    y: { type: "band", domain: rows, label: null, padding: 0.25 },
    marks: [
      Plot.barX(all, {
        ...{ x1: "from", x2: "to", y: row, className: "bars", fillOpacity: isSplit ? 1 : 0.75 },
        fill: ({ which }: Bar) => fills[kinds.indexOf(which)] ?? ink.completed,
      }),
      Plot.ruleY(ranged, { x1: "low", x2: "high", y: row, stroke: ink.text, strokeWidth: 1.5 }),
      Plot.ruleX([0], { stroke: ink.text }),
    ],
  });
  spots.mark(
    svg,
    "bars",
    all.map(({ spot }) => spot),
  );
  return svg.outerHTML;
}
