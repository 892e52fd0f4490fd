/** What a search found: its trials one after another, and the points that no other beats in two goals. */
import * as Plot from "@observablehq/plot";
import type { StudyTrial } from "../../../studies/result.ts";
import { paretoFront } from "../../../studies/search/pareto.ts";
import { CHART, type Chart, ink, nameText, type Spot } from "./chart.ts";
import { meanAt, type View } from "./view.ts";

/** The values of each objective by trial, and the best so far. */
export function history(view: View): readonly Chart[] {
  const { study, trials } = view.result;
  if (trials.length === 0) return [];
  const last = trials.at(-1)?.number ?? 0;
  return (study.goal?.objectives ?? []).flatMap(
    ({ outcome, direction }, at): Chart | readonly Chart[] => {
      const { label, at: scaled } = view.outcome(outcome);
      const scored = trials.flatMap((trial) => {
        const value = trial.values?.[at];
        return value === undefined ? [] : [{ ...trial, value, y: scaled(value) }];
      });
      if (scored.length === 0) return [];
      const isBetter = (a: number, b: number) => (direction === "maximise" ? a > b : a < b);
      let best = scored[0]?.value ?? 0;
      const soFar = scored.map(({ number, value }) => {
        if (isBetter(value, best)) best = value;
        return { number, best: scaled(best) };
      });
      const rest = trials.filter(({ values }) => values === null);
      const options: Plot.PlotOptions = {
        ...{ width: CHART.wide, marginLeft: 64, marginBottom: 40 },
        x: {
          label: "trial",
          inset: 8,
          domain: [0, Math.max(1, last)],
          ticks: wholeTicks(last),
          tickFormat: String,
        },
        y: { label, grid: true, nice: true, ticks: 5 },
        marks: [
          Plot.line([...soFar, { number: last, best: scaled(best) }], {
            ...{ x: "number", y: "best", curve: "step-after", stroke: ink.orange },
          }),
          Plot.dot(scored, { x: "number", y: "y", r: 3.5, fill: ink.blue, className: "trials" }),
          Plot.dot(rest, {
            ...{ x: "number", frameAnchor: "bottom", dy: -6, r: 3.5, symbol: "times" },
            ...{ stroke: ink.quiet, strokeWidth: 1.5, className: "rest" },
          }),
        ],
      };
      const svg = view.drawn("Trials of the search", options, {
        trials: scored.map((trial) => trialSpot(view, trial)),
        rest: rest.map((trial) => trialSpot(view, trial)),
      });
      const legend: { color: string; text: string }[] = [
        { color: ink.blue, text: "a trial with a value" },
        { color: ink.orange, text: "the best so far" },
      ];
      if (rest.length > 0) {
        legend.push({ color: ink.quiet, text: `×: ${rest.length} infeasible, pruned or failed` });
      }
      const title = `Search: ${nameText(view.headOf(outcome))} (${direction})`;
      return { title, caption: "In the order of the trials.", legend, svg, isWide: true };
    },
  );
}

/** Ours: ticks on the axis of the trials, at most. */
const TICKS_MOST = 12;

/** Trials are whole. */
function wholeTicks(last: number): readonly number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000].find(
    (one) => last / one <= TICKS_MOST,
  );
  const each = step ?? Math.ceil(last / TICKS_MOST);
  return Array.from({ length: Math.floor(last / each) + 1 }, (_, at) => at * each);
}

function trialSpot(view: View, trial: StudyTrial): Spot {
  const { study } = view.result;
  return {
    points: trial.point === null ? [] : [trial.point],
    says: [
      `trial ${trial.number}, ${trial.state}${trial.isEnqueued ? ", asked for by the study" : ""}`,
      ...view.settingLines(trial.params),
      ...(study.goal?.objectives ?? []).flatMap(({ outcome }, at) => {
        const value = trial.values?.[at];
        return value === undefined
          ? []
          : [`${nameText(view.headOf(outcome))}: ${view.outcome(outcome).text(value)}`];
      }),
      ...(trial.reason === null ? [] : [trial.reason]),
    ],
  };
}

interface Scored {
  readonly x: number;
  readonly y: number;
  readonly isFront: boolean;
  readonly spot: Spot | { readonly point: number };
}

/** Of two goals: of a search's trials, else of all points. */
export function front(view: View): Chart | undefined {
  const { study, trials } = view.result;
  const [across, up, ...more] = study.goal?.objectives ?? [];
  if (across === undefined || up === undefined || more.length > 0) return undefined;
  const [x, y] = [view.outcome(across.outcome), view.outcome(up.outcome)];
  const all =
    trials.length > 0
      ? trials.map((trial) => ({ values: trial.values, spot: trialSpot(view, trial) }))
      : view.points.map((point) => {
          const means = [meanAt(point, across.outcome), meanAt(point, up.outcome)];
          const values = means.flatMap((mean) => mean?.estimate ?? []);
          return { values: values.length < 2 ? null : values, spot: { point: point.index } };
        });
  const signs = [across.direction, up.direction];
  const scores = all.map(({ values }) => values);
  const found = new Set(paretoFront(scores, signs));
  const drawn = all.flatMap(({ values, spot }, at): Scored[] => {
    const [one, other] = values ?? [];
    if (one === undefined || other === undefined) return [];
    return [{ x: x.at(one), y: y.at(other), isFront: found.has(at), spot }];
  });
  if (drawn.length === 0) return undefined;
  const best = drawn.filter(({ isFront }) => isFront).sort((a, b) => a.x - b.x);
  // The front is drawn last, above the others.
  const sorted = drawn.toSorted((a, b) => Number(a.isFront) - Number(b.isFront));
  const options: Plot.PlotOptions = {
    ...{ width: CHART.wide, height: 340, marginLeft: 64, marginBottom: 44 },
    x: { label: `${x.label}, ${across.direction}`, inset: 10, grid: true },
    y: { label: `${y.label}, ${up.direction}`, inset: 10, grid: true },
    marks: [
      Plot.line(best, { x: "x", y: "y", stroke: ink.orange, strokeDasharray: "4 3" }),
      Plot.dot(sorted, {
        ...{ x: "x", y: "y", className: "front", stroke: ink.paper, strokeWidth: 1 },
        r: ({ isFront }: Scored) => (isFront ? 6 : 4),
        fill: ({ isFront }: Scored) => (isFront ? ink.orange : ink.blue),
        sort: null,
      }),
    ],
  };
  const without = all.length - drawn.length;
  return {
    title: "Pareto front",
    caption: `On the front is what no other is as good as in both goals and better than in one.${
      without === 0 ? "" : ` ${without} without a value in both are not drawn.`
    }`,
    legend: [
      { color: ink.orange, text: `on the front: ${best.length}` },
      { color: ink.blue, text: `the others: ${drawn.length - best.length}` },
    ],
    svg: view.drawn("Pareto front", options, { front: sorted.map(({ spot }) => spot) }),
    isWide: true,
  };
}
