/** Tuning: a search among the points of a study, then its best and the baseline on seeds that the search never saw. */
import { acrossIn } from "./outcomes/outcome.ts";
import { constraintText, keeps } from "./sample/constraints.ts";
import { type CubeMap, cubeMap } from "./sample/cubeMap.ts";
import { pointsOf } from "./sample/points.ts";
import { VALUES_MOST } from "./search/expectedImprovement.ts";
import { type GoalBox, goalBox, hypervolume } from "./search/hypervolume.ts";
import { paretoFront } from "./search/pareto.ts";
import { bestOf, type Trial } from "./search/trial.ts";
import { heldOutSeeds } from "./seeds.ts";
import type { Estimate } from "./statistics/intervals.ts";
import { violationBound } from "./statistics/proportions.ts";
import {
  type Constraint,
  type DrawnDesign,
  type Goal,
  type RangeSearch,
  type Setting,
  settingText,
} from "./study.ts";
import { type Ended, runAt } from "./sweep.ts";
import { type OutcomeAt, summarise } from "./sweepSummary.ts";
import {
  type Asking,
  climbed,
  eliminated,
  type Score,
  type Searched,
  type TunedRun,
  type TuneStudy,
  triedAll,
} from "./tuneTrials.ts";

export type TuneMethod = RangeSearch | "elimination" | "all points";

/** How a study is searched. */
export interface TunePlan {
  readonly study: TuneStudy;
  readonly method: TuneMethod;
  /** The points to try, those that are enqueued first; of a search of ranges these alone. */
  readonly settings: readonly Setting[];
  /** Why some of them are not played, by their place. */
  readonly skipped: ReadonlyMap<number, string>;
  readonly cube: CubeMap | null;
  readonly notes: readonly string[];
}

export interface TunedTrial extends Trial<Setting> {
  /** The mean of each goal; null unless it is complete and feasible. */
  readonly means: readonly number[] | null;
  /** The most probable that a violation may be, with 95 % confidence; null where nothing is known of it. */
  readonly violationBound: number | null;
  /** Runs of whose value of a goal only a bound is known. */
  readonly censored: number;
}

/** How often a point broke a constraint on held-out seeds, and the bound on how probable that is. */
interface HeldPoint {
  /** Its index: held-out runs are of points of their own. */
  readonly point: number;
  readonly violated: number;
  readonly violationBound: number | null;
}

/** One trial on held-out seeds beside the baseline. */
export interface Finalist extends HeldPoint {
  readonly trial: number;
  readonly values: Setting;
  readonly objectives: { readonly [outcome: string]: HeldOutcome };
}

export interface HeldOutcome {
  readonly mean: Estimate | null;
  readonly baseline: Estimate | null;
  /** Paired, less the baseline: the headline. Null where there is none, or where bounds are no values. */
  readonly difference: Estimate | null;
  /** Held-out runs of the point and of the baseline without a value, and of whose value only a bound is known. */
  readonly missing: number;
  readonly baselineMissing: number;
  readonly censored: number;
  readonly baselineCensored: number;
}

/** Hypervolume, a share of the box from the worst to the best that any feasible trial reached of each goal. */
export interface FrontFigures extends GoalBox {
  /** By what the trials said, and by what held-out seeds say of the same points. */
  readonly searched: number;
  readonly heldOut: number;
}

export interface Tuned {
  readonly plan: TunePlan;
  readonly trials: readonly TunedTrial[];
  /** The best, or with several goals the front, in the order of trials; none where no trial is feasible. */
  readonly finalists: readonly Finalist[];
  /** How much the front dominates; null of one goal, and without a finalist. */
  readonly front: FrontFigures | null;
  /** The baseline on the same seeds; null without a finalist. */
  readonly baseline: HeldPoint | null;
  /** On held-out seeds; whoever plays them adds those of the search. */
  readonly runs: readonly TunedRun[];
}

interface Refused {
  readonly refused: string;
  /** The search that was asked for is at fault, and not the points. */
  readonly isSearch?: true;
}

/** Where a search takes numbers between bounds, or why there is none. */
export function tunePlan(study: TuneStudy): TunePlan | Refused {
  const { factors, where, seed, baseline, goal, enqueue } = study;
  const isFront = goal.objectives.length > 1;
  const isList = study.design !== null || factors.every(({ kind }) => kind === "list");
  if (!isList && !isFront) {
    const cube = cubeMap(factors, where);
    if ("refused" in cube) return cube;
    if (cube.dimensions < 1) return { refused: "The constraints leave one point only." };
    const lists = factors.flatMap(({ kind, name }) =>
      kind === "list" ? [`${name} is searched by the order of its list.`] : [],
    );
    const method = goal.search ?? "cma-es";
    const notes = [...cube.notes, ...lists];
    if (method === "gp-ei" && goal.trials > VALUES_MOST) {
      notes.push(
        `Of more than ${VALUES_MOST} trials gp-ei goes by the best half of so many, and by others that are drawn.`,
      );
    }
    return bounded({ study, method, ...skipping(study, enqueue), cube, notes });
  }
  if (goal.search !== undefined) {
    return { refused: "Leave it out: this study is tried point by point.", isSearch: true };
  }
  if (study.design?.kind === "frontier") {
    return { refused: "A frontier is swept, not tuned. Take another design, or none." };
  }
  const drawn = Math.max(1, goal.trials - enqueue.length);
  const sobol: DrawnDesign = { kind: "sobol", points: drawn, isScrambled: true };
  const design = study.design ?? (isList ? { kind: "grid", levels: 2 } : sobol);
  const made = pointsOf(design, factors, where, seed, baseline);
  if ("refused" in made) return made;
  const known = enqueue.length === 0 ? "" : ` besides ${enqueue.length} that are enqueued`;
  // Elimination compares means of pairs.
  const isMean = goal.objectives.every(({ outcome }) => acrossIn(study.outcomes, outcome) === null);
  const front = `A front is sought among ${drawn} points of a scrambled Sobol sequence${known}.`;
  return bounded({
    study,
    method: isFront || !isMean ? "all points" : "elimination",
    ...skipping(study, [...enqueue, ...made.points.map(({ values }) => values)]),
    cube: null,
    notes: isFront && !isList ? [...made.notes, front] : made.notes,
  });
}

/** A point that breaks a constraint is not played, and of equal ones the first is. */
function skipping(
  study: TuneStudy,
  settings: readonly Setting[],
): Pick<TunePlan, "settings" | "skipped"> {
  const first = new Map<string, number>();
  const skipped = new Map<number, string>();
  settings.forEach((setting, place) => {
    const text = settingText(study, setting);
    const same = first.get(text);
    const fault = faultOf(setting, study.where);
    if (fault !== null) skipped.set(place, fault);
    else if (same !== undefined) skipped.set(place, `the point of trial ${same}, played there`);
    else first.set(text, place);
  });
  return { settings, skipped };
}

/** A search that may not try all that it was given is refused: nothing of it is left out silently. */
function bounded(plan: TunePlan): TunePlan | Refused {
  const { trials } = plan.study.goal;
  const played = plan.settings.length - plan.skipped.size;
  if (played <= trials) return plan;
  const what = plan.cube === null ? "points" : "enqueued points";
  const refused = `There are ${played} ${what}, and goal.trials allows ${trials}. Allow more, or take fewer.`;
  return { refused };
}

/** How many points a search plays at most. */
export const triesOf = ({ cube, study, settings, skipped }: TunePlan): number =>
  cube === null ? settings.length - skipped.size : study.goal.trials;

const faultOf = (setting: Setting, constraints: readonly Constraint[]): string | null => {
  const broken = constraints.find((one) => !keeps(one, setting));
  return broken === undefined ? null : `breaks \`${constraintText(broken)}\`; it was not played`;
};

function searched({ study, method, settings, skipped, cube }: TunePlan): Asking<Searched> {
  const skippedAt = (place: number): string | null => skipped.get(place) ?? null;
  if (cube !== null) {
    return climbed(study, cube, settings, skippedAt, (one) => faultOf(one, cube.unkept));
  }
  return method === "elimination"
    ? eliminated(study, settings, skippedAt)
    : triedAll(study, settings, skippedAt);
}

/** All of it; only what the held-out seeds say of the finalists is free of having been chosen for it. */
export function* tuning(plan: TunePlan): Asking<Tuned> {
  const { study } = plan;
  const { goal } = study;
  const { trials, scores } = yield* searched(plan);
  const told = trials.map((trial): TunedTrial => {
    const score = scores.get(trial.number);
    const means = score !== undefined && "means" in score ? score.means : null;
    const censored = score?.censored ?? 0;
    return { ...trial, means, violationBound: boundOf(plan, trial, score), censored };
  });
  const signs = goal.objectives.map(({ direction }) => direction);
  const front =
    signs.length > 1
      ? paretoFront(
          told.map(({ means }) => means),
          signs,
        )
      : [bestOf(told, signs[0] ?? "minimise") ?? []].flat();
  if (front.length === 0)
    return { plan, trials: told, finalists: [], front: null, baseline: null, runs: [] };
  // Points of their own: a trial's index has the runs of the search.
  const first = trials.length;
  const baseline = { index: first + front.length, values: study.baseline };
  const points = [
    ...front.map((number, at) => ({ index: first + at, values: told[number]?.point ?? {} })),
    baseline,
  ];
  const runs = yield points.flatMap((point) =>
    heldOutSeeds(study.seed, goal.heldOut).map((seed, replicate) => ({
      ...runAt(study, point, replicate),
      seed,
    })),
  );
  const swept = { points, baseline: baseline.index };
  const ended = points.map((): Ended => "most");
  const outcomes = new Map(
    summarise(study, swept, ended, runs, "paired").map((one) => [one.index, one.outcomes]),
  );
  const held = (point: number): HeldPoint => {
    const own = runs.filter((run) => run.point === point);
    const violated = own.filter(({ broken }) => broken.length > 0).length;
    const bound = goal.constraints.length === 0 ? null : violationBound(violated, own.length);
    return { point, violated, violationBound: bound };
  };
  const frontFigures = (): FrontFigures => {
    const scored = told.flatMap(({ means }) => (means === null ? [] : [means]));
    const box = goalBox(scored, signs);
    const fresh = front.flatMap((_, at) => {
      const own = goal.objectives.map(
        ({ outcome }) => outcomes.get(first + at)?.[outcome]?.mean?.estimate,
      );
      const known = own.filter((one) => one !== undefined);
      return known.length === own.length ? [known] : [];
    });
    const searchedHere = front.map((number) => told[number]?.means ?? []);
    return {
      ...{ ...box, searched: hypervolume(searchedHere, signs, box) },
      heldOut: hypervolume(fresh, signs, box),
    };
  };
  return {
    plan,
    trials: told,
    finalists: front.map((trial, place): Finalist => {
      const point = first + place;
      return {
        ...{ trial, values: told[trial]?.point ?? {}, ...held(point) },
        objectives: Object.fromEntries(
          goal.objectives.flatMap(({ outcome }) => {
            const own = outcomes.get(point)?.[outcome];
            const base = outcomes.get(baseline.index)?.[outcome];
            // A quantile and a mean up to a limit say themselves what they know of bounds.
            const isAcross = acrossIn(study.outcomes, outcome) !== null;
            return own && base ? [[outcome, heldOutcome(goal, own, base, isAcross)]] : [];
          }),
        ),
      };
    }),
    front: signs.length > 1 ? frontFigures() : null,
    baseline: held(baseline.index),
    runs,
  };
}

/** What held-out seeds say of one outcome at a finalist, beside the baseline. */
function heldOutcome(
  { censored }: Goal,
  own: OutcomeAt,
  base: OutcomeAt,
  isAcross: boolean,
): HeldOutcome {
  const isClaimed = isAcross || censored === "bound" || own.censored + base.censored === 0;
  return {
    ...{ mean: own.mean, baseline: base.mean },
    difference: isClaimed ? own.difference : null,
    ...{ missing: own.missing, baselineMissing: base.missing },
    ...{ censored: own.censored, baselineCensored: base.censored },
  };
}

function boundOf(
  { study: { goal } }: TunePlan,
  { infeasible }: Trial<Setting>,
  score: Score | undefined,
): number | null {
  if (goal.constraints.length === 0) return null;
  if (infeasible !== null) return violationBound(infeasible.violated, infeasible.replicates);
  return score !== undefined && "means" in score ? violationBound(0, score.replicates) : null;
}
