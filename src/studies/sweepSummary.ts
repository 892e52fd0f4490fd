/** What came of a sweep: each outcome at each point, and how far it is from the baseline. Folded in one order. */
import { groupedBy } from "../machines/grouped.ts";
import { type Across, acrossIn, type Outcome } from "./outcomes/outcome.ts";
import { acrossDifference, acrossEstimate } from "./statistics/across.ts";
import { inFoldingOrder, pairedBySeed, type Result, valuesOf } from "./statistics/fold.ts";
import { holmAdjusted } from "./statistics/holm.ts";
import type { Estimate } from "./statistics/intervals.ts";
import {
  type Kind,
  pairsInterval,
  plainDifference,
  valuesInterval,
} from "./statistics/proportions.ts";
import type { Setting, Study } from "./study.ts";
import { type Ended, outcomeKind, type SweepPoints } from "./sweep.ts";

/** One run with what it gave. */
export interface SweepRun {
  readonly point: number;
  readonly replicate: number;
  readonly seed: number;
  readonly variant: string | null;
  /** `ended`, `limit:…`, `bug`, `miss`, `died`. */
  readonly outcome: string;
  /** By name, in the order of the study; null where the run gave none. */
  readonly values: { readonly [outcome: string]: number | null };
  /** Why there are none, in words. */
  readonly faults: readonly string[];
  /** Outcomes of which only a bound is known. */
  readonly censored: readonly string[];
}

export interface OutcomeAt {
  readonly kind: Kind;
  /** Runs that gave no value. */
  readonly missing: number;
  /** Runs of whose value only a bound is known: of a time to recover the mean is too low then. */
  readonly censored: number;
  /** Null where no run gave a value. */
  readonly mean: Estimate | null;
  /** Point less baseline, of bounds where either has censored runs; null for the baseline, and without one. */
  readonly difference: Estimate | null;
  /** Of the difference, adjusted by Holm for all points; null where there is none. */
  readonly adjustedP: number | null;
}

export interface SweptPoint {
  readonly index: number;
  readonly isBaseline: boolean;
  readonly values: Setting;
  readonly replicates: number;
  readonly ended: Ended;
  /** The first replicate, which opens the point as a run. */
  readonly seed: number;
  readonly outcomes: { readonly [outcome: string]: OutcomeAt };
}

/** Common seeds make pairs, unless a plain analysis is asked for. */
export type Analysis = "paired" | "plain";

/** How the values of runs become estimates; at least one result of each list has a value. */
export interface Estimates {
  readonly mean: (results: readonly Result[], kind: Kind) => Estimate;
  readonly difference: (
    base: readonly Result[],
    results: readonly Result[],
    kind: Kind,
  ) => Estimate | null;
}

/** Each run is a draw of its own. */
export const byRuns = (analysis: Analysis): Estimates => ({
  mean: (results, kind) => valuesInterval(valuesOf(results), kind),
  difference: (base, results, kind) => differenceOf(base, results, kind, analysis),
});

/** Of an outcome that is no mean. */
const byAcross = (
  across: Across,
  isPaired: boolean,
): Pick<Estimates, "difference"> & {
  readonly mean: (results: readonly Result[]) => Estimate | null;
} => ({
  mean: (results) => acrossEstimate(across, results),
  difference: (base, results) => acrossDifference(across, base, results, { isPaired }),
});

export function summarise(
  study: Study,
  { points, baseline }: SweepPoints,
  ended: readonly Ended[],
  runs: readonly SweepRun[],
  analysis: Analysis | Estimates,
): readonly SweptPoint[] {
  const plain = typeof analysis === "string" ? byRuns(analysis) : analysis;
  const ordered = inFoldingOrder(runs);
  const names = study.outcomes.map(({ name }) => name);
  const byPoint = groupedBy(ordered, ({ point }) => point);
  const at = (index: number): readonly SweepRun[] => byPoint.get(index) ?? [];
  const outcomes = new Map(names.map((name) => [name, compared(name)] as const));
  return points.map(({ index, values }, place) => ({
    index,
    isBaseline: index === baseline,
    values,
    replicates: at(index).length,
    ended: ended[place] ?? "most",
    seed: at(index)[0]?.seed ?? 0,
    outcomes: Object.fromEntries(
      names.flatMap((name) => {
        const found = outcomes.get(name)?.[place];
        return found === undefined ? [] : [[name, found]];
      }),
    ),
  }));

  function compared(name: string): readonly OutcomeAt[] {
    const across = acrossIn(study.outcomes, name);
    const estimates = across === null ? plain : byAcross(across, analysis === "paired");
    const kind = outcomeKind(study, name, outcomeResults(study, name, ordered));
    const base = baseline === null ? [] : outcomeResults(study, name, at(baseline));
    const all = points.map(({ index }) => {
      const own = at(index);
      const results = outcomeResults(study, name, own);
      const known = valuesOf(results);
      const isCompared = baseline !== null && index !== baseline;
      return {
        kind,
        missing: results.length - known.length,
        censored: own.filter((run) => run.censored.includes(name)).length,
        mean: known.length === 0 ? null : estimates.mean(results, kind),
        difference: isCompared ? estimates.difference(base, results, kind) : null,
      };
    });
    const adjusted = holmAdjusted(all.map(({ difference }) => difference?.p));
    return all.map((one, place) => ({ ...one, adjustedP: adjusted[place] ?? null }));
  }
}

/** What a bound of an outcome says: of an expression nobody knows to which side it errs. */
const boundIn = (outcomes: readonly Outcome[], name: string): "least" | "either" =>
  outcomes.find((one) => one.name === name)?.kind === "expression" ? "either" : "least";

/** As a stop rule takes them: of a mean no value counts of which only a bound is known. */
export const stopResults = (
  { outcomes }: Pick<Study, "outcomes">,
  name: string,
  runs: readonly SweepRun[],
): readonly Result[] => {
  const isMean = acrossIn(outcomes, name) === null;
  return resultsOf(runs, name, isMean ? "leftOut" : boundIn(outcomes, name));
};

/** With what is known of each bound. */
export const outcomeResults = (
  { outcomes }: Pick<Study, "outcomes">,
  name: string,
  runs: readonly SweepRun[],
): readonly Result[] => resultsOf(runs, name, boundIn(outcomes, name));

/** What the runs gave for one outcome, and what becomes of values of which only a bound is known. */
const resultsOf = (
  runs: readonly SweepRun[],
  name: string,
  bounds: "leftOut" | "least" | "either" = "least",
): readonly Result[] =>
  runs.map(({ point, replicate, seed, values, censored }) => {
    const value = values[name] ?? null;
    const result = { point, replicate, seed, value };
    if (!censored.includes(name) || value === null) return result;
    return bounds === "leftOut" ? { ...result, value: null } : { ...result, bound: bounds };
  });

function differenceOf(
  base: readonly Result[],
  results: readonly Result[],
  kind: Kind,
  analysis: Analysis,
): Estimate | null {
  if (analysis === "paired") {
    const pairs = pairedBySeed(base, results);
    return pairs.length === 0 ? null : pairsInterval(pairs, kind);
  }
  const [one, other] = [valuesOf(base), valuesOf(results)];
  return one.length === 0 || other.length === 0 ? null : plainDifference(one, other, kind);
}
