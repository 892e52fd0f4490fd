/** Numbers of a study as people and programs read them: shares as decimals; time as `1h30m` in text, in ms in files. */

import type { PolicyValue } from "../../contract/policyTree.ts";
import { shareDigits } from "../../machines/policyLeaf.ts";
import type { FrontierFound } from "../../studies/frontier.ts";
import { acrossIn } from "../../studies/outcomes/outcome.ts";
import type { Estimate } from "../../studies/statistics/intervals.ts";
import type { Setting, Shape, Study, StudyUnits } from "../../studies/study.ts";
import { aboutSpan } from "../duration.ts";
import { setValue } from "../scenario/leafValue.ts";

interface OfUnits {
  readonly units: StudyUnits;
}

/** A factor's value as `--set` reads it; nothing for one that is absent. */
export const factorText = (
  { units }: OfUnits,
  name: string,
  value: PolicyValue | undefined,
): string => (value === undefined ? "" : setValue(units.leaves[name], value));

const digitsOf = ({ units }: OfUnits, name: string) =>
  shareDigits({ unit: units.leaves[name] ?? "" });

/** Whether a factor's numbers are shares, such as 0.45. */
export const isShare = (study: OfUnits, name: string): boolean =>
  digitsOf(study, name) !== undefined;

/** As a program plots it: `0.45`, 7200000, `embedding`. */
export function plotted(study: OfUnits, name: string, value: PolicyValue): PolicyValue {
  const digits = digitsOf(study, name);
  return typeof value === "number" && digits !== undefined ? value / 10 ** digits : value;
}

/** As a field of a table in a file: a share exact to its last digit. */
export function factorCell(
  study: OfUnits,
  name: string,
  value: PolicyValue | undefined,
): string | number {
  return typeof value === "number" && !isShare(study, name)
    ? value
    : factorText(study, name, value);
}

export const plottedSetting = (study: OfUnits, setting: Setting): Setting =>
  Object.fromEntries(
    Object.entries(setting).map(([name, value]) => [name, plotted(study, name, value)]),
  );

/** Ours: digits that a table shows; the files have all. */
const DIGITS = 4;

export const number = (value: number): string => String(Number(value.toPrecision(DIGITS)));

/** What an outcome is, as a table or a chart says it; `apart` is how far apart values are that it tells from one another. */
export const outcomeText = (
  { units }: OfUnits,
  name: string,
  value: number,
  apart?: number,
): string => (units.outcomes[name] === "ms" ? aboutSpan(value, apart) : number(value));

/** `1h 22m [1h 18m, 1h 26m]`: an estimate with its interval, or a mark where none is claimed. */
export function intervalText(study: OfUnits, outcome: string, of: Estimate | null): string {
  if (of === null) return "";
  const { estimate, low, high } = of;
  if (low === null || high === null) return `${outcomeText(study, outcome, estimate)}*`;
  const [one, from, to] = [estimate, low, high].map((value) =>
    outcomeText(study, outcome, value, high - low),
  );
  return `${one} [${from}, ${to}]`;
}

/** What the runs of a point come to, as words before its name; nothing for a mean. */
export function acrossText(study: Pick<Study, "units" | "outcomes">, name: string): string {
  const across = acrossIn(study.outcomes, name);
  if (across === null) return "";
  if (across.kind === "quantile") return `quantile ${across.share}`;
  if (across.kind === "worst") return `${across.side} seen`;
  return `mean up to ${outcomeText(study, name, across.limit)}`;
}

/** The label of an outcome with what the runs of a point come to, where that is no mean: `quantile 0.95 of peak`. */
export function headText(study: Pick<Study, "units" | "outcomes">, name: string, label: string) {
  const across = acrossText(study, name);
  return across === "" ? label : `${across} of ${label}`;
}

/** `peak (load)`; the name alone where it has no unit, or is called like it. Text says its unit of time itself. */
export function outcomeLabel({ units }: OfUnits, name: string): string {
  const unit = units.outcomes[name];
  return unit === undefined || unit === name || unit === "ms" ? name : `${name} (${unit})`;
}

/** What a frontier found, in the numbers of all files. */
export function plottedFrontier(study: OfUnits, { design, combinations }: FrontierFound): object {
  const along = (value: number) => Number(plotted(study, design.along, value));
  return combinations.map(({ setting, threshold, looks, ...more }) => ({
    setting: plottedSetting(study, setting),
    threshold:
      threshold.kind === "between"
        ? {
            ...threshold,
            ...{ low: along(threshold.low), high: along(threshold.high), at: along(threshold.at) },
          }
        : threshold,
    looks: looks.map((look) => ({ ...look, value: along(look.value) })),
    ...more,
  }));
}

const plottedShape = (shape: Shape, told: (value: number) => number): Shape =>
  shape.kind === "triangular"
    ? { ...shape, mode: told(shape.mode) }
    : { ...shape, mean: told(shape.mean), deviation: told(shape.deviation) };

/** The study as study.json tells it, in the numbers of all files. */
export function plottedStudy(study: Study): object {
  const one = (name: string) => (value: number) => Number(plotted(study, name, value));
  const { design } = study;
  return {
    ...study,
    set: plottedSetting(study, study.set),
    factors: study.factors.map((factor) => {
      const { name } = factor;
      if (factor.kind === "list") {
        return { ...factor, values: factor.values.map((value) => plotted(study, name, value)) };
      }
      const { low, high, step } = factor;
      const told = one(name);
      const shape = factor.shape && plottedShape(factor.shape, told);
      const ends = { low: told(low), high: told(high), step: told(step) };
      return { ...factor, ...ends, ...(shape && { shape }) };
    }),
    // Factors of one constraint have one unit.
    where: study.where.map(({ weights, least, most }) => {
      const told = one(Object.keys(weights)[0] ?? "");
      const bound = (value: number | null) => (value === null ? null : told(value));
      return { weights, least: bound(least), most: bound(most) };
    }),
    design:
      design?.kind === "points"
        ? { ...design, points: design.points.map((point) => plottedSetting(study, point)) }
        : design,
    baseline: plottedSetting(study, study.baseline),
    enqueue: study.enqueue.map((point) => plottedSetting(study, point)),
    leaves: Object.fromEntries(
      Object.entries(study.leaves).map(([path, variants]) => [
        path,
        Object.fromEntries(
          Object.entries(variants).map(([variant, value]) => [variant, one(path)(value)]),
        ),
      ]),
    ),
  };
}
