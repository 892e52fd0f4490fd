/** Plays what a search asks for, batch by batch, until it has found what it looks for. */
import type { Study } from "../../studies/study.ts";
import { type Tuned, type TunePlan, triesOf, tunePlan, tuning } from "../../studies/tune.ts";
import type { TunedRun } from "../../studies/tuneTrials.ts";
import { BadInput } from "../errors.ts";
import { sweptRun } from "./playSweep.ts";
import type { StudyRuns } from "./studyRuns.ts";

/** Throws BadInput where the study has no goal, or nothing that can be searched. */
export function tuningOf(study: Study, file: string): TunePlan {
  const refuse = (path: string, found: string, allowed: string, todo: string, hint = "") =>
    new BadInput({ where: { file, path }, found, allowed, todo, ...(hint && { hint }) });
  const { goal, replicates } = study;
  if (goal === null) {
    const todo = "For example: goal: { maximise: OUTCOME }, of an outcome of the study.";
    throw refuse("goal", "nothing", "a goal to maximise or minimise", todo);
  }
  if (replicates.seeds !== "common") {
    const todo = "Leave `seeds` out: points are compared on the same seeds.";
    throw refuse("replicates.seeds", "independent", "common", todo);
  }
  if (replicates.count < 2) {
    throw refuse("replicates", String(replicates.count), "2 or more", "Take more replicates.");
  }
  const plan = tunePlan({ ...study, goal });
  if ("refused" in plan) {
    const todo = "Change factors, design or goal in the study.";
    const allowed = "points that can be searched";
    throw refuse("factors", "a search that cannot be begun", allowed, todo, plan.refused);
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
