/** What each kind of study found, in the one shape of which its files and its report are made. */
import { countOf } from "../contract/countOf.ts";
import { groupedBy } from "../machines/grouped.ts";
import { UNKNOWN } from "./outcomes/outcomesOf.ts";
import type { StudyFound, StudyTrial } from "./result.ts";
import { inFoldingOrder } from "./statistics/fold.ts";
import type { Study } from "./study.ts";
import type { Ended, SweepPoints } from "./sweep.ts";
import { type SweepRun, type SweptPoint, summarise } from "./sweepSummary.ts";
import type { Tuned, TunedTrial } from "./tune.ts";

interface Played {
  readonly plan: SweepPoints & { readonly study: Study; readonly notes: readonly string[] };
  readonly points: readonly SweptPoint[];
  readonly runs: readonly SweepRun[];
}

/** Of a sweep, of a frontier's looks, and of the rows of a design of which indices are known. */
export const sweptFound = (
  { plan: { study, notes, baseline }, points, runs }: Played,
  { indices = null, frontier = null }: Partial<Pick<StudyFound, "indices" | "frontier">> = {},
): StudyFound => ({
  ...{ study, notes: [...unknownNotes(study, runs), ...notes], baseline, points, runs },
  ...{ indices, frontier, trials: [], heldOut: [] },
});

/** Of a study of worlds that recordings were made to: first how many plays are unknown, and how many recordings there are. */
export function unknownNotes(study: Study, runs: readonly SweepRun[]): readonly string[] {
  const unknown = runs.filter(({ faults }) => faults.some((one) => one.startsWith(UNKNOWN)));
  if (unknown.length === 0) return [];
  const share = ((100 * unknown.length) / runs.length).toFixed(0);
  return [
    `In ${unknown.length} of ${runs.length} plays (${share} %) an agent left its recording: what they come to is unknown, neither good nor bad, and they count for nothing below.`,
    `n = ${countOf(study.recordings ?? 1, "recording")}: intervals speak of plays, of which more say nothing more of other recordings.`,
  ];
}

/** A point for each trial that was played, at its number; then the finalists and the baseline on held-out seeds. */
export function tunedFound({ plan, trials, finalists, baseline, runs }: Tuned): StudyFound {
  const { study } = plan;
  const all = onceEach(runs);
  const notes = [...unknownNotes(study, all), ...plan.notes];
  const byPoint = groupedBy(all, ({ point }) => point);
  const played = (number: number): number => byPoint.get(number)?.length ?? 0;
  const tried = trials
    .filter(({ number }) => played(number) > 0)
    .map(({ number, point }) => ({ index: number, values: point }));
  const held = finalists.map(({ point, values }) => ({ index: point, values }));
  if (baseline !== null) held.push({ index: baseline.point, values: study.baseline });
  const ended: readonly Ended[] = [
    ...tried.map(({ index }) => (played(index) < study.replicates.count ? "dropped" : "most")),
    ...held.map(() => "most" as const),
  ];
  // Trials have no seed in common with the baseline, so that none is compared with it.
  const swept = { points: [...tried, ...held], baseline: baseline?.point ?? null };
  return {
    ...{ study, notes, indices: null, frontier: null, baseline: swept.baseline },
    points: summarise(study, swept, ended, all, "paired"),
    runs: all,
    trials: trials.map((one) => trialOf(one, played(one.number))),
    heldOut: held.map(({ index }) => index),
  };
}

/** A search that starts again asks again for what is known. */
const onceEach = <Run extends SweepRun>(runs: readonly Run[]): readonly Run[] => [
  ...new Map(
    inFoldingOrder(runs).map((run) => [`${run.point} ${run.replicate}`, run] as const),
  ).values(),
];

function trialOf(trial: TunedTrial, replicates: number): StudyTrial {
  const { number, state, point: params, isEnqueued, means, infeasible, censored } = trial;
  return {
    ...{ number, state, params, isEnqueued, censored, replicates },
    point: replicates === 0 ? null : number,
    values: means,
    reason: whyOf(trial),
    broken: infeasible?.broken ?? [],
    violated: infeasible?.violated ?? 0,
    violationBound: trial.violationBound,
  };
}

/** Why it has no value; null where it has one. */
function whyOf({ infeasible, reason }: TunedTrial): string | null {
  if (infeasible === null) return reason;
  const { broken, violated, replicates } = infeasible;
  return `infeasible: ${broken.join(", ")} broken in ${violated} of ${replicates} runs`;
}
