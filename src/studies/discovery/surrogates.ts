/** What stands in for the runs of a study, each by what it foretells of points that it has not seen, and how much each factor matters to the better one. */
import { shapleyEffects } from "../surrogate/shapleyEffects.ts";
import type { Cases } from "./cases.ts";
import { forestOf, type Importance, type Value } from "./forest.ts";
import { type ProcessImportance, processOf } from "./process.ts";

export interface Surrogates {
  readonly forest: Importance;
  readonly process: ProcessImportance;
  /** Which of them foretells more. */
  readonly better: "forest" | "process";
  /** Of the variance of what the better one foretells, each factor's share; 1 together. Null where it foretells the same everywhere. */
  readonly shapley: { readonly [factor: string]: number } | null;
}

/** Null where points are too few, or all have the same share, so that there is nothing to foretell. */
export function surrogatesOf(cases: Cases, seed: number): Surrogates | null {
  const forest = forestOf(cases, seed);
  const process = processOf(cases, seed);
  if (forest === null || process === null) return null;
  const isForest = forest.importance.explained >= process.importance.explained;
  const { tell } = isForest ? forest : process;
  const columns: readonly (readonly Value[])[] = cases.columns.map(({ values }) => values);
  const effects = shapleyEffects(columns, tell, seed);
  return {
    ...{ forest: forest.importance, process: process.importance },
    better: isForest ? "forest" : "process",
    shapley:
      effects && Object.fromEntries(cases.columns.map(({ name }, at) => [name, effects[at] ?? 0])),
  };
}
