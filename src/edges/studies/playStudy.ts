/**
 * Plays a study to its end, whatever its design: a sweep batch by batch where a stop rule asks, a frontier round by round, a
 * search as it asks; each whole before the next is decided on.
 */
import { combinationsOf, type FrontierFound, FrontierSearch } from "../../studies/frontier.ts";
import { acrossIn } from "../../studies/outcomes/outcome.ts";
import { outcomesOf } from "../../studies/outcomes/outcomesOf.ts";
import type { Refused } from "../../studies/sample/constraints.ts";
import {
  DESIGN_POINTS_MAX,
  type DesignPoints,
  gridSize,
  pointsOf,
} from "../../studies/sample/points.ts";
import {
  type SenseStudy,
  type Sensitivity,
  senseStudy,
  sensitivities,
} from "../../studies/sense.ts";
import type { FrontierDesign, RunOf, Study } from "../../studies/study.ts";
import { type Ended, neededOf, runAt, type SweepPoints, sweepPoints } from "../../studies/sweep.ts";
import {
  type Analysis,
  type Estimates,
  type SweepRun,
  type SweptPoint,
  stopResults,
  summarise,
} from "../../studies/sweepSummary.ts";
import { type Tuned, type TunePlan, triesOf, tunePlan, tuning } from "../../studies/tune.ts";
import type { TunedRun } from "../../studies/tuneTrials.ts";
import { BadInput, type Where } from "../errors.ts";
import type { PlayedRun, StudyRuns } from "./studyRuns.ts";

export interface SweepPlan extends SweepPoints {
  readonly study: Study;
  /** For each row of the design, the index of its point. */
  readonly rows: readonly number[];
  /** What whoever reads the result must know of how the points were made. */
  readonly notes: readonly string[];
}

export interface Swept {
  readonly plan: SweepPlan;
  /** By point, then by replicate. */
  readonly runs: readonly SweepRun[];
  readonly points: readonly SweptPoint[];
}

const refusedAt = (where: Where, found: string, allowed: string, todo: string, hint = "") =>
  new BadInput({ where, found, allowed, todo, ...(hint && { hint }) });

/** The points of a study. Throws BadInput where its design cannot be made. */
export function sweepPlan(study: Study, file: string): SweepPlan {
  const made = designed(study);
  if ("refused" in made) {
    const found = study.design === null ? "no design" : "a design that cannot be played";
    const todo = "Change `design` in the study.";
    throw refusedAt(
      { file, path: "design" },
      found,
      "a design that has points",
      todo,
      made.refused,
    );
  }
  return { study, ...sweepPoints(study, made.points), rows: made.rows, notes: made.notes };
}

/** Of a frontier, all that it may look at. */
function designed(study: Study): Pick<DesignPoints, "points" | "rows" | "notes"> | Refused {
  const { design, factors, where, seed, baseline } = study;
  if (design === null)
    return { refused: "Without one the points are left to the search of `ghostlight tune`." };
  if (design.kind !== "frontier") return pointsOf(design, factors, where, seed, baseline);
  const others = factors.filter(({ name }) => name !== design.along);
  const size = gridSize(others, design.levels) * BigInt(design.levels);
  if (size > BigInt(DESIGN_POINTS_MAX)) {
    const allowed = `at most ${DESIGN_POINTS_MAX} are allowed`;
    return { refused: `The frontier has ${size} points; ${allowed}. Take fewer levels or values.` };
  }
  const points = combinationsOf(study, design).flatMap((one) => one.points);
  return { points, rows: points.map(({ index }) => index), notes: [] };
}

/** All runs that a sweep plays at most. */
export const runsMost = ({ study, points }: SweepPlan): number =>
  points.length * study.replicates.count;

/** Who plays runs, and what came of each. */
interface Playing {
  readonly play: (runs: readonly RunOf[]) => Promise<boolean>;
  readonly read: (run: RunOf) => SweepRun;
}

/** Undefined where it was interrupted. */
export const playSweep = (
  plan: SweepPlan,
  runs: StudyRuns,
  analysis: Analysis = "paired",
): Promise<Swept | undefined> =>
  playRounds(
    plan,
    {
      play: (batch) => runs.play(batch),
      read: (run) => sweptRun(plan.study, run, runs.played(run)),
    },
    analysis,
  );

/** Round by round, until the stop rule is content. Undefined where it was interrupted. */
export async function playRounds(
  plan: SweepPlan,
  { play, read }: Playing,
  analysis: Analysis | Estimates,
): Promise<Swept | undefined> {
  const { study, points } = plan;
  const done: SweepRun[][] = points.map(() => []);
  for (;;) {
    const stopped = study.stop?.outcome ?? "";
    const results = done.map((one) => stopResults(study, stopped, one));
    const needed = neededOf(study, plan, results);
    const wanted = points.map((point, place) => {
      const first = done[place]?.length ?? 0;
      const more = Math.max(0, (needed.replicates[place] ?? 0) - first);
      return Array.from({ length: more }, (_, at) => runAt(study, point, first + at));
    });
    const batch = wanted.flat();
    if (batch.length === 0) {
      const ended = needed.ended.map((one): Ended => one ?? "most");
      return {
        plan,
        runs: done.flat(),
        points: summarise(study, plan, ended, done.flat(), analysis),
      };
    }
    if (!(await play(batch))) return undefined;
    for (const [place, own] of wanted.entries()) {
      for (const run of own) done[place]?.push(read(run));
    }
  }
}

/** What a run gave, of whatever design. */
export function sweptRun(study: Study, run: RunOf, played: PlayedRun | undefined): SweepRun {
  const { point, replicate, seed, variant } = run;
  const made = { point, replicate, seed, variant };
  if (played !== undefined && "facts" in played) {
    return { ...made, outcome: played.facts.outcome, ...outcomesOf(study, played.facts, run) };
  }
  const values = Object.fromEntries(study.outcomes.map(({ name }) => [name, null]));
  const faults = [`The run ended its worker again and again: ${played?.died ?? "unknown"}.`];
  return { ...made, outcome: "died", values, faults, censored: [] };
}

export interface SensePlan extends SweepPlan {
  readonly study: SenseStudy;
}

export interface Sensed {
  readonly plan: SensePlan;
  readonly swept: Swept;
  readonly sensitivity: { readonly [outcome: string]: Sensitivity };
}

/** Throws BadInput where the study has no design of which indices are known, or its factors are tied. */
export function sensePlan(study: Study, file: string): SensePlan {
  const sensed = senseStudy(study);
  if (sensed === null) {
    const found = study.design === null ? "no design" : `the design ${study.design.kind}`;
    const allowed = "saltelli for Sobol indices, or morris for a screening";
    const todo = "For example: design: { kind: saltelli, rows: 64 }. `sweep` plays the others.";
    throw refusedAt({ file, path: "design" }, found, allowed, todo);
  }
  const plan = sweepPlan(sensed, file);
  const stop = "`stop` is left aside: indices take as many replicates at every row.";
  return {
    ...plan,
    study: sensed,
    notes: [
      ...plan.notes,
      ...(study.stop === null ? [] : [stop]),
      ...(study.outcomes.some(({ name }) => acrossIn(study.outcomes, name) !== null)
        ? ["`across` is left aside: indices are of means."]
        : []),
    ],
  };
}

/** Undefined where it was interrupted. */
export async function playSense(plan: SensePlan, runs: StudyRuns): Promise<Sensed | undefined> {
  const swept = await playSweep(plan, runs);
  if (swept === undefined) return undefined;
  return { plan, swept, sensitivity: sensitivities(plan.study, plan.rows, swept.runs) };
}

export interface SweptFrontier {
  /** The points that were looked at. */
  readonly swept: Swept;
  readonly found: FrontierFound;
}

/** Undefined where it was interrupted. */
export async function playFrontier(
  plan: SweepPlan,
  design: FrontierDesign,
  runs: Pick<StudyRuns, "play" | "played">,
): Promise<SweptFrontier | undefined> {
  const { study } = plan;
  const { count } = study.replicates;
  const searches = combinationsOf(study, design).map((combination) => ({
    combination,
    search: new FrontierSearch(combination, count, design.at),
  }));
  const done = new Map<number, readonly SweepRun[]>();
  for (;;) {
    const round = searches.flatMap(({ combination: { points }, search }) =>
      search.ask().flatMap((level) => {
        const point = points[level];
        if (point === undefined) return [];
        const own = Array.from({ length: count }, (_, replicate) => runAt(study, point, replicate));
        return [{ search, level, point, own }];
      }),
    );
    if (round.length === 0) break;
    if (!(await runs.play(round.flatMap(({ own }) => own)))) return undefined;
    for (const { search, level, point, own } of round) {
      const swept = own.map((run) => sweptRun(study, run, runs.played(run)));
      done.set(point.index, swept);
      search.tell(
        level,
        // Of a bound it is not known on which side of a threshold the value lies.
        swept.map(({ values, censored }) =>
          censored.includes(design.outcome) ? null : (values[design.outcome] ?? null),
        ),
      );
    }
  }
  const points = plan.points.filter(({ index }) => done.has(index));
  const looked = { ...plan, points };
  const played = points.flatMap(({ index }) => done.get(index) ?? []);
  const ended = points.map(() => "most" as const);
  return {
    swept: {
      plan: looked,
      runs: played,
      points: summarise(study, looked, ended, played, "paired"),
    },
    found: { design, combinations: searches.map(({ search }) => search.result()) },
  };
}

/** Throws BadInput where the study has no goal, or nothing that can be searched. */
export function tuningOf(study: Study, file: string): TunePlan {
  const { goal, replicates } = study;
  if (goal === null) {
    const todo = "For example: goal: { maximise: OUTCOME }, of an outcome of the study.";
    throw refusedAt({ file, path: "goal" }, "nothing", "a goal to maximise or minimise", todo);
  }
  if (replicates.seeds !== "common") {
    const todo = "Leave `seeds` out: points are compared on the same seeds.";
    throw refusedAt({ file, path: "replicates.seeds" }, "independent", "common", todo);
  }
  if (replicates.count < 2) {
    throw refusedAt(
      { file, path: "replicates" },
      `${replicates.count}`,
      "2 or more",
      "Take more replicates.",
    );
  }
  const plan = tunePlan({ ...study, goal });
  if ("refused" in plan) {
    const todo = "Change factors, design or goal in the study.";
    const { refused, isSearch = false } = plan;
    const [at, found, allowed] = isSearch
      ? [
          "goal.search",
          `${goal.search}`,
          "nothing, unless beside ranges and one goal, without a design",
        ]
      : ["factors", "a search that cannot be begun", "points that can be searched"];
    throw refusedAt({ file, path: at }, found, allowed, todo, refused);
  }
  const stop = "`stop` is left aside: a search decides itself how often a point is played.";
  return study.stop === null ? plan : { ...plan, notes: [...plan.notes, stop] };
}

/** All runs that it plays at most. With two goals each point of the front is replayed, so there may be more. */
export const tuneRunsMost = (plan: TunePlan): number =>
  triesOf(plan) * plan.study.replicates.count + 2 * plan.study.goal.heldOut;

/** With all runs of the search. Undefined where it was interrupted. */
export async function playTune(plan: TunePlan, runs: StudyRuns): Promise<Tuned | undefined> {
  const { study } = plan;
  const search = tuning(plan);
  const all: TunedRun[] = [];
  for (let step = search.next(); ; ) {
    if (step.done) return { ...step.value, runs: all };
    if (!(await runs.play(step.value))) return undefined;
    const told = step.value.map((run): TunedRun => {
      const played = runs.played(run);
      const said = played !== undefined && "facts" in played ? played.facts.promises : {};
      const broken = study.goal.constraints.filter((id) => (said[id] ?? null) !== null);
      return { ...sweptRun(study, run, played), broken };
    });
    all.push(...told);
    step = search.next(told);
  }
}
