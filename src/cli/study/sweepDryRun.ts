/** `ghostlight sweep --dry-run`: how much would be played, and how long that takes on this machine. */
import { countOf } from "../../contract/countOf.ts";
import { span } from "../../edges/duration.ts";
import { EXIT } from "../../edges/exit.ts";
import { runsMost, type SweepPlan } from "../../edges/studies/playStudy.ts";
import { type StudyHost, worldOf } from "../../edges/studies/runKey.ts";
import { StudyThread } from "../../edges/studies/studyPool.ts";
import { SCENARIO } from "../../studies/study.ts";
import { runAt } from "../../studies/sweep.ts";
import { print, printJson } from "../output.ts";

/** How many points a search tries, and all runs with those on held-out seeds. */
export interface Searched {
  readonly points: number;
  readonly runs: number;
}

interface Dry extends StudyHost {
  readonly workers: number;
  readonly json: boolean;
  readonly searched: Searched | undefined;
}

/** Writes nothing. The first run warms the thread up, so that the second one's time is that of the others. */
export async function sweepDryRun(
  plan: SweepPlan,
  { workers, json, searched, ...host }: Dry,
): Promise<number> {
  const { study, points, notes } = plan;
  const runs = searched?.runs ?? runsMost(plan);
  const tried = searched?.points ?? points.length;
  const thread = new StudyThread({ ...worldOf(study), ...host, cache: null });
  // One point of each scenario: they take different times.
  const firsts = [...new Map(points.map((one) => [one.values[SCENARIO], one])).values()];
  const times: number[] = [];
  try {
    for (const first of firsts) {
      await thread.play([runAt(study, first, 0)]);
      const startedMs = performance.now();
      await thread.play([runAt(study, first, 1)]);
      times.push(performance.now() - startedMs);
    }
  } finally {
    await thread.close();
  }
  const oneRunMs = Math.ceil(times.reduce((sum, ms) => sum + ms, 0) / Math.max(1, times.length));
  const estimatedMs = Math.ceil((oneRunMs * runs) / Math.min(workers, Math.max(1, runs)));
  const isMost = study.stop !== null || study.design?.kind === "frontier" || searched !== undefined;
  if (json) {
    const estimate = { estimatedMs, oneRunMs, estimatedFrom: "a timed run on this machine" };
    const counts = { points: tried, replicates: study.replicates.count, runs, isMost };
    printJson({ study: study.name, ...counts, workers, ...estimate, notes });
    return EXIT.ok;
  }
  const seconds = span(Math.ceil(estimatedMs / 1_000) * 1_000);
  print(
    [
      `${study.name}: ${countOf(tried, "point")} × ${countOf(study.replicates.count, "replicate")}` +
        `${searched === undefined ? "" : ", with held-out seeds"} = ` +
        `${isMost ? "at most " : ""}${countOf(runs, "run")} of ${Object.keys(study.scenarios ?? { [study.scenario.name]: "" }).join(", ")}. Nothing was kept.`,
      `About ${seconds} with ${workers === 1 ? "1 worker that has a core" : `${workers} workers that have a core each`}, from a timed run on this machine: ${oneRunMs} ms.`,
    ].join("\n"),
  );
  return EXIT.ok;
}
