/** What came of a study, as plain data: everything that its files and its report say follows from it. */
import type { FrontierFound } from "./frontier.ts";
import type { Sensitivity } from "./sense.ts";
import type { Setting, Study } from "./study.ts";
import type { SweepRun, SweptPoint } from "./sweepSummary.ts";

export interface StudyResult {
  readonly study: Study;
  /** What whoever reads the result must know of how the points were made. */
  readonly notes: readonly string[];
  /** The point with which all others are compared, by its index; null where there is none. */
  readonly baseline: number | null;
  /** Those that were played, by index: some may be missing between them. */
  readonly points: readonly SweptPoint[];
  /** By point, then by replicate. */
  readonly runs: readonly SweepRun[];
  /** The command that opens each point as a run, in the order of the points. */
  readonly opening: readonly string[];
  /** How much each factor matters, by outcome; null where the design has no indices. */
  readonly indices: { readonly [outcome: string]: Sensitivity } | null;
  /** What a search tried, oldest first; empty where nothing was searched for. */
  readonly trials: readonly StudyTrial[];
  /** Of a search: points, by index, that were replayed on seeds that no trial had, the baseline last. */
  readonly heldOut: readonly number[];
  /** Null where none was looked for. */
  readonly frontier: FrontierFound | null;
}

/** All but the commands, which only whoever was called from a command line knows. */
export type StudyFound = Omit<StudyResult, "opening">;

export interface StudyTrial {
  readonly number: number;
  /** Optuna's: WAITING, RUNNING, COMPLETE, PRUNED, FAIL. */
  readonly state: string;
  /** Its point's index; null where it was never played. */
  readonly point: number | null;
  readonly params: Setting;
  /** Whether the study asked for it, rather than the search. */
  readonly isEnqueued: boolean;
  /** A value for each of the goal's objectives; null where it is infeasible or has none. */
  readonly values: readonly number[] | null;
  /** Why it has none, in words. */
  readonly reason: string | null;
  /** Constraints that it broke, in so many of so many runs; none where it broke none. */
  readonly broken: readonly string[];
  readonly violated: number;
  readonly replicates: number;
  /** The most probable that a violation may be, with 95 % confidence; null where nothing is known of it. */
  readonly violationBound: number | null;
  /** Runs of whose value of a goal only a bound is known. */
  readonly censored: number;
}
