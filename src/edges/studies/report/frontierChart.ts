/** A frontier: how probable the outcome is along the axis, a line for each combination of the other factors. */
import * as Plot from "@observablehq/plot";
import { type FrontierAt, toldThreshold } from "../../../studies/frontier.ts";
import { proportionInterval } from "../../../studies/statistics/proportions.ts";
import { CHART, type Chart, ink, LINES, nameText, type PointSpot, type Spot } from "./chart.ts";
import type { View } from "./view.ts";

interface Look {
  readonly x: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
  readonly color: string;
  readonly z: number;
  readonly spot: Spot | PointSpot;
}

/** As many combinations to a chart as there are colours. */
export function frontierCharts(view: View): readonly Chart[] {
  const { frontier, study } = view.result;
  const along = study.factors.find(({ name }) => name === frontier?.design.along);
  if (frontier === null || along === undefined) return [];
  const { outcome, at } = frontier.design;
  const axis = view.factor(along);
  const others = study.factors.filter(({ name }) => name !== along.name);
  const text = ({ setting }: FrontierAt): string =>
    others
      .map(({ name }) => `${nameText(name)} ${view.valueText(name, setting[name])}`)
      .join(", ") || "the study's own policy";
  const key = (setting: FrontierAt["setting"], value: number): string =>
    JSON.stringify([value, ...others.map(({ name }) => setting[name])]);
  const points = new Map(
    view.points.map(({ index, values }) => [key(values, Number(values[along.name])), index]),
  );
  const which = view.outcomes.indexOf(outcome);
  const starts = frontier.combinations.flatMap((_, place) =>
    place % LINES.length === 0 ? [place] : [],
  );
  return starts.map((start): Chart => {
    const own = frontier.combinations.slice(start, start + LINES.length);
    const color = (place: number): string => LINES[place] ?? ink.text;
    const looks = own.flatMap((one, z) =>
      one.looks.map(({ value, hits, replicates }): Look => {
        const { estimate, low, high } = proportionInterval(hits, replicates);
        const point = points.get(key(one.setting, value));
        const says = [`${axis.label} = ${axis.text(value)}`, `${hits} of ${replicates}`];
        return {
          ...{ x: axis.at(value), share: estimate, low: low ?? 0, high: high ?? 1, z },
          color: color(z),
          spot: point === undefined ? { says, points: [] } : { point, outcome: which },
        };
      }),
    );
    const between = own.flatMap(({ threshold }, z) =>
      threshold.kind === "between" ? [{ threshold, z }] : [],
    );
    // Beside one another, as they have one height.
    const beside = (z: number): number => (z - (own.length - 1) / 2) * 6;
    const options: Plot.PlotOptions = {
      ...{ width: CHART.wide, height: 360, marginLeft: 64, marginBottom: 44 },
      x: { label: axis.label, ticks: 8, inset: 10 },
      y: { label: `P(${nameText(outcome)})`, domain: [0, 1], grid: true, ticks: 5 },
      marks: [
        Plot.ruleY([at], { stroke: ink.quiet, strokeDasharray: "3 3" }),
        Plot.ruleX(looks, { x: "x", y1: "low", y2: "high", stroke: "color", strokeOpacity: 0.55 }),
        Plot.line(looks, { x: "x", y: "share", z: "z", stroke: "color", strokeWidth: 1.6 }),
        Plot.dot(looks, {
          ...{ x: "x", y: "share", fill: "color", r: 3.5, className: "looks", sort: null },
        }),
        ...between.flatMap(({ threshold: { low, high, at: found }, z }) => [
          Plot.ruleY([0], {
            ...{ x1: axis.at(low), x2: axis.at(high), y: at, dy: beside(z) },
            ...{ stroke: color(z), strokeWidth: 4, strokeOpacity: 0.5 },
          }),
          Plot.dot([0], {
            ...{ x: axis.at(found), y: at, dy: beside(z), r: 5, symbol: "diamond" },
            ...{ fill: color(z), stroke: ink.paper, className: `threshold${z}` },
          }),
        ]),
      ],
    };
    const thresholds = between.map(({ threshold, z }) => {
      const { low, high } = threshold;
      const said = (value: number): string => axis.text(Math.round(value));
      const one = own[z];
      const says = [
        one === undefined ? "" : text(one),
        `P(${nameText(outcome)}) = ${at} at ${axis.label} = ${said(toldThreshold(threshold))}`,
        `surely rarer or commoner at ${said(low)} and ${said(high)}`,
      ];
      return [`threshold${z}`, [{ points: [], says }]] as const;
    });
    return {
      title: `P(${nameText(outcome)}) along ${nameText(along.name)}`,
      caption: `Dots: shares of runs with 95 % intervals (Wilson). Diamonds: where the share is ${at}, on the line between two looks; bars: the values at which the outcome is surely rarer or commoner, drawn beside one another at ${at}.`,
      legend: own.map((one, z) => ({
        color: color(z),
        text: `${text(one)}: ${thresholdText(one, axis.text)}`,
      })),
      svg: view.drawn("A frontier", options, {
        looks: looks.map(({ spot }) => spot),
        ...Object.fromEntries(thresholds),
      }),
      isWide: true,
    };
  });
}

function thresholdText({ threshold }: FrontierAt, told: (value: number) => string): string {
  switch (threshold.kind) {
    case "between": {
      const [at, low, high] = [toldThreshold(threshold), threshold.low, threshold.high].map(
        (value) => told(Math.round(value)),
      );
      return `${at} [${low}, ${high}]`;
    }
    case "beyond":
      return threshold.side === "undecided"
        ? "an end is undecided"
        : `${threshold.side} at both ends`;
    case "notMonotone":
      return "not monotone, so all values were played";
    case "noValue":
      return `nothing is claimed: ${threshold.runs} runs gave no value`;
  }
}
