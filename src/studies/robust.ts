/**
 * Settings that do well in every scenario: some factors are what one chooses, the others (a variant, what the world does) are what may
 * come. The best of a scenario is chosen on even replicates, and regret is measured on odd ones, so that luck is not taken for skill.
 */
import { groupedBy } from "../machines/grouped.ts";
import { pairedBySeed, type Result } from "./statistics/fold.ts";
import { plainMean } from "./statistics/replicatedRows.ts";
import type { Robust, Setting, Study } from "./study.ts";
import { outcomeResults, type SweepRun, type SweptPoint } from "./sweepSummary.ts";

export interface RobustSetting {
  /** Of the factors that one chooses. */
  readonly setting: Setting;
  /** The most that it loses to the best of a scenario; null where some scenario has no value. */
  readonly maxRegret: number | null;
  /** By weight, the scenarios in which the mean is as good as was asked; null where nothing was asked. */
  readonly satisfied: number | null;
}

const only = (values: Setting, names: readonly string[]): Setting =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? ""]));

/** In the order in which settings come first. */
export function robustSettings(
  study: Study,
  { outcome, direction, over, atLeast, atMost }: Robust,
  points: readonly Pick<SweptPoint, "index" | "values">[],
  runs: readonly SweepRun[],
): readonly RobustSetting[] {
  const chosen = study.factors.map(({ name }) => name).filter((name) => !over.includes(name));
  const byPoint = groupedBy(runs, ({ point }) => point);
  const cells = points.map(({ index, values }) => ({
    setting: only(values, chosen),
    own: JSON.stringify(only(values, chosen)),
    scenario: JSON.stringify(only(values, over)),
    weight: weightOf(study, over, values),
    results: outcomeResults(study, outcome, byPoint.get(index) ?? []),
  }));
  const sign = direction === "maximise" ? 1 : -1;
  const best = new Map(
    [...groupedBy(cells, ({ scenario }) => scenario)].map(([scenario, all]) => {
      const means = all.map(
        ({ results }) => sign * (meanOf(half(results, 0)) ?? Number.NEGATIVE_INFINITY),
      );
      return [scenario, all[means.indexOf(Math.max(...means))]] as const;
    }),
  );
  const scenarios = new Map(cells.map(({ scenario, weight }) => [scenario, weight]));
  return [...groupedBy(cells, ({ own }) => own).values()].map((all): RobustSetting => {
    const regrets = all.map(({ scenario, results }) => {
      const pairs = pairedBySeed(half(results, 1), half(best.get(scenario)?.results ?? [], 1));
      return pairs.length === 0
        ? null
        : plainMean(pairs.map(([own, other]) => sign * (other - own)));
    });
    const known = regrets.filter((one) => one !== null);
    const byScenario = new Map(all.map((one) => [one.scenario, one.results]));
    let [met, total] = [0, 0];
    for (const [scenario, weight] of scenarios) {
      const mean = meanOf(byScenario.get(scenario) ?? []);
      total += weight;
      if (mean !== null && mean >= (atLeast ?? mean) && mean <= (atMost ?? mean)) met += weight;
    }
    const isWhole = all.length === scenarios.size && known.length === all.length;
    const isAsked = atLeast !== undefined || atMost !== undefined;
    return {
      setting: all[0]?.setting ?? {},
      maxRegret: isWhole ? Math.max(...known) : null,
      satisfied: isAsked ? met / total : null,
    };
  });
}

const half = (results: readonly Result[], which: 0 | 1): readonly Result[] =>
  results.filter(({ replicate }) => replicate % 2 === which);

/** Null where any run has none. */
function meanOf(results: readonly Result[]): number | null {
  const values = results.flatMap(({ value }) => value ?? []);
  return values.length === 0 || values.length < results.length ? null : plainMean(values);
}

/** Of a list by its own weights. */
function weightOf({ factors }: Study, over: readonly string[], values: Setting): number {
  return factors.reduce((weight, factor) => {
    if (factor.kind !== "list" || !over.includes(factor.name) || !factor.weights) return weight;
    const text = JSON.stringify(values[factor.name]);
    const at = factor.values.findIndex((value) => JSON.stringify(value) === text);
    return weight * (factor.weights[at] ?? 1);
  }, 1);
}
