/** What a search found: its trials one after another, and the points that no other beats in two goals. */
import * as Plot from "@observablehq/plot";
import type { StudyResult } from "../../../studies/result.ts";
import { paretoFront } from "../../../studies/search/pareto.ts";
import { ink } from "../../pictureFrame.ts";
import { CHART, type Chart, named, plotted, type Spot, type Spots, told } from "./chart.ts";
import { meanAt, pointSpot } from "./settings.ts";

/** The values of each objective by trial, and the best so far. */
export function history(result: StudyResult, spots: Spots): readonly Chart[] {
  const { study, trials, points } = result;
  if (trials.length === 0) return [];
  return (study.goal?.objectives ?? []).flatMap(({ outcome, direction }, at) => {
    const scored = trials.flatMap((trial) => {
      const value = trial.values?.[at];
      return value === undefined ? [] : [{ ...trial, value }];
    });
    if (scored.length === 0) return [];
    const isBetter = (a: number, b: number) => (direction === "maximise" ? a > b : a < b);
    let best = scored[0]?.value ?? 0;
    const soFar = scored.map(({ number, value }) => {
      if (isBetter(value, best)) best = value;
      return { number, best };
    });
    const rest = trials.filter(({ values }) => values === null);
    const svg = plotted("Trials of the search", {
      ...{ width: CHART.wide, marginLeft: 64, marginBottom: 40 },
      x: { label: "trial", inset: 8 },
      y: { label: named(outcome), grid: true, nice: true, ticks: 5 },
      marks: [
        Plot.line(soFar, { x: "number", y: "best", curve: "step-after", stroke: ink.abandoned }),
        Plot.dot(scored, {
          x: "number",
          y: "value",
          r: 3.5,
          fill: ink.completed,
          className: "trials",
        }),
        Plot.dot(rest, {
          ...{ x: "number", frameAnchor: "bottom", dy: -6, r: 3.5, symbol: "times" },
          ...{ stroke: ink.quiet, className: "rest" },
        }),
      ],
    });
    const spotOf = (trial: (typeof trials)[number]): Spot => {
      const value = trial.values?.[at];
      const point = points.find(({ index }) => index === trial.point);
      return {
        points: trial.point === null ? [] : [trial.point],
        says: [
          `trial ${trial.number}, ${trial.state}`,
          ...(value === undefined ? [] : [`${named(outcome)}: ${told(value)}`]),
          ...(trial.reason === null ? [] : [named(trial.reason)]),
          ...(point === undefined ? [] : pointSpot(point, result).says),
        ],
      };
    };
    spots.mark(svg, "trials", scored.map(spotOf));
    spots.mark(svg, "rest", rest.map(spotOf));
    return [
      {
        title: `Search: ${named(outcome)}`,
        caption:
          "Dots: trials with a value; the line: the best so far; crosses: trials without a value.",
        svg: svg.outerHTML,
      },
    ];
  });
}

/** Of two goals. */
export function front(result: StudyResult, spots: Spots): Chart | undefined {
  const { study, trials, points } = result;
  const [across, up, ...more] = study.goal?.objectives ?? [];
  if (across === undefined || up === undefined || more.length > 0) return undefined;
  const scores = points.map((point) => {
    const own = trials.filter((trial) => trial.point === point.index);
    if (trials.length > 0) return own.find(({ values }) => values !== null)?.values ?? null;
    const [x, y] = [meanAt(point, across.outcome), meanAt(point, up.outcome)];
    return x === null || y === null ? null : [x.estimate, y.estimate];
  });
  const found = new Set(paretoFront(scores, [across.direction, up.direction]));
  const drawn = points.flatMap((point, at) => {
    const [x, y] = scores[at] ?? [];
    return x === undefined || y === undefined ? [] : [{ point, x, y, isFront: found.has(at) }];
  });
  if (drawn.length === 0) return undefined;
  const best = drawn.filter(({ isFront }) => isFront).sort((a, b) => a.x - b.x);
  const svg = plotted("Pareto front", {
    ...{ width: CHART.wide, height: 340, marginLeft: 64, marginBottom: 44 },
    x: { label: `${named(across.outcome)} (${across.direction})`, nice: true, grid: true },
    y: { label: `${named(up.outcome)} (${up.direction})`, nice: true, grid: true },
    marks: [
      Plot.line(best, { x: "x", y: "y", stroke: ink.abandoned, strokeDasharray: "4 3" }),
      Plot.dot(drawn, {
        ...{ x: "x", y: "y", className: "front", stroke: ink.completed, strokeWidth: 1.5 },
        r: ({ isFront }: (typeof drawn)[number]) => (isFront ? 6 : 3.5),
        fill: ({ isFront }: (typeof drawn)[number]) => (isFront ? ink.abandoned : "white"),
        ...{ sort: null },
      }),
    ],
  });
  spots.mark(
    svg,
    "front",
    drawn.map(({ point }) => pointSpot(point, result)),
  );
  return {
    title: "Pareto front",
    caption: "Full dots: points that no other is as good as in both goals and better than in one.",
    svg: svg.outerHTML,
  };
}
