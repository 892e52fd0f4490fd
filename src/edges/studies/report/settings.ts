/** Points of a study as charts need them: their factors as numbers or words, their outcomes with intervals. */
import type { PolicyValue } from "../../../policy.ts";
import type { StudyResult } from "../../../studies/result.ts";
import type { Estimate } from "../../../studies/statistics/intervals.ts";
import type { Factor } from "../../../studies/study.ts";
import type { SweptPoint } from "../../../studies/sweepSummary.ts";
import { shown } from "../shownValue.ts";
import { named, type Spot, told } from "./chart.ts";

/** Whether the values of a factor lie on a line. */
export const isNumeric = ({ factor, result }: AtFactor): boolean =>
  result.points.every(({ values }) => typeof values[factor.name] === "number");

export interface AtFactor {
  readonly factor: Factor;
  readonly result: StudyResult;
}

/** As `--set` takes it, cut to one line. */
export const valueText = (value: PolicyValue | undefined): string =>
  named(String(shown(value))) || "(none)";

/** Values of a factor that occur, from small to large, or in the order of the file. */
export function levelsOf(at: AtFactor): readonly PolicyValue[] {
  const { factor, result } = at;
  const found = new Map<string, PolicyValue>();
  for (const { values } of result.points) {
    const value = values[factor.name];
    if (value !== undefined) found.set(JSON.stringify(value), value);
  }
  const all = [...found.values()];
  if (isNumeric(at)) return all.sort((a, b) => Number(a) - Number(b));
  const order = factor.kind === "list" ? factor.values.map((value) => JSON.stringify(value)) : [];
  return all.sort((a, b) => order.indexOf(JSON.stringify(a)) - order.indexOf(JSON.stringify(b)));
}

export const isAt = (point: SweptPoint, factor: Factor, value: PolicyValue): boolean =>
  JSON.stringify(point.values[factor.name]) === JSON.stringify(value);

export const meanAt = (point: SweptPoint, outcome: string): Estimate | null =>
  point.outcomes[outcome]?.mean ?? null;

export function estimateText(of: Estimate): string {
  const { estimate, low, high, n } = of;
  const range = low === null || high === null ? "no interval" : `${told(low)} to ${told(high)}`;
  return `${told(estimate)} (${range}; n = ${n})`;
}

/** What a point says of itself when it is pointed at. */
export function pointSpot(point: SweptPoint, { study }: StudyResult, outcome?: string): Spot {
  const outcomes = outcome === undefined ? study.outcomes.map(({ name }) => name) : [outcome];
  return {
    points: [point.index],
    says: [
      `point ${point.index}${point.isBaseline ? ", the baseline" : ""}`,
      ...study.factors.map(({ name }) => `${named(name)} = ${valueText(point.values[name])}`),
      ...outcomes.flatMap((name) => outcomeLines(point, name)),
    ],
  };
}

function outcomeLines(point: SweptPoint, name: string): readonly string[] {
  const at = point.outcomes[name];
  if (at === undefined) return [];
  const { mean, difference, missing, censored } = at;
  return [
    `${named(name)}: ${mean === null ? "no run gave a value" : estimateText(mean)}`,
    ...(difference === null ? [] : [`from the baseline: ${estimateText(difference)}`]),
    ...(missing > 0 ? [`${missing} runs gave no value`] : []),
    ...(censored > 0 ? [`${censored} runs give only the least`] : []),
  ];
}
