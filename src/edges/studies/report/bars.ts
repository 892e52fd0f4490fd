/** How much each factor matters to an outcome: indices of sensitivity, or a tornado of differences from the baseline. */
import * as Plot from "@observablehq/plot";
import { factorGroups } from "../../../studies/sample/factorGroups.ts";
import type { Sensitivity } from "../../../studies/sense.ts";
import { number } from "../studyNumbers.ts";
import {
  CHARACTER,
  CHART,
  type Chart,
  ink,
  nameText,
  type PointSpot,
  type Spot,
  shortened,
} from "./chart.ts";
import type { View } from "./view.ts";

interface Bar {
  readonly factor: string;
  readonly which: string;
  readonly to: number;
  /** The ends of the interval. */
  readonly low: number | null;
  readonly high: number | null;
  readonly spot: Spot | PointSpot;
}

/** Ours: rows that one chart shows, the largest. */
const ROWS_MOST = 40;
/** Ours: characters of a factor's name beside its bar. */
const NAME_MOST = 34;
/** Of a pair of bars: what a factor makes alone, and with all others. */
const FILLS = [ink.blue, ink.pale];

type SomeIndices = Exclude<Sensitivity, { readonly kind: "none" }>;

/** Undefined where there is nothing to compare. */
export function bars(view: View, outcome: string): Chart | undefined {
  const { indices } = view.result;
  if (indices === null) return tornado(view, outcome);
  const of = indices[outcome];
  if (of === undefined || of.kind === "none") return undefined;
  const found = indexBars(view, of, outcome);
  const isSobol = of.kind === "sobol";
  const { noise } = of;
  const drawn = barsSvg(
    view,
    found,
    isSobol ? "share of the variance" : `mu_star of ${view.outcome(outcome, outcome).label}`,
  );
  return {
    title: `What ${nameText(outcome)} depends on`,
    caption: `${
      isSobol
        ? `Sobol indices with 95 % intervals: S1 is the share of the variance that a factor makes alone, ST with all others.${
            noise === null ? "" : ` Of the variance of the means, ${number(noise)} is chance.`
          }`
        : "Morris's mu_star, the mean size of a factor's effect over its range, with 95 % intervals."
    }${drawn.hidden}`,
    svg: drawn.svg,
    ...(isSobol && { legend: ["S1", "ST"].map((text, at) => ({ text, color: FILLS[at] ?? "" })) }),
  };
}

function indexBars(view: View, of: SomeIndices, outcome: string): readonly Bar[] {
  return factorGroups(view.result.study).names.flatMap((name, at) => {
    const { text, at: scaled } = view.outcome(outcome);
    const told = of.kind === "sobol" ? number : text;
    const onAxis = of.kind === "sobol" ? (value: number) => value : scaled;
    const one = (which: string, value = 0, half = 0, more: readonly string[] = []): Bar => ({
      ...{ factor: name, which, to: onAxis(value) },
      ...{ low: onAxis(value - half), high: onAxis(value + half) },
      spot: {
        points: [],
        says: [nameText(name), `${which} = ${told(value)} ± ${told(half)}`, ...more],
      },
    });
    if (of.kind === "sobol") {
      return [one("S1", of.S1[at], of.S1_conf[at]), one("ST", of.ST[at], of.ST_conf[at])];
    }
    const [mu, sigma] = [of.mu[at] ?? null, of.sigma[at] ?? null];
    const more =
      mu === null || sigma === null ? [] : [`mu = ${told(mu)}`, `sigma = ${told(sigma)}`];
    return [one("mu_star", of.mu_star[at], of.mu_star_conf[at], more)];
  });
}

/** Of points that differ from the baseline in one factor alone: a row for each value that it was moved to. */
function tornado(view: View, outcome: string): Chart | undefined {
  const { study } = view.result;
  const baseline = view.points.find(({ isBaseline }) => isBaseline);
  if (baseline === undefined) return undefined;
  const { at: scaled, label } = view.outcome(outcome);
  const which = view.outcomes.indexOf(outcome);
  const found = view.points.flatMap((point): Bar[] => {
    const moved = study.factors.filter(
      ({ name }) => JSON.stringify(point.values[name]) !== JSON.stringify(baseline.values[name]),
    );
    const difference = point.outcomes[outcome]?.difference ?? null;
    const [only] = moved;
    if (only === undefined || moved.length !== 1 || difference === null) return [];
    const { estimate, low, high } = difference;
    return [
      {
        ...{ factor: only.name, which: view.valueText(only.name, point.values[only.name]) },
        ...{ to: scaled(estimate), low: low === null ? null : scaled(low) },
        ...{ high: high === null ? null : scaled(high) },
        spot: { point: point.index, outcome: which },
      },
    ];
  });
  if (found.length === 0) return undefined;
  const drawn = barsSvg(view, found, `difference of ${label}`);
  return {
    title: `${nameText(view.headOf(outcome))}: what moving one factor does`,
    caption: `Differences from the baseline, with 95 % intervals, of points that differ in one factor.${drawn.hidden}`,
    svg: drawn.svg,
  };
}

/** The factor that moves most comes first; its bars stand together. */
function barsSvg(view: View, all: readonly Bar[], label: string) {
  const reach = new Map<string, number>();
  for (const { factor, to } of all) {
    reach.set(factor, Math.max(reach.get(factor) ?? 0, Math.abs(to)));
  }
  const sorted = all.toSorted((a, b) => (reach.get(b.factor) ?? 0) - (reach.get(a.factor) ?? 0));
  const shown = sorted.slice(0, ROWS_MOST);
  const kinds = [...new Set(shown.map(({ which }) => which))];
  const isPaired = kinds.length === 2 && kinds.includes("S1");
  const row = (bar: Bar): string => `${shortened(bar.factor, NAME_MOST)} ${bar.which}`;
  const rows = [...new Set(shown.map(row))];
  const named = kinds.length === 1 ? (text: string) => text.replace(/ \S+$/, "") : String;
  const longest = Math.max(...rows.map((text) => named(text).length));
  const ranged = shown.filter(({ low, high }) => low !== null && high !== null);
  const isFlat = shown.every(
    ({ to, low, high }) => to === 0 && (low ?? 0) === 0 && (high ?? 0) === 0,
  );
  const options: Plot.PlotOptions = {
    ...{ height: 70 + 22 * rows.length, marginBottom: 40 },
    marginLeft: Math.min(CHART.width * 0.6, 14 + longest * CHARACTER),
    // Without a width the scale would spread nothing over the whole axis.
    x: { label, grid: true, nice: true, ticks: 4, ...(isFlat && { domain: [-1, 1] }) },
    y: { type: "band", domain: rows, label: null, padding: 0.25, tickFormat: named, tickSize: 0 },
    marks: [
      Plot.barX(shown, {
        ...{ x1: 0, x2: "to", y: row, className: "bars" },
        fill: ({ which }: Bar) => (isPaired ? (FILLS[kinds.indexOf(which)] ?? ink.blue) : ink.blue),
      }),
      Plot.ruleY(ranged, { x1: "low", x2: "high", y: row, stroke: ink.text, strokeWidth: 1.5 }),
      Plot.ruleX([0], { stroke: ink.text }),
    ],
  };
  const spots = { bars: shown.map(({ spot }) => spot) };
  const svg = view.drawn("Factors by how much they matter", options, spots);
  const left = all.length - shown.length;
  const hidden = left === 0 ? "" : ` ${left} smaller ones are not drawn.`;
  return { svg, hidden: isFlat ? ` All of them are 0.${hidden}` : hidden };
}
