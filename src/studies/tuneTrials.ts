/** The trials of a search: which runs it asks for, and what they say of a point. No run is played here. */

import { acrossIn } from "./outcomes/outcome.ts";
import type { CubeMap } from "./sample/cubeMap.ts";
import { Elimination } from "./search/elimination.ts";
import { improvementSearch } from "./search/expectedImprovement.ts";
import { parzenSearch } from "./search/parzen.ts";
import type { ModelOptions, PlaceSearch } from "./search/placeSearch.ts";
import { RestartedCmaEs } from "./search/restarts.ts";
import { type Infeasible, type Trial, Trials } from "./search/trial.ts";
import { acrossEstimate, acrossValue } from "./statistics/across.ts";
import { plainMean } from "./statistics/replicatedRows.ts";
import {
  type Goal,
  type RangeSearch,
  type RunOf,
  type Setting,
  type Study,
  settingText,
} from "./study.ts";
import { runAt } from "./sweep.ts";
import { outcomeResults, type SweepRun } from "./sweepSummary.ts";

export interface TuneStudy extends Study {
  readonly goal: Goal;
}

/** A run, and the constraints that it broke. */
export interface TunedRun extends SweepRun {
  readonly broken: readonly string[];
}

/** Asks for runs, and is given each of them in the order in which it asked. */
export type Asking<Found> = Generator<readonly RunOf[], Found, readonly TunedRun[]>;

/** What a point's runs say of it: a mean for each goal, or why it has none. */
export type Score = {
  /** Runs of whose value of a goal only a bound is known. */
  readonly censored: number;
} & (
  | { readonly means: readonly number[]; readonly replicates: number }
  | { readonly infeasible: Infeasible }
  | { readonly failed: string }
);

export interface Searched {
  readonly trials: readonly Trial<Setting>[];
  /** Of each trial that was played to its end. */
  readonly scores: ReadonlyMap<number, Score>;
}

/** A point that breaks a constraint in any run is infeasible, whatever its other runs gave. */
export function scoreOf(study: TuneStudy, runs: readonly TunedRun[]): Score {
  const { goal } = study;
  const names = goal.objectives.map(({ outcome }) => outcome);
  const valuesOf = names.map((name) => goalValue(study, name, runs));
  const rests = names.filter((_, at) => valuesOf[at]?.restsOnBounds);
  const bounds = runs.filter((run) => rests.some((name) => run.censored.includes(name)));
  const censored = bounds.length;
  const violating = runs.filter(({ broken }) => broken.length > 0);
  if (violating.length > 0) {
    const all = new Set(violating.flatMap(({ broken }) => broken));
    const broken = goal.constraints.filter((id) => all.has(id));
    const infeasible = { broken, violated: violating.length, replicates: runs.length };
    return { censored, infeasible };
  }
  const without = runs.filter(({ values }) =>
    names.some((name) => (values[name] ?? null) === null),
  );
  const [first] = without;
  if (first !== undefined) {
    const why = `${without.length} of ${runs.length} runs gave no value; seed ${first.seed}: ${first.faults.join(" ")}`;
    return { censored, failed: why };
  }
  const [bound] = bounds;
  if (bound !== undefined && goal.censored === "refuse") {
    const which = names.filter((name) => bound.censored.includes(name)).join(", ");
    const why = `of ${which} only a bound is known in ${censored} of ${runs.length} runs, such as seed ${bound.seed}`;
    return { censored, failed: why };
  }
  const means = valuesOf.map(({ value }) => value);
  return { censored, means, replicates: runs.length };
}

/** What a search goes by, and whether another value of which a bound is known could change it. */
function goalValue(study: TuneStudy, name: string, runs: readonly TunedRun[]) {
  const across = acrossIn(study.outcomes, name);
  const hasBounds = runs.some(({ censored }) => censored.includes(name));
  const mean = plainMean(runs.map(({ values }) => values[name] ?? 0));
  if (across === null) return { value: mean, restsOnBounds: hasBounds };
  const results = outcomeResults(study, name, runs);
  const sure = acrossValue(across, results);
  if (sure !== null) return { value: sure, restsOnBounds: false };
  return { value: acrossEstimate(across, results)?.estimate ?? mean, restsOnBounds: hasBounds };
}

const runsOf = (study: Study, index: number, values: Setting, from: number, to: number): RunOf[] =>
  Array.from({ length: to - from }, (_, at) => runAt(study, { index, values }, from + at));

const runsBy = (runs: readonly TunedRun[], number: number) =>
  runs.filter(({ point }) => point === number);

function finish(trials: Trials<Setting>, number: number, score: Score): void {
  if ("failed" in score) trials.fail(number, score.failed);
  else if ("infeasible" in score) trials.completeInfeasible(number, score.infeasible);
  else trials.complete(number, score.means[0] ?? 0);
}

/** Why a point is not played; null where it is. */
type Fault = (setting: Setting, place: number) => string | null;

interface State {
  readonly trials: Trials<Setting>;
  readonly scores: Map<number, Score>;
}

/** Points that the study enqueues come first among the settings of a search. */
function begun({ enqueue }: TuneStudy): State {
  const trials = new Trials<Setting>();
  for (const one of enqueue) trials.enqueue(one);
  return { trials, scores: new Map() };
}

/** A trial for each setting, and those that are to be played. */
function startedIn({ trials }: State, settings: readonly Setting[], fault: Fault) {
  const started = settings.map((one, place) => {
    const trial = trials.start(() => one);
    const why = fault(trial.point, place);
    return why === null ? trial : trials.prune(trial.number, why);
  });
  return { started, played: started.filter(({ state }) => state === "RUNNING") };
}

/** Every trial with all its replicates: what waits, then so many others as are given. */
function* wholeTrials(
  study: TuneStudy,
  state: State,
  settings: readonly Setting[],
  fault: Fault,
): Asking<readonly (Score | null)[]> {
  const { count } = study.replicates;
  const { started, played } = startedIn(state, settings, fault);
  if (played.length > 0) {
    const runs = yield played.flatMap(({ number, point }) =>
      runsOf(study, number, point, 0, count),
    );
    for (const { number } of played) {
      const score = scoreOf(study, runsBy(runs, number));
      state.scores.set(number, score);
      finish(state.trials, number, score);
    }
  }
  return started.map(({ number }) => state.scores.get(number) ?? null);
}

/** Each point of a list, all of them with all replicates: for a front, no point is dropped. */
export function* triedAll(
  study: TuneStudy,
  settings: readonly Setting[],
  skipped: (place: number) => string | null,
): Asking<Searched> {
  const state = begun(study);
  yield* wholeTrials(study, state, settings, (_, place) => skipped(place));
  return { trials: state.trials.all, scores: state.scores };
}

/** By name; for what goes by the order of values alone, what was tried says nothing. */
export const RANGE_SEARCH: {
  readonly [name in RangeSearch]: (options: ModelOptions) => PlaceSearch;
} = {
  "cma-es": (options) => new RestartedCmaEs(options),
  "gp-ei": improvementSearch,
  tpe: parzenSearch,
};

/** A search of ranges, after the points that the study enqueues. It sees the first goal. */
export function* climbed(
  study: TuneStudy,
  { settingAt, dimensions }: CubeMap,
  known: readonly Setting[],
  skipped: (place: number) => string | null,
  fault: (setting: Setting) => string | null,
): Asking<Searched> {
  const { goal, seed } = study;
  const state = begun(study);
  const { trials, scores } = state;
  yield* wholeTrials(study, state, known, (_, place) => skipped(place));
  const tried = new Set(known.map((one) => settingText(study, one)));
  const search = RANGE_SEARCH[goal.search ?? "cma-es"]({
    ...{ dimensions, seed },
    isOpen(place) {
      const setting = settingAt(place);
      return !tried.has(settingText(study, setting)) && fault(setting) === null;
    },
  });
  const sign = goal.objectives[0]?.direction === "maximise" ? -1 : 1;
  for (;;) {
    const left = goal.trials - trials.all.length;
    if (left <= 0) return { trials: trials.all, scores };
    const asked = search.ask().map(settingAt);
    const told = yield* wholeTrials(study, state, asked.slice(0, left), fault);
    for (const one of asked) tried.add(settingText(study, one));
    if (left < asked.length) continue;
    search.tell(
      told.map((one) => (one !== null && "means" in one ? sign * (one.means[0] ?? 0) : null)),
    );
  }
}

interface Pass {
  readonly scores: ReadonlyMap<number, Score>;
  readonly pruned: ReadonlyMap<number, { readonly replicates: number; readonly against: number }>;
}

/**
 * Successive elimination. A point that was dropped against one that turned out infeasible may be the best: then it
 * starts again without that one, and the runs that are known are not played again.
 */
export function* eliminated(
  study: TuneStudy,
  settings: readonly Setting[],
  skipped: (place: number) => string | null,
): Asking<Searched> {
  const state = begun(study);
  const { trials } = state;
  const { played } = startedIn(state, settings, (_, place) => skipped(place));
  const bad = new Map<number, Score>();
  for (;;) {
    const left = played.filter(({ number }) => !bad.has(number));
    const { scores, pruned } = yield* onePass(study, left);
    const before = bad.size;
    for (const [number, score] of scores) if (!("means" in score)) bad.set(number, score);
    if (bad.size > before && [...pruned.values()].some(({ against }) => bad.has(against))) continue;
    const all = new Map([...bad, ...scores]);
    for (const { number } of played) {
      const score = all.get(number);
      const drop = pruned.get(number);
      if (score !== undefined) finish(trials, number, score);
      else if (drop !== undefined) {
        trials.prune(
          number,
          `worse than trial ${drop.against} after ${drop.replicates} replicates`,
        );
      }
    }
    return { trials: trials.all, scores: all };
  }
}

function* onePass(study: TuneStudy, candidates: readonly Trial<Setting>[]): Asking<Pass> {
  const { goal, replicates } = study;
  const scores = new Map<number, Score>();
  const pruned = new Map<number, { readonly replicates: number; readonly against: number }>();
  if (candidates.length === 0) return { scores, pruned };
  const most = replicates.count;
  const outcome = goal.objectives[0]?.outcome ?? "";
  const search = new Elimination({
    points: candidates.length,
    goal: goal.objectives[0]?.direction ?? "maximise",
    first: Math.min(Math.max(2, replicates.batch), most),
    most,
  });
  const known = candidates.map((): TunedRun[] => []);
  const play = function* (places: readonly number[], to: number): Asking<void> {
    const runs = yield places.flatMap((place) => {
      const one = candidates[place];
      const from = known[place]?.length ?? 0;
      return one === undefined ? [] : runsOf(study, one.number, one.point, from, to);
    });
    for (const place of places) {
      known[place]?.push(...runsBy(runs, candidates[place]?.number ?? -1));
    }
  };
  const look = (place: number): Score => {
    const score = scoreOf(study, known[place] ?? []);
    scores.set(candidates[place]?.number ?? -1, score);
    return score;
  };
  for (let asked = search.ask(); asked !== null; asked = search.ask()) {
    const { points, from, to } = asked;
    yield* play(points, to);
    search.tell(
      new Map(
        points.map((place) => [
          place,
          "means" in look(place)
            ? (known[place] ?? []).slice(from).map(({ values }) => values[outcome] ?? 0)
            : null,
        ]),
      ),
    );
  }
  // Whoever is left alone early has not held its promises in all replicates yet.
  yield* play(search.left, most);
  for (const place of search.left) look(place);
  for (const { point, replicates: after, against } of search.dropped) {
    const number = candidates[point]?.number ?? -1;
    if (against === null) continue;
    scores.delete(number);
    pruned.set(number, { replicates: after, against: candidates[against]?.number ?? -1 });
  }
  return { scores, pruned };
}
