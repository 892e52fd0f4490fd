/**
 * Shares of runs of a real agent on several tasks. With ten tasks or more the tasks are what is drawn: two runs on one task are no
 * two draws. Below that an interval speaks of these tasks alone.
 */
import { groupedBy } from "../machines/grouped.ts";
import { type Result, valuesOf } from "./statistics/fold.ts";
import type { Estimate } from "./statistics/intervals.ts";
import { pairsInterval, valuesInterval } from "./statistics/proportions.ts";
import { byRuns, type Estimates } from "./sweepSummary.ts";

/** Ours: of fewer tasks nobody would say that they stand for others. */
export const TASKS_LEAST = 10;

/** Replicates go through the tasks in turn. */
export const taskOf = (replicate: number, tasks: number): number => replicate % tasks;

/**
 * `isPaired`: a seed fixes a run but for its fault, as with a scripted model. Of many tasks the interval is Student's of their own
 * shares, which is what drawing the tasks again and again comes to.
 */
export function taskEstimates(tasks: number, isPaired: boolean): Estimates {
  if (tasks < TASKS_LEAST) return byRuns(isPaired ? "paired" : "plain");
  const shares = (results: readonly Result[]): ReadonlyMap<number, number> => {
    const byTask = groupedBy(results, ({ replicate }) => taskOf(replicate, tasks));
    return new Map(
      [...byTask].flatMap(([task, own]) => {
        const values = valuesOf(own);
        if (values.length === 0) return [];
        return [[task, values.reduce((sum, one) => sum + one, 0) / values.length] as const];
      }),
    );
  };
  const named = (of: Estimate): Estimate => ({ ...of, method: `over tasks: ${of.method}` });
  return {
    mean: (results) => named(valuesInterval([...shares(results).values()], "within")),
    difference: (base, results) => {
      const known = shares(base);
      const pairs = [...shares(results)].flatMap(([task, share]) => {
        const other = known.get(task);
        return other === undefined ? [] : [[other, share] as const];
      });
      return pairs.length === 0 ? null : named(pairsInterval(pairs, "within"));
    },
  };
}
