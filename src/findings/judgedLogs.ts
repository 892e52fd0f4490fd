/**
 * What findings say of logs that people judged: how much more often each occurs in failed ones, and how often the
 * first of them stands at the step that was annotated as the mistake.
 */
import type { LogJudged } from "../contract/trace.ts";
import type { Estimate } from "../studies/statistics/intervals.ts";
import { proportionInterval } from "../studies/statistics/proportions.ts";
import { type Hits, type RiskRatio, riskRatio } from "../studies/statistics/riskRatio.ts";
import type { Occurrence } from "./finding.ts";

/** One log, as far as it counts here. */
export interface JudgedLog {
  readonly judged: LogJudged | null;
  /** By seq; at least the first of each finding. */
  readonly occurrences: readonly Pick<Occurrence, "finding" | "step" | "seq">[];
}

/** The name of what holds of every finding together. */
export const ANY = "any of them";

/** How often a finding occurs in failed logs and in the others. */
export interface OutcomeRow {
  readonly finding: string;
  readonly failed: Hits;
  readonly passed: Hits;
  readonly ratio: RiskRatio;
}

/** One finding is all of them. */
const withAny = (findings: readonly string[]): readonly string[] =>
  findings.length > 1 ? [...findings, ANY] : findings;

/** Whether a log was judged a failure; null where nobody said. A reward below 1 is one. */
export function hasFailed({ judged }: JudgedLog): boolean | null {
  if (judged === null) return null;
  if (judged.success !== null) return !judged.success;
  return judged.reward === null ? null : judged.reward < 1;
}

/** A row for each finding, and one for all; none unless there are logs of both outcomes. */
export function outcomeRows(
  findings: readonly string[],
  logs: readonly JudgedLog[],
): readonly OutcomeRow[] {
  const failed = logs.filter((one) => hasFailed(one) === true);
  const passed = logs.filter((one) => hasFailed(one) === false);
  if (failed.length === 0 || passed.length === 0) return [];
  const hits = (those: readonly JudgedLog[], finding: string): Hits => ({
    n: those.length,
    hits: those.filter((one) => firstOf(one, finding) !== undefined).length,
  });
  return withAny(findings).map((finding) => {
    const [a, b] = [hits(failed, finding), hits(passed, finding)];
    return { finding, failed: a, passed: b, ratio: riskRatio(a, b) };
  });
}

/** How often the first place of a finding is the annotated one. */
export interface PlaceRow {
  readonly finding: string;
  /** Logs in which it occurs at all, and those whose mistake is annotated. */
  readonly told: number;
  readonly logs: number;
  /** Of all annotated logs. */
  readonly same: Estimate;
  readonly withinOne: Estimate;
}

/** A row for each finding, and one for the first of all; none unless some log has an annotated step. */
export function placeRows(
  findings: readonly string[],
  logs: readonly JudgedLog[],
): readonly PlaceRow[] {
  const annotated = logs.flatMap((log) => {
    const step = log.judged?.mistake?.step ?? null;
    return step === null ? [] : [{ log, step }];
  });
  if (annotated.length === 0) return [];
  return withAny(findings).map((finding) => {
    const apart = annotated.map(({ log, step }) => {
      const first = firstOf(log, finding)?.step ?? null;
      return first === null ? null : Math.abs(first - step);
    });
    const within = (steps: number): Estimate =>
      proportionInterval(apart.filter((one) => one !== null && one <= steps).length, apart.length);
    const told = apart.filter((one) => one !== null).length;
    return { finding, told, logs: apart.length, same: within(0), withinOne: within(1) };
  });
}

const firstOf = ({ occurrences }: JudgedLog, finding: string) =>
  occurrences.find((one) => finding === ANY || one.finding === finding);
