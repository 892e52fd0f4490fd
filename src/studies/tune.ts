/** Tuning: a search among the points of a study, then its best and the baseline on seeds that the search never saw. */
import { constraintText, keeps } from "./sample/constraints.ts";
import { type CubeMap, cubeMap } from "./sample/cubeMap.ts";
import { pointsOf } from "./sample/points.ts";
import { paretoFront } from "./search/pareto.ts";
import type { Trial } from "./search/trial.ts";
import { heldOutSeed } from "./seeds.ts";
import { pairedBySeed } from "./statistics/fold.ts";
import type { Estimate } from "./statistics/intervals.ts";
import { pairsInterval, valuesInterval } from "./statistics/proportions.ts";
import { violationBound } from "./statistics/violation.ts";
import type { Constraint, DrawnDesign, Setting } from "./study.ts";
import { outcomeKind, runAt } from "./sweep.ts";
import { resultsOf } from "./sweepSummary.ts";
import {
  type Asking,
  climbed,
  eliminated,
  type Searched,
  type TunedRun,
  type TuneStudy,
  triedAll,
} from "./tuneTrials.ts";

export type TuneMethod = "cma-es" | "elimination" | "all points";

/** How a study is searched. */
export interface TunePlan {
  readonly study: TuneStudy;
  readonly method: TuneMethod;
  /** The points to try; none for CMA-ES. */
  readonly settings: readonly Setting[];
  readonly cube: CubeMap | null;
  readonly notes: readonly string[];
}

export interface TunedTrial extends Trial<Setting> {
  /** The mean of each goal; null unless it is complete and feasible. */
  readonly means: readonly number[] | null;
  /** The most probable that a violation may be, with 95 % confidence; null where nothing is known of it. */
  readonly violationBound: number | null;
}

/** One trial on held-out seeds beside the baseline. */
export interface Finalist {
  readonly trial: number;
  readonly values: Setting;
  /** Of its held-out runs, how many broke a constraint, and the bound on how probable that is. */
  readonly violated: number;
  readonly violationBound: number | null;
  readonly objectives: {
    readonly [outcome: string]: {
      readonly mean: Estimate | null;
      readonly baseline: Estimate | null;
      /** Paired, less the baseline: the headline. */
      readonly difference: Estimate | null;
      /** Held-out runs without a value. */
      readonly missing: number;
    };
  };
}

export interface Tuned {
  readonly plan: TunePlan;
  readonly trials: readonly TunedTrial[];
  /** The best, or with two goals the front, in the order of trials; none where no trial is feasible. */
  readonly finalists: readonly Finalist[];
  /** On held-out seeds; whoever plays them adds those of the search. */
  readonly runs: readonly TunedRun[];
}

/** Where a search takes numbers between bounds, or why there is none. */
export function tunePlan(study: TuneStudy): TunePlan | { readonly refused: string } {
  const { factors, where, seed, baseline, goal, enqueue } = study;
  const isFront = goal.objectives.length === 2;
  const isList = study.design !== null || factors.every(({ kind }) => kind === "list");
  if (!isList && !isFront) {
    const cube = cubeMap(factors, where);
    if ("refused" in cube) return cube;
    if (cube.dimensions < 1) return { refused: "The constraints leave one point only." };
    const lists = factors.flatMap(({ kind, name }) =>
      kind === "list" ? [`${name} is searched by the order of its list.`] : [],
    );
    const notes = [...cube.notes, ...lists];
    return { study, method: "cma-es", settings: [], cube, notes };
  }
  if (study.design?.kind === "frontier") {
    return { refused: "A frontier is swept, not tuned. Take another design, or none." };
  }
  const sobol: DrawnDesign = { kind: "sobol", points: goal.trials, isScrambled: true };
  const design = study.design ?? (isList ? { kind: "grid", levels: 2 } : sobol);
  const made = pointsOf(design, factors, where, seed, baseline);
  if ("refused" in made) return made;
  const settings = [...enqueue, ...made.points.map(({ values }) => values)];
  const text = (one: Setting): string => JSON.stringify(factors.map(({ name }) => one[name]));
  const unlike = [...new Map(settings.toReversed().map((one) => [text(one), one])).values()];
  unlike.reverse();
  if (isList && unlike.length > goal.trials) {
    const refused = `There are ${unlike.length} points, and goal.trials allows ${goal.trials}. Allow more, or take fewer.`;
    return { refused };
  }
  const drawn = isList
    ? []
    : [`A front is sought among ${goal.trials} points of a scrambled Sobol sequence.`];
  return {
    study,
    method: isFront ? "all points" : "elimination",
    settings: unlike.slice(0, goal.trials),
    cube: null,
    notes: [...made.notes, ...drawn],
  };
}

const faultOf = (setting: Setting, constraints: readonly Constraint[]): string | null => {
  const broken = constraints.find((one) => !keeps(one, setting));
  return broken === undefined ? null : `breaks \`${constraintText(broken)}\`; it was not played`;
};

function searched({ study, method, settings, cube }: TunePlan): Asking<Searched> {
  if (cube !== null) return climbed(study, cube, faultOf);
  const kept = settings.filter((one) => faultOf(one, study.where) === null);
  return method === "elimination" ? eliminated(study, kept) : triedAll(study, kept);
}

/** All of it; only what the held-out seeds say of the finalists is free of having been chosen for it. */
export function* tuning(plan: TunePlan): Asking<Tuned> {
  const { study } = plan;
  const { goal } = study;
  const { trials, scores } = yield* searched(plan);
  const told = trials.map((trial): TunedTrial => {
    const score = scores.get(trial.number);
    const means = score !== undefined && "means" in score ? score.means : null;
    return { ...trial, means, violationBound: boundOf(plan, trial, score) };
  });
  const signs = goal.objectives.map(({ direction }) => direction);
  const front =
    signs.length === 2
      ? paretoFront(
          told.map(({ means }) => means),
          signs,
        )
      : bestOf(told, signs[0] === "maximise" ? 1 : -1);
  if (front.length === 0) return { plan, trials: told, finalists: [], runs: [] };
  const baseline = { index: trials.length, values: study.baseline };
  const points = [
    ...front.map((number) => ({ index: number, values: told[number]?.point ?? {} })),
    baseline,
  ];
  const runs = yield points.flatMap((point) =>
    Array.from({ length: goal.heldOut }, (_, replicate) => ({
      ...runAt(study, point, replicate),
      seed: heldOutSeed(study.seed, replicate),
    })),
  );
  const at = (index: number) => runs.filter(({ point }) => point === index);
  const base = at(baseline.index);
  const finalists = points.slice(0, -1).map(({ index, values }): Finalist => {
    const own = at(index);
    const violated = own.filter(({ broken }) => broken.length > 0).length;
    return {
      trial: index,
      values,
      violated,
      violationBound: goal.constraints.length === 0 ? null : violationBound(violated, own.length),
      objectives: Object.fromEntries(
        goal.objectives.map(({ outcome }) => {
          const kind = outcomeKind(study, outcome, resultsOf(runs, outcome));
          const [mine, theirs] = [resultsOf(own, outcome), resultsOf(base, outcome)];
          const pairs = pairedBySeed(theirs, mine);
          const known = (of: typeof mine) =>
            of.flatMap(({ value }) => (value === null ? [] : [value]));
          const mean = (of: typeof mine) =>
            known(of).length === 0 ? null : valuesInterval(known(of), kind);
          const difference = pairs.length === 0 ? null : pairsInterval(pairs, kind);
          const missing = mine.length - known(mine).length;
          return [outcome, { mean: mean(mine), baseline: mean(theirs), difference, missing }];
        }),
      ),
    };
  });
  return { plan, trials: told, finalists, runs };
}

function boundOf(
  { study: { goal } }: TunePlan,
  { infeasible }: Trial<Setting>,
  score: ReturnType<Searched["scores"]["get"]>,
): number | null {
  if (goal.constraints.length === 0) return null;
  if (infeasible !== null) return violationBound(infeasible.violated, infeasible.replicates);
  return score !== undefined && "means" in score ? violationBound(0, score.replicates) : null;
}

/** The first of the best. */
function bestOf(trials: readonly TunedTrial[], sign: number): readonly number[] {
  let best: TunedTrial | null = null;
  for (const one of trials) {
    if (one.value === null) continue;
    if (best?.value == null || one.value * sign > best.value * sign) best = one;
  }
  return best === null ? [] : [best.number];
}
