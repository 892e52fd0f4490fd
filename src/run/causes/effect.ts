/** What is to be explained or prevented: something that a run shows or does not show, whatever its seed. */

import { countOf } from "../../contract/countOf.ts";
import type { MetricName } from "../../contract/gauge.ts";
import { metricTable } from "../../contract/metricTable.ts";
import type { Part } from "../../contract/part.ts";
import type { Expectation } from "../../contract/scenario.ts";
import type { Log } from "../../substrate/log.ts";
import { judge } from "../expect.ts";
import { leftRecording } from "../leftRecording.ts";
import type { Meter } from "../meter.ts";
import { type Explanation, questions } from "../why.ts";

export type Effect = { readonly says: string } & (
  | {
      readonly kind: "measured";
      readonly expectation: Expectation;
      /** Whether it is the effect that this holds, or that it does not. */
      readonly holds: boolean;
    }
  /** A question that the run gives cause to ask. */
  | { readonly kind: "asked"; readonly question: string }
  /** A promise that the run breaks. */
  | { readonly kind: "broken"; readonly property: string }
);

/** Ours: what is left of a failure that is gone; a world has some of its own, and they are not its. */
const LEFT = 4;

/**
 * What a person is told first of a run that was explained: how many failed, else what is asked first. Undefined where neither can
 * be seen in it: failures may be of a part of which no metric counts them, and what is asked a delivery, which other runs do not have.
 */
export function firstTold(
  parts: readonly Part[],
  { failures, question }: Pick<Explanation, "failures" | "question">,
  seen: Seen,
): Effect | undefined {
  const all = failures?.all ?? 0;
  const [metric] = parts.flatMap(({ questions: own }) => own?.failuresAre ?? []);
  if (all > 0 && metric !== undefined) {
    const value = Math.max(1, Math.ceil(all / LEFT));
    const few = value === 1 ? "none does" : `fewer than ${value} do, a quarter`;
    const one = metricTable(parts)[metric].unit.replace(/s$/, "");
    const failed: Effect = {
      ...measured({ metric, actor: null, op: ">=", value, at: "end" }),
      says: `${countOf(all, one)} failed; gone where ${few} (${metric} >= ${value})`,
    };
    if (occurs(parts, failed, seen)) return failed;
  }
  const asked: Effect = { kind: "asked", question, says: `\`why\` is asked of ${question}` };
  return occurs(parts, asked, seen) ? asked : undefined;
}

export const measured = (
  given: Omit<Expectation, "name">,
): Extract<Effect, { kind: "measured" }> => {
  const { metric, actor, op, value, at } = given;
  const when = typeof at === "number" ? ` at ${at}ms` : ` ${at}`;
  const says = `${metric}${actor === null ? "" : `@${actor}`} ${op} ${value}${when}`;
  return { kind: "measured", expectation: { name: says, ...given }, holds: true, says };
};

/** A run so far, as far as an effect can be seen in it. */
export interface Seen {
  readonly meter: Meter;
  readonly atMs: number;
  /** Its whole log, where a question is asked of it. */
  readonly deliveries: Log;
  /** By promise, what was said of it where it is broken. */
  readonly broken: { readonly [property: string]: string | null };
}

/** At the end of a run. */
export function occurs(parts: readonly Part[], effect: Effect, seen: Seen): boolean {
  switch (effect.kind) {
    case "measured":
      return judge(effect.expectation, seen.meter, seen.atMs).ok === effect.holds;
    case "asked":
      return questions(parts, seen.deliveries).includes(effect.question);
    case "broken":
      return typeof seen.broken[effect.property] === "string";
  }
}

/** Whether a stand-in left its recording, so that nobody knows what came of it; that it left is known. */
export const isUnknown = (parts: readonly Part[], effect: Effect, meter: Meter): boolean =>
  leftRecording(parts, meter) !== null &&
  !(
    effect.kind === "measured" &&
    metricTable(parts)[effect.expectation.metric as MetricName].isUnknown
  );

/** When nothing could take the effect back any more; the end where that cannot be told, or it was not. */
export function certainMs(
  parts: readonly Part[],
  effect: Effect,
  meter: Meter,
  endMs: number,
): number {
  if (effect.kind !== "measured") return endMs;
  const { expectation } = effect;
  const { at } = expectation;
  const { ok, atMs } = judge({ ...expectation, at: "ever" }, meter, endMs);
  if (effect.holds && ok && (at === "ever" || isCount(parts, expectation))) return atMs;
  return typeof at === "number" ? Math.min(at, endMs) : endMs;
}

/** The one count of events by which the effect is seen; undefined where that takes more. */
export function countedBy(parts: readonly Part[], effect: Effect): MetricName | undefined {
  if (effect.kind !== "measured" || effect.expectation.actor !== null) return undefined;
  const metric = effect.expectation.metric as MetricName;
  return metricTable(parts)[metric].counts && metric;
}

/** Whether whatever is still to come cannot take it back. What only counts up never comes down. */
export function isSealed(parts: readonly Part[], effect: Effect, seen: Seen): boolean {
  if (effect.kind === "broken") return typeof seen.broken[effect.property] === "string";
  if (effect.kind === "asked" || !effect.holds) return false;
  const { expectation } = effect;
  if (expectation.at !== "ever" && !isCount(parts, expectation)) return false;
  return judge({ ...expectation, at: "ever" }, seen.meter, seen.atMs).ok;
}

/** A lower bound on what only counts up. */
const isCount = (parts: readonly Part[], { metric, op }: Expectation): boolean =>
  metricTable(parts)[metric as MetricName].counts !== undefined && (op === ">=" || op === ">");
