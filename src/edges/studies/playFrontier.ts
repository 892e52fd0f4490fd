/** Plays a frontier to its end: round by round, each whole before the next is asked for. */
import {
  type Combination,
  combinationsOf,
  type FrontierFound,
  FrontierSearch,
} from "../../studies/frontier.ts";
import type { FrontierDesign } from "../../studies/study.ts";
import { runAt } from "../../studies/sweep.ts";
import { type SweepRun, summarise } from "../../studies/sweepSummary.ts";
import { type SweepPlan, type Swept, sweptRun } from "./playSweep.ts";
import type { StudyRuns } from "./studyRuns.ts";

export interface SweptFrontier {
  /** The points that were looked at. */
  readonly swept: Swept;
  readonly found: FrontierFound;
}

interface Search {
  readonly combination: Combination;
  readonly search: FrontierSearch;
}

/** Undefined where it was interrupted. */
export async function playFrontier(
  plan: SweepPlan,
  design: FrontierDesign,
  runs: Pick<StudyRuns, "play" | "played">,
): Promise<SweptFrontier | undefined> {
  const { study } = plan;
  const { count } = study.replicates;
  const searches = combinationsOf(study, design).map(
    (combination): Search => ({
      combination,
      search: new FrontierSearch(combination, count, design.at),
    }),
  );
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
