/** Plays a sweep to its end: batch by batch where a stop rule asks, each batch whole before it decides. */

import { combinationsOf } from "../../studies/frontier.ts";
import { outcomesOf } from "../../studies/outcomes/outcomesOf.ts";
import type { Refused } from "../../studies/sample/constraints.ts";
import {
  DESIGN_POINTS_MAX,
  type DesignPoints,
  gridSize,
  pointsOf,
} from "../../studies/sample/points.ts";
import type { RunOf, Study } from "../../studies/study.ts";
import { type Ended, neededOf, runAt, type SweepPoints, sweepPoints } from "../../studies/sweep.ts";
import {
  type Analysis,
  resultsOf,
  type SweepRun,
  type SweptPoint,
  summarise,
} from "../../studies/sweepSummary.ts";
import { BadInput } from "../errors.ts";
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

/** The points of a study. Throws BadInput where its design cannot be made. */
export function sweepPlan(study: Study, file: string): SweepPlan {
  const made = designed(study);
  if ("refused" in made) {
    throw new BadInput({
      where: { file, path: "design" },
      found: study.design === null ? "no design" : "a design that cannot be played",
      allowed: "a design that has points",
      hint: made.refused,
      todo: "Change `design` in the study.",
    });
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

/** Undefined where it was interrupted. */
export async function playSweep(
  plan: SweepPlan,
  runs: StudyRuns,
  analysis: Analysis = "paired",
): Promise<Swept | undefined> {
  const { study, points } = plan;
  const done: SweepRun[][] = points.map(() => []);
  for (;;) {
    const stopped = study.stop?.outcome ?? "";
    const results = done.map((one) => resultsOf(one, stopped, "known"));
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
    if (!(await runs.play(batch))) return undefined;
    for (const [place, own] of wanted.entries()) {
      for (const run of own) done[place]?.push(sweptRun(study, run, runs.played(run)));
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
