/** Settings that do well whatever comes, as people and programs read them. */
import {
  factorText,
  number,
  outcomeLabel,
  outcomeText,
  plottedSetting,
} from "../../edges/studies/studyNumbers.ts";
import type { StudyFound } from "../../studies/result.ts";
import { type RobustSetting, robustSettings } from "../../studies/robust.ts";
import type { Study } from "../../studies/study.ts";
import { tableOf } from "./studyTables.ts";

/** None where the study does not ask for them. */
export const robustOf = ({ study, points, runs }: StudyFound): readonly RobustSetting[] =>
  study.robust === undefined ? [] : robustSettings(study, study.robust, points, runs);

export function robustTold(
  study: Study,
  settings: readonly RobustSetting[],
): { readonly robust?: readonly object[] } {
  if (settings.length === 0) return {};
  return {
    robust: settings.map(({ setting, ...more }) => ({
      setting: plottedSetting(study, setting),
      ...more,
    })),
  };
}

/** The least regret first. */
export function robustLines(study: Study, settings: readonly RobustSetting[]): readonly string[] {
  const { robust } = study;
  if (robust === undefined) return [];
  const infinite = Number.POSITIVE_INFINITY;
  const sorted = settings.toSorted((a, b) => (a.maxRegret ?? infinite) - (b.maxRegret ?? infinite));
  const column = (head: string, cell: (one: RobustSetting) => string) => ({
    ...{ head, cells: sorted.map(cell) },
  });
  const label = outcomeLabel(study, robust.outcome);
  const isAsked = robust.atLeast !== undefined || robust.atMost !== undefined;
  return [
    tableOf([
      ...study.factors
        .filter(({ name }) => !robust.over.includes(name))
        .map(({ name }) => column(name, ({ setting }) => factorText(study, name, setting[name]))),
      column(`regret at most, ${label}`, ({ maxRegret }) =>
        maxRegret === null ? "unknown" : outcomeText(study, robust.outcome, maxRegret),
      ),
      ...(isAsked
        ? [column("satisfied", ({ satisfied }) => (satisfied === null ? "" : number(satisfied)))]
        : []),
    ]),
    `Regret is what a setting loses to the best of a scenario (${robust.over.join(", ")}), which other replicates chose; told is its worst scenario.`,
    "",
  ];
}
