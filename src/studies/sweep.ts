/** What a sweep plays: the points of its design and the baseline, each so often, until its stop rule is content. */

import { SHARES } from "../contract/metricTable.ts";
import { acrossIn } from "./outcomes/outcome.ts";
import { seedOf } from "./seeds.ts";
import { type Result, valuesOf } from "./statistics/fold.ts";
import { type Kind, kindOf } from "./statistics/proportions.ts";
import { stopState } from "./statistics/stopRule.ts";
import {
  ITSELF,
  type Point,
  type RunOf,
  SCENARIO,
  type Study,
  settingText,
  VARIANT,
} from "./study.ts";

export interface SweepPoints {
  readonly points: readonly Point[];
  /** The point with which all others are compared; null where the study asks for no differences. */
  readonly baseline: number | null;
}

/** The baseline is the point of the design that equals it, else one more at the end. */
export function sweepPoints(study: Study, designed: readonly Point[]): SweepPoints {
  if (!study.isCompared) return { points: designed, baseline: null };
  const text = settingText(study, study.baseline);
  const equal = designed.find(({ values }) => settingText(study, values) === text);
  if (equal !== undefined) return { points: designed, baseline: equal.index };
  const index = designed.length;
  return { points: [...designed, { index, values: study.baseline }], baseline: index };
}

/** One run of a study: the policy that stays, then the point's. */
export function runAt(study: Study, { index, values }: Point, replicate: number): RunOf {
  const { [SCENARIO]: scenario, [VARIANT]: variant = study.variant ?? ITSELF, ...policy } = values;
  return {
    point: index,
    replicate,
    seed: seedOf(study.seed, study.replicates.seeds, { point: index, replicate }),
    ...(scenario !== undefined && { scenario: String(scenario) }),
    variant: variant === ITSELF ? null : String(variant),
    set: { ...study.set, ...policy },
  };
}

/**
 * Whether an outcome is a number or a share of the runs. A metric is a number, within 0 … 1 where its unit says so: counts and times that happen to be 0 or
 * 1 in all runs of a study are no yes and no. Of an expression all its values in the study decide.
 */
export function outcomeKind(study: Study, name: string, results: readonly Result[]): Kind {
  const kind = study.outcomes.find((one) => one.name === name)?.kind;
  if (kind === "promise" || kind === "spiral" || kind === "read") return "share";
  const values = valuesOf(results);
  if (kind !== "reduced") return kindOf(values);
  const isShare = SHARES.includes(study.units.outcomes[name] ?? "");
  return isShare && values.every((value) => value >= 0 && value <= 1) ? "within" : "number";
}

/** How a point's replicates ended: as many as were asked for, narrow enough before that, or dropped by a search. */
export type Ended = "most" | "narrow" | "dropped";

export interface Needed {
  /** Replicates that each point needs, in the order of the points. */
  readonly replicates: readonly number[];
  /** How each has ended; null while it has not. */
  readonly ended: readonly (Ended | null)[];
}

/**
 * What is needed, by the results so far of the outcome that the stop rule asks for, a list for each point. A point
 * that is compared with nothing is narrow enough by itself.
 */
export function neededOf(
  study: Study,
  { points, baseline }: SweepPoints,
  results: readonly (readonly Result[])[],
): Needed {
  const { stop, replicates } = study;
  if (stop === null) {
    return { replicates: points.map(() => replicates.count), ended: points.map(() => "most") };
  }
  const kind = outcomeKind(study, stop.outcome, results.flat());
  const { halfWidth } = stop;
  const across = acrossIn(study.outcomes, stop.outcome);
  const rule = { halfWidth, kind, across, batch: replicates.batch, most: replicates.count };
  const at = (index: number): readonly Result[] => results[index] ?? [];
  const others = points.filter(({ index }) => index !== baseline);
  const stops =
    baseline === null
      ? new Map(points.map(({ index }) => [index, stopState(rule, at(index), []).baseline]))
      : compared(baseline);
  function compared(of: number) {
    const state = stopState(
      rule,
      at(of),
      others.map(({ index }) => at(index)),
    );
    return new Map([
      [of, state.baseline],
      ...others.map(({ index }, place) => [index, state.points[place]] as const),
    ]);
  }
  return {
    replicates: points.map(({ index }) => stops.get(index)?.replicates ?? 0),
    ended: points.map(({ index }) => stops.get(index)?.ended ?? null),
  };
}
