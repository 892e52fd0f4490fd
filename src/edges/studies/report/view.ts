/** A study's result as charts need it: how each factor and outcome stands on an axis, and which points are drawn. */
import type { PlotOptions } from "@observablehq/plot";
import type { PolicyValue } from "../../../contract/policyTree.ts";
import { groupedBy } from "../../../machines/grouped.ts";
import type { StudyResult } from "../../../studies/result.ts";
import type { Estimate } from "../../../studies/statistics/intervals.ts";
import type { Factor, Setting } from "../../../studies/study.ts";
import type { SweepRun, SweptPoint } from "../../../studies/sweepSummary.ts";
import {
  factorText,
  headText,
  intervalText,
  outcomeText,
  plotted as plottedValue,
} from "../studyNumbers.ts";
import { nameText, type PointSpot, plotted, type Spot, Spots } from "./chart.ts";

/** How numbers of one kind stand on an axis, and how they are said. */
export interface Measure {
  readonly label: string;
  readonly at: (value: number) => number;
  readonly text: (value: number) => string;
}

export class View {
  readonly result: StudyResult;
  readonly spots = new Spots();
  /** Those of the design or of the search: what was replayed on held-out seeds is told apart. */
  readonly points: readonly SweptPoint[];
  readonly outcomes: readonly string[];
  readonly #measures = new Map<string, Measure>();
  readonly #runs: ReadonlyMap<number, readonly SweepRun[]>;

  constructor(result: StudyResult) {
    this.result = result;
    this.outcomes = result.study.outcomes.map(({ name }) => name);
    const held = new Set(result.heldOut);
    this.points = result.points.filter(({ index }) => !held.has(index));
    this.#runs = groupedBy(result.runs, ({ point }) => point);
  }

  /** A chart as text, of whose marks each says its spot: by the class of their group, in their order. */
  drawn(
    label: string,
    options: PlotOptions,
    spots: { readonly [className: string]: readonly (Spot | PointSpot)[] },
  ): string {
    const svg = plotted(label, options);
    for (const [name, own] of Object.entries(spots)) this.spots.mark(svg, name, own);
    return svg.outerHTML;
  }

  runsOf(point: number): readonly SweepRun[] {
    return this.#runs.get(point) ?? [];
  }

  /** What a factor's value is called, as `--set` reads it, on one line. */
  valueText(factor: string, value: PolicyValue | undefined): string {
    return nameText(factorText(this.result.study, factor, value)) || "(none)";
  }

  /** `factor = value`. */
  settingText(factor: string, value: PolicyValue | undefined): string {
    return `${nameText(factor)} = ${this.valueText(factor, value)}`;
  }

  /** A line for each factor. */
  settingLines(setting: Setting): readonly string[] {
    return this.result.study.factors.map(({ name }) => this.settingText(name, setting[name]));
  }

  factor({ name }: Factor): Measure {
    return this.#measure(`factor ${name}`, () => {
      const { study } = this.result;
      const text = (value: number) => this.valueText(name, value);
      if (study.units.leaves[name]?.startsWith("ms") !== true) {
        const at = (value: number) => Number(plottedValue(study, name, value));
        return { label: nameText(name), at, text };
      }
      const values = this.points.map(({ values }) => Number(values[name]));
      return { ...timed(nameText(name), values), text };
    });
  }

  /** Headed by what the runs of a point come to, unless another head is given. */
  outcome(name: string, head = this.headOf(name)): Measure {
    return this.#measure(`outcome ${name} ${head}`, () => {
      const { study } = this.result;
      const text = (value: number) => outcomeText(study, name, value);
      const unit = study.units.outcomes[name];
      if (unit === "ms") {
        const values = this.points.flatMap((point) => {
          const { estimate, high } = meanAt(point, name) ?? { estimate: 0, high: null };
          return [estimate, high ?? 0];
        });
        return { ...timed(nameText(head), values), text };
      }
      const label = unit === undefined || unit === name ? "" : ` (${unit})`;
      return { label: `${nameText(head)}${label}`, at: (value) => value, text };
    });
  }

  headOf(outcome: string): string {
    return headText(this.result.study, outcome, outcome);
  }

  estimateText(outcome: string, of: Estimate): string {
    const isKnown = of.low !== null && of.high !== null;
    const text = intervalText(this.result.study, outcome, of).replace("*", "");
    return `${text} (${isKnown ? "" : "no interval; "}n = ${of.n})`;
  }

  /** What a point says when it is pointed at: of itself, then of each outcome. */
  says(point: SweptPoint) {
    return {
      head: [
        `point ${point.index}${point.isBaseline ? ", the baseline" : ""}`,
        ...this.settingLines(point.values),
      ],
      outcomes: this.outcomes.map((name) => this.#outcomeLines(point, name)),
    };
  }

  #outcomeLines(point: SweptPoint, name: string): readonly string[] {
    const at = point.outcomes[name];
    if (at === undefined) return [];
    const { mean, difference, missing, censored } = at;
    const runs = (count: number, verb: string) =>
      `${count} ${count === 1 ? "run" : "runs"} ${verb}`;
    return [
      `${nameText(this.headOf(name))}: ${mean === null ? "no run gave a value" : this.estimateText(name, mean)}`,
      ...(difference === null ? [] : [`from the baseline: ${this.estimateText(name, difference)}`]),
      ...(missing > 0 ? [runs(missing, "gave no value")] : []),
      ...(censored > 0 ? [runs(censored, "gave only a bound")] : []),
    ];
  }

  #measure(key: string, made: () => Measure): Measure {
    const known = this.#measures.get(key) ?? made();
    this.#measures.set(key, known);
    return known;
  }
}

const TIMES = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** In the largest unit of which the values hold two. */
function timed(name: string, values: readonly number[]): Pick<Measure, "label" | "at"> {
  const most = values.reduce((all, value) => Math.max(all, Math.abs(value)), 0);
  const [unit, ms] = TIMES.find(([, size]) => most >= 2 * size) ?? (["ms", 1] as const);
  return { label: `${name} (${unit})`, at: (value) => value / ms };
}

/** Whether the values of a factor lie on a line. */
export const isNumeric = ({ points }: View, { name }: Factor): boolean =>
  points.every(({ values }) => typeof values[name] === "number");

/** Values of a factor that occur, from small to large, or in the order of the file. */
export function levelsOf(view: View, factor: Factor): readonly PolicyValue[] {
  const found = new Map<string, PolicyValue>();
  for (const { values } of view.points) {
    const value = values[factor.name];
    if (value !== undefined) found.set(JSON.stringify(value), value);
  }
  const all = [...found.values()];
  if (isNumeric(view, factor)) return all.sort((a, b) => Number(a) - Number(b));
  const order = factor.kind === "list" ? factor.values.map((value) => JSON.stringify(value)) : [];
  return all.sort((a, b) => order.indexOf(JSON.stringify(a)) - order.indexOf(JSON.stringify(b)));
}

export const isAt = (point: SweptPoint, factor: Factor, value: PolicyValue): boolean =>
  JSON.stringify(point.values[factor.name]) === JSON.stringify(value);

export const meanAt = (point: SweptPoint, outcome: string): Estimate | null =>
  point.outcomes[outcome]?.mean ?? null;
